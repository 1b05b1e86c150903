//! Joining windows (rules N8 to N10).

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future::join_all;
use model::{DocumentId, OrganizationId, UserId};

use crate::{
    AT_ONCE, ATTEMPTS, Change, Hint, PARALLEL, PageRef, RowKey, Rows, WindowEnd, WindowLimits,
    Windows,
    rows::typed::{TypedRow, load_all, load_row, put},
    windows::{JoinedOpen, UpperHalf},
};

/// The windows of a document, or of all documents of a user.
#[derive(Clone, Debug)]
pub(crate) struct WindowPlace {
    pub(crate) organization_id: OrganizationId,
    pub(crate) document_id: Option<DocumentId>,
}

impl WindowPlace {
    fn row(&self, from: Option<UserId>) -> RowKey {
        let Self { organization_id, document_id } = self.clone();
        RowKey::Windows { organization_id, document_id, from, of: None }
    }

    /// The row of one recipient.
    pub(crate) fn own_row(&self, user: &UserId) -> RowKey {
        let Self { organization_id, document_id } = self.clone();
        RowKey::Windows { organization_id, document_id, from: None, of: Some(user.clone()) }
    }
}

/// An activity that joins windows.
#[derive(Clone, Copy)]
struct JoiningActivity<'a> {
    place: &'a WindowPlace,
    page: &'a PageRef,
    limits: WindowLimits,
}

/// Adds an activity of these recipients to their windows. Returns the closing times of the windows
/// that it is in.
pub(crate) async fn join(
    rows: &impl Rows,
    place: &WindowPlace,
    mut users: BTreeSet<UserId>,
    page: &PageRef,
    limits: WindowLimits,
) -> Result<Vec<WindowEnd>> {
    let activity = JoiningActivity { place, page, limits };
    let mut ends = Vec::new();
    for _ in 0..ATTEMPTS {
        let first = load_row::<Windows>(rows, &place.row(None)).await?;
        let splits = first.as_ref().map(|first| first.body.splits.clone()).unwrap_or_default();
        let from = |user: &UserId| splits.iter().rev().find(|split| *split <= user).cloned();
        let mut chunks: BTreeMap<Option<UserId>, BTreeSet<UserId>> = BTreeMap::new();
        for user in &users {
            chunks.entry(from(user)).or_default().insert(user.clone());
        }
        for (from, mut some) in chunks {
            let chunk = match &from {
                None => first.clone(),
                Some(_) => load_row::<Windows>(rows, &place.row(from.clone())).await?,
            };
            let (mut windows, seen) = chunk.map(|read| (read.body, read.version)).unzip();
            let windows: &mut Windows = windows.get_or_insert_default();
            let apart = windows.apart_of(&some);
            let JoinedOwnRows { ends: own_ends, windowless } =
                join_own_rows(rows, activity, &apart).await?;
            for end in own_ends {
                users.remove(&end.user_id);
                ends.push(end);
            }
            // A row of its own that changed meanwhile is for the next attempt.
            some.retain(|user| windowless.contains(user) || !apart.contains(user));
            if some.is_empty() {
                continue;
            }
            windows.remove_users(&windowless);
            windows.forget(rows.now());
            let joined = windows.join(&some, page, limits, &rows.new_id(), rows.now());
            let key = place.row(from.clone());
            let Overflow { split, mut changes, hints } =
                shrink(rows, place, windows, &splits).await?;
            let is_split = split.is_some();
            if let Some(UpperHalf { from: upper_from, windows: upper }) = split {
                changes.push(put(place.row(Some(upper_from.clone())), &upper, None)?);
                match (&from, &first) {
                    (Some(_), Some(first)) => {
                        let mut body = first.body.clone();
                        body.splits.push(upper_from);
                        body.splits.sort();
                        changes.push(put(place.row(None), &body, Some(first.version.clone()))?);
                    }
                    _ => {
                        windows.splits.push(upper_from);
                        windows.splits.sort();
                    }
                }
            }
            changes.push(put(key.clone(), windows, seen)?);
            if rows.commit(changes).await?.is_written() {
                users.retain(|user| !some.contains(user));
                ends.extend(joined.ends);
                let own = joined.hints.into_iter().map(|at| Hint { key: key.clone(), at });
                send_hints(rows, own.chain(hints).collect()).await;
            }
            if is_split {
                break;
            }
        }
        if users.is_empty() {
            return Ok(ends);
        }
    }
    Err(Error::aborted())
}

/// Sends hints; the sweep finds due rows as well.
async fn send_hints(rows: &impl Rows, hints: Vec<Hint>) {
    if !hints.is_empty() {
        let _ = rows.wake(hints).await;
    }
}

/// The windows that a row that has become too large gives away.
#[derive(Default)]
struct Overflow {
    /// The upper half, if the row is split.
    split: Option<UpperHalf>,
    /// The rows of windows that leave it.
    changes: Vec<Change>,
    hints: Vec<Hint>,
}

/// Splits a row that has become too large, or moves windows into rows of their own.
async fn shrink(
    rows: &impl Rows,
    place: &WindowPlace,
    windows: &mut Windows,
    splits: &[UserId],
) -> Result<Overflow> {
    let mut overflow = Overflow::default();
    // Both halves of a split are written, which a large row should not be.
    if !windows.is_large() {
        overflow.split = windows.split(splits);
    }
    if overflow.split.is_some() {
        return Ok(overflow);
    }
    let leaving = windows.split_off();
    if leaving.is_empty() {
        overflow.split = windows.split(splits);
        return Ok(overflow);
    }
    let keys: Vec<RowKey> = leaving.keys().map(|user| place.own_row(user)).collect();
    let found = load_all::<Windows>(rows, &keys).await?;
    for ((key, own), window) in keys.into_iter().zip(found).zip(leaving.into_values()) {
        if !window.led {
            overflow.hints.push(Hint { key: key.clone(), at: window.closes_at });
        }
        // Earlier windows of the recipient may be in delivery.
        let (own, seen) = own.map(|read| (read.body, read.version)).unzip();
        let mut own: Windows = own.unwrap_or_default();
        own.open.push(window);
        own.idle = None;
        overflow.changes.push(put(key, &own, seen)?);
    }
    Ok(overflow)
}

/// The effect of an activity on rows of one recipient each.
#[derive(Default)]
struct JoinedOwnRows {
    /// The closing times of the windows that it is in.
    ends: Vec<WindowEnd>,
    /// The recipients without an open window.
    windowless: BTreeSet<UserId>,
}

/// Adds an activity to the open windows of recipients in rows of their own.
async fn join_own_rows(
    rows: &impl Rows,
    activity: JoiningActivity<'_>,
    users: &BTreeSet<UserId>,
) -> Result<JoinedOwnRows> {
    let users: Vec<UserId> = users.iter().cloned().collect();
    let mut own = JoinedOwnRows::default();
    for some in users.chunks(AT_ONCE) {
        let keys: Vec<RowKey> = some.iter().map(|user| activity.place.own_row(user)).collect();
        let found = load_all::<Windows>(rows, &keys).await?;
        let mut known = Vec::new();
        for (user, read) in some.iter().zip(found) {
            match read {
                Some(read) => known.push((user.clone(), read)),
                None => {
                    own.windowless.insert(user.clone());
                }
            }
        }
        while !known.is_empty() {
            let next = known.split_off(known.len().saturating_sub(PARALLEL));
            let all = next.into_iter().map(|(user, read)| join_own_row(rows, activity, user, read));
            for joined in join_all(all).await {
                match joined? {
                    JoinedOwnRow::Joined(ends) => own.ends.extend(ends),
                    JoinedOwnRow::Windowless(user) => {
                        own.windowless.insert(user);
                    }
                    JoinedOwnRow::Conflict => {}
                }
            }
        }
    }
    Ok(own)
}

/// The effect of an activity on the row of one recipient.
enum JoinedOwnRow {
    /// The activity is in windows with these closing times.
    Joined(Vec<WindowEnd>),
    /// The recipient has no open window.
    Windowless(UserId),
    /// The row changed meanwhile.
    Conflict,
}

/// Adds an activity to the open window in the row of one recipient.
async fn join_own_row(
    rows: &impl Rows,
    JoiningActivity { place, page, limits }: JoiningActivity<'_>,
    user: UserId,
    TypedRow { body: mut windows, version }: TypedRow<Windows>,
) -> Result<JoinedOwnRow> {
    let before = windows.open.clone();
    let JoinedOpen { joined, .. } =
        windows.join_open(&[user.clone()].into(), page, limits, rows.now());
    if windows.open != before {
        let key = place.own_row(&user);
        let change = put(key.clone(), &windows, Some(version))?;
        if !rows.commit(vec![change]).await?.is_written() {
            return Ok(JoinedOwnRow::Conflict);
        }
        let hints = joined.hints.iter().map(|at| Hint { key: key.clone(), at: *at });
        send_hints(rows, hints.collect()).await;
    }
    Ok(match joined.ends.is_empty() {
        true => JoinedOwnRow::Windowless(user),
        false => JoinedOwnRow::Joined(joined.ends),
    })
}
