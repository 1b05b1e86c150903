//! Closing windows (rules N9 to N12).

use std::collections::BTreeSet;

use error::{Error, Result};
use futures_util::future::join_all;
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, Change, PARALLEL, RowKey, Rows, TenantData, Window, WindowScope, Windows,
    rows::{
        is_early,
        typed::{TypedRow, load_all, load_row, put},
    },
    windows::{
        digests::{Delivered, deliver},
        joining::WindowPlace,
    },
};

/// Tolerated clock difference of an early message.
const SKEW: Millis = 15_000;

/// A closed window that this call delivers.
struct LeasedWindow {
    row: RowKey,
    window: Window,
}

/// Wakes windows: expired ones are closed, and closed ones delivered.
pub(crate) async fn close(rows: &impl Rows, tenant: &impl TenantData, key: &RowKey) -> Result<()> {
    let RowKey::Windows { organization_id, document_id, .. } = key else {
        return Err(Error::internal("not the key of windows"));
    };
    let scope = if document_id.is_some() { WindowScope::Document } else { WindowScope::User };
    let (organization_id, document_id) = (organization_id.clone(), document_id.clone());
    let place = WindowPlace { organization_id, document_id };
    let mut leased: Vec<LeasedWindow> = Vec::new();
    for _ in 0..ATTEMPTS {
        let Some(TypedRow { body: mut windows, version }) = load_row::<Windows>(rows, key).await?
        else {
            return Ok(());
        };
        // The closing is written before the delivery, so that concurrent joins are not lost.
        let led = windows.led_by(rows.now());
        leased.extend(lease_own(rows, &place, &led).await?);
        windows.remove_users(&led);
        let own = windows.lease(rows.now());
        if own.is_empty() && led.is_empty() && leased.is_empty() {
            // Leases and windows have hints of their own: only an early message is repeated, or
            // messages would multiply.
            let next = windows.next_closing().filter(|due| *due <= rows.now() + SKEW);
            if let Some(due) = next {
                is_early(rows, key, due).await?;
            }
            return Ok(());
        }
        if !own.is_empty() || !led.is_empty() {
            windows.note_idle(rows.now());
            let change = change_of(key, &windows, version)?;
            if !rows.commit(vec![change]).await?.is_written() {
                continue;
            }
        }
        leased.extend(own.into_iter().map(|window| LeasedWindow { row: key.clone(), window }));
        deliver_all(rows, tenant, std::mem::take(&mut leased), scope).await?;
    }
    Err(Error::aborted())
}

/// Windows of one row.
struct RowWindows {
    row: RowKey,
    windows: Vec<Window>,
}

/// Delivers windows, and removes the delivered ones from their rows.
async fn deliver_all(
    rows: &impl Rows,
    tenant: &impl TenantData,
    leased: Vec<LeasedWindow>,
    scope: WindowScope,
) -> Result<()> {
    let (keys, windows): (Vec<RowKey>, Vec<Window>) =
        leased.into_iter().map(|LeasedWindow { row, window }| (row, window)).unzip();
    let Delivered { is_done, mut outcome } = deliver(rows, tenant, &windows, scope).await;
    let mut done_by_row: Vec<RowWindows> = Vec::new();
    for ((row, window), is_done) in keys.into_iter().zip(windows).zip(is_done) {
        if !is_done {
            continue;
        }
        match done_by_row.iter_mut().find(|known| known.row == row) {
            Some(known) => known.windows.push(window),
            None => done_by_row.push(RowWindows { row, windows: vec![window] }),
        }
    }
    for some in done_by_row.chunks(PARALLEL) {
        let all = some.iter().map(|done| remove(rows, done));
        for removed in join_all(all).await {
            outcome = outcome.and(removed);
        }
    }
    outcome
}

/// Closes and leases the windows in the rows of these recipients.
async fn lease_own(
    rows: &impl Rows,
    place: &WindowPlace,
    users: &BTreeSet<UserId>,
) -> Result<Vec<LeasedWindow>> {
    let mut leased = Vec::new();
    let mut left: Vec<RowKey> = users.iter().map(|user| place.own_row(user)).collect();
    for _ in 0..ATTEMPTS {
        let found = load_all::<Windows>(rows, &left).await?;
        let there = left.drain(..).zip(found).filter_map(|(key, read)| Some((key, read?)));
        let there: Vec<(RowKey, TypedRow<Windows>)> = there.collect();
        for some in there.chunks(PARALLEL) {
            let all = some.iter().map(|(key, read)| lease_row(rows, key, read));
            for ((key, _), lease) in some.iter().zip(join_all(all).await) {
                match lease? {
                    Lease::Leased(windows) => leased.extend(
                        windows.into_iter().map(|window| LeasedWindow { row: key.clone(), window }),
                    ),
                    Lease::Conflict => left.push(key.clone()),
                }
            }
        }
        if left.is_empty() {
            return Ok(leased);
        }
    }
    Err(Error::aborted())
}

/// The outcome of leasing the windows of a row.
enum Lease {
    /// These windows are leased.
    Leased(Vec<Window>),
    /// The row changed meanwhile.
    Conflict,
}

/// Closes and leases the windows of a row.
async fn lease_row(rows: &impl Rows, key: &RowKey, read: &TypedRow<Windows>) -> Result<Lease> {
    let mut windows = read.body.clone();
    let leased = windows.lease(rows.now());
    if leased.is_empty() {
        return Ok(Lease::Leased(leased));
    }
    let change = put(key.clone(), &windows, Some(read.version.clone()))?;
    match rows.commit(vec![change]).await?.is_written() {
        true => Ok(Lease::Leased(leased)),
        false => Ok(Lease::Conflict),
    }
}

/// Removes delivered windows.
async fn remove(rows: &impl Rows, done: &RowWindows) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(TypedRow { body: mut windows, version }) =
            load_row::<Windows>(rows, &done.row).await?
        else {
            return Ok(());
        };
        windows.remove(&done.windows, rows.now());
        if rows.commit(vec![change_of(&done.row, &windows, version)?]).await?.is_written() {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// The write of a row, which is removed if nothing refers to it.
fn change_of(key: &RowKey, windows: &Windows, seen: String) -> Result<Change> {
    match windows.is_needless() && matches!(key, RowKey::Windows { from: None, .. }) {
        true => Ok(Change::Delete { key: key.clone(), seen }),
        false => put(key.clone(), windows, Some(seen)),
    }
}
