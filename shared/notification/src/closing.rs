//! Closing windows (rules N9 to N12).

use std::collections::BTreeSet;

use error::{Error, Result};
use futures_util::future::join_all;
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, Change, PARALLEL, RowKey, Rows, Scope, Window, Windows, World,
    digests::deliver,
    joining::Place,
    release::is_early,
    typed::{Read, load_all, load_one, put},
};

/// Tolerated clock difference of an early message.
const SKEW: Millis = 15_000;

/// A closed window, with its row.
type Leased = (RowKey, Window);

/// Wakes windows: expired ones are closed, and closed ones delivered.
pub(crate) async fn close(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    let RowKey::Windows { organization_id, document_id, .. } = key else {
        return Err(Error::internal("not the key of windows"));
    };
    let scope = if document_id.is_some() { Scope::Document } else { Scope::User };
    let (organization_id, document_id) = (organization_id.clone(), document_id.clone());
    let place = Place { organization_id, document_id };
    let mut leased: Vec<Leased> = Vec::new();
    for _ in 0..ATTEMPTS {
        let Some(Read { body: mut windows, version }) = load_one::<Windows>(rows, key).await?
        else {
            return Ok(());
        };
        // The closing is written before the delivery, so that concurrent joins are not lost.
        let led = windows.led_by(rows.now());
        leased.extend(lease_own(rows, &place, &led).await?);
        windows.take_back(&led);
        let own = windows.lease(rows.now());
        if own.is_empty() && led.is_empty() && leased.is_empty() {
            // Leases and windows have hints of their own: only an early message is repeated, or
            // messages would multiply.
            let next = windows.next().filter(|due| *due <= rows.now() + SKEW);
            if let Some(due) = next {
                is_early(rows, key, due).await?;
            }
            return Ok(());
        }
        if !own.is_empty() || !led.is_empty() {
            windows.rest(rows.now());
            let change = change_of(key, &windows, version)?;
            if rows.commit(vec![change]).await?.is_none() {
                continue;
            }
        }
        leased.extend(own.into_iter().map(|window| (key.clone(), window)));
        deliver_all(rows, world, std::mem::take(&mut leased), scope).await?;
    }
    Err(Error::aborted())
}

/// Delivers windows, and removes the delivered ones from their rows.
async fn deliver_all(
    rows: &impl Rows,
    world: &impl World,
    leased: Vec<Leased>,
    scope: Scope,
) -> Result<()> {
    let (keys, windows): (Vec<RowKey>, Vec<Window>) = leased.into_iter().unzip();
    let (done, outcome) = deliver(rows, world, &windows, scope).await;
    let mut by_row: Vec<(RowKey, Vec<Window>)> = Vec::new();
    for ((key, window), _) in keys.into_iter().zip(windows).zip(done).filter(|(_, done)| *done) {
        match by_row.iter_mut().find(|(known, _)| *known == key) {
            Some((_, windows)) => windows.push(window),
            None => by_row.push((key, vec![window])),
        }
    }
    let mut outcome = outcome;
    for some in by_row.chunks(PARALLEL) {
        let all = some.iter().map(|(key, done)| remove(rows, key, done));
        for removed in join_all(all).await {
            outcome = outcome.and(removed);
        }
    }
    outcome
}

/// Closes and leases the windows in the rows of these recipients.
async fn lease_own(
    rows: &impl Rows,
    place: &Place,
    users: &BTreeSet<UserId>,
) -> Result<Vec<Leased>> {
    let mut leased = Vec::new();
    let mut left: Vec<RowKey> = users.iter().map(|user| place.own(user)).collect();
    for _ in 0..ATTEMPTS {
        let found = load_all::<Windows>(rows, &left).await?;
        let there = left.drain(..).zip(found).filter_map(|(key, read)| Some((key, read?)));
        let there: Vec<(RowKey, Read<Windows>)> = there.collect();
        for some in there.chunks(PARALLEL) {
            let all = some.iter().map(|(key, read)| lease_one(rows, key, read));
            for ((key, _), windows) in some.iter().zip(join_all(all).await) {
                match windows? {
                    Some(windows) => {
                        leased.extend(windows.into_iter().map(|window| (key.clone(), window)));
                    }
                    None => left.push(key.clone()),
                }
            }
        }
        if left.is_empty() {
            return Ok(leased);
        }
    }
    Err(Error::aborted())
}

/// None after a concurrent change.
async fn lease_one(
    rows: &impl Rows,
    key: &RowKey,
    read: &Read<Windows>,
) -> Result<Option<Vec<Window>>> {
    let mut windows = read.body.clone();
    let leased = windows.lease(rows.now());
    if leased.is_empty() {
        return Ok(Some(leased));
    }
    let change = put(key.clone(), &windows, Some(read.version.clone()))?;
    Ok(rows.commit(vec![change]).await?.map(|_| leased))
}

/// Removes delivered windows.
async fn remove(rows: &impl Rows, key: &RowKey, done: &[Window]) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(Read { body: mut windows, version }) = load_one::<Windows>(rows, key).await?
        else {
            return Ok(());
        };
        windows.remove(done, rows.now());
        if rows.commit(vec![change_of(key, &windows, version)?]).await?.is_some() {
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
