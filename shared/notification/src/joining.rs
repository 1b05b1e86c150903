//! Joining windows (rules N8 to N10).

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future::join_all;
use model::{DocumentId, Millis, OrganizationId, UserId};

use crate::{
    AT_ONCE, ATTEMPTS, Change, Joined, PARALLEL, PageRef, RowKey, Rows, WindowLimits, Windows,
    typed::{Read, load_all, load_one, put},
};

/// The windows of a document, or of all documents of a user.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) organization_id: OrganizationId,
    pub(crate) document_id: Option<DocumentId>,
}

impl Place {
    fn row(&self, from: Option<UserId>) -> RowKey {
        let Self { organization_id, document_id } = self.clone();
        RowKey::Windows { organization_id, document_id, from, of: None }
    }

    /// The row of one recipient.
    pub(crate) fn own(&self, user: &UserId) -> RowKey {
        let Self { organization_id, document_id } = self.clone();
        RowKey::Windows { organization_id, document_id, from: None, of: Some(user.clone()) }
    }
}

/// An activity that joins windows.
#[derive(Clone, Copy)]
struct Entry<'a> {
    place: &'a Place,
    id: &'a PageRef,
    limits: WindowLimits,
}

/// The latest closing time of each recipient's joined window.
pub(crate) async fn join(
    rows: &impl Rows,
    place: &Place,
    mut users: BTreeSet<UserId>,
    id: &PageRef,
    limits: WindowLimits,
) -> Result<Vec<(UserId, Millis)>> {
    let entry = Entry { place, id, limits };
    let mut until = Vec::new();
    for _ in 0..ATTEMPTS {
        let first = load_one::<Windows>(rows, &place.row(None)).await?;
        let splits = first.as_ref().map(|it| it.body.splits.clone()).unwrap_or_default();
        let from = |user: &UserId| splits.iter().rev().find(|split| *split <= user).cloned();
        let mut chunks: BTreeMap<Option<UserId>, BTreeSet<UserId>> = BTreeMap::new();
        for user in &users {
            chunks.entry(from(user)).or_default().insert(user.clone());
        }
        for (from, mut some) in chunks {
            let chunk = match &from {
                None => first.clone(),
                Some(_) => load_one::<Windows>(rows, &place.row(from.clone())).await?,
            };
            let (mut windows, seen) = chunk.map(|it| (it.body, it.version)).unzip();
            let windows: &mut Windows = windows.get_or_insert_default();
            let apart = windows.apart_of(&some);
            let Own { joined, closed } = join_own(rows, entry, &apart).await?;
            for (user, at) in joined {
                users.remove(&user);
                until.push((user, at));
            }
            // A row of its own that changed meanwhile is for the next attempt.
            some.retain(|user| closed.contains(user) || !apart.contains(user));
            if some.is_empty() {
                continue;
            }
            windows.take_back(&closed);
            windows.forget(rows.now());
            let joined = windows.join(&some, id, limits, &rows.new_id(), rows.now());
            let key = place.row(from.clone());
            let Smaller { split, mut changes, hints } =
                shrink(rows, place, windows, &splits).await?;
            let is_split = split.is_some();
            if let Some((at, upper)) = split {
                changes.push(put(place.row(Some(at.clone())), &upper, None)?);
                match (&from, &first) {
                    (Some(_), Some(first)) => {
                        let mut body = first.body.clone();
                        body.splits.push(at);
                        body.splits.sort();
                        changes.push(put(place.row(None), &body, Some(first.version.clone()))?);
                    }
                    _ => {
                        windows.splits.push(at);
                        windows.splits.sort();
                    }
                }
            }
            changes.push(put(key.clone(), windows, seen)?);
            if rows.commit(changes).await?.is_some() {
                users.retain(|user| !some.contains(user));
                until.extend(joined.until);
                let hints = joined.hints.into_iter().map(|at| (key.clone(), at)).chain(hints);
                hint(rows, hints.collect()).await;
            }
            if is_split {
                break;
            }
        }
        if users.is_empty() {
            return Ok(until);
        }
    }
    Err(Error::aborted())
}

type Hints = Vec<(RowKey, Millis)>;

/// Sends hints; the sweep finds due rows as well.
async fn hint(rows: &impl Rows, hints: Hints) {
    if !hints.is_empty() {
        let _ = rows.wake(hints).await;
    }
}

/// What a row that has become too large gives away.
#[derive(Default)]
struct Smaller {
    /// Its upper half, and the start of that.
    split: Option<(UserId, Windows)>,
    /// Rows of windows that leave it.
    changes: Vec<Change>,
    hints: Hints,
}

/// Splits a row that has become too large, or moves windows into rows of their own.
async fn shrink(
    rows: &impl Rows,
    place: &Place,
    windows: &mut Windows,
    splits: &[UserId],
) -> Result<Smaller> {
    let mut smaller = Smaller::default();
    // Both halves of a split are written, which a large row should not be.
    if !windows.is_large() {
        smaller.split = windows.split(splits);
    }
    if smaller.split.is_some() {
        return Ok(smaller);
    }
    let leaving = windows.leave();
    if leaving.is_empty() {
        smaller.split = windows.split(splits);
        return Ok(smaller);
    }
    let keys: Vec<RowKey> = leaving.keys().map(|user| place.own(user)).collect();
    let found = load_all::<Windows>(rows, &keys).await?;
    for ((key, own), window) in keys.into_iter().zip(found).zip(leaving.into_values()) {
        if !window.led {
            smaller.hints.push((key.clone(), window.closes_at));
        }
        // Earlier windows of the recipient may be in delivery.
        let (own, seen) = own.map(|it| (it.body, it.version)).unzip();
        let mut own: Windows = own.unwrap_or_default();
        own.open.push(window);
        own.idle = None;
        smaller.changes.push(put(key, &own, seen)?);
    }
    Ok(smaller)
}

/// Result for recipients in rows of their own.
#[derive(Default)]
struct Own {
    /// Those who joined, each with the closing time.
    joined: Vec<(UserId, Millis)>,
    /// Those without an open window.
    closed: BTreeSet<UserId>,
}

/// Adds an activity to the open windows of recipients in rows of their own.
async fn join_own(rows: &impl Rows, entry: Entry<'_>, users: &BTreeSet<UserId>) -> Result<Own> {
    let users: Vec<UserId> = users.iter().cloned().collect();
    let mut own = Own::default();
    for some in users.chunks(AT_ONCE) {
        let keys: Vec<RowKey> = some.iter().map(|user| entry.place.own(user)).collect();
        let found = load_all::<Windows>(rows, &keys).await?;
        let mut known = Vec::new();
        for (user, read) in some.iter().zip(found) {
            match read {
                Some(read) => known.push((user.clone(), read)),
                None => {
                    own.closed.insert(user.clone());
                }
            }
        }
        while !known.is_empty() {
            let next = known.split_off(known.len().saturating_sub(PARALLEL));
            let all = next.into_iter().map(|(user, read)| join_one(rows, entry, user, read));
            for done in join_all(all).await {
                match done? {
                    (user, Some(Joined { until, .. })) if until.is_empty() => {
                        own.closed.insert(user);
                    }
                    (_, Some(joined)) => own.joined.extend(joined.until),
                    (_, None) => {}
                }
            }
        }
    }
    Ok(own)
}

/// Adds an activity to the row of one recipient; none after a concurrent change.
async fn join_one(
    rows: &impl Rows,
    Entry { place, id, limits }: Entry<'_>,
    user: UserId,
    Read { body: mut windows, version }: Read<Windows>,
) -> Result<(UserId, Option<Joined>)> {
    let before = windows.open.clone();
    let (joined, _) = windows.join_open(&[user.clone()].into(), id, limits, rows.now());
    if windows.open != before {
        let key = place.own(&user);
        if rows.commit(vec![put(key.clone(), &windows, Some(version))?]).await?.is_none() {
            return Ok((user, None));
        }
        hint(rows, joined.hints.iter().map(|at| (key.clone(), *at)).collect()).await;
    }
    Ok((user, Some(joined)))
}
