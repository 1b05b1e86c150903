//! Joining and closing windows (rules N8 to N13).

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future::join_all;
use model::{DocumentId, Millis, OrganizationId, UserId};

use crate::{
    ATTEMPTS, Activity, ActivityState, Change, Eligibility, Group, Page, PageRef, RowKey, Rows,
    Scope, SeenCheck, Window, WindowLimits, Windows, World,
    notice::{Notice, Origin},
    pages::load_pages,
    publish::publish,
    release::is_early,
    typed::{Read, load_one, put},
};

/// Tolerated clock difference of an early message.
const SKEW: Millis = 15_000;
/// Maximum number of recipients with open windows per row.
const MOST: usize = 200;

/// The windows of a document, or of all documents of a user.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) organization_id: OrganizationId,
    pub(crate) document_id: Option<DocumentId>,
}

impl Place {
    fn row(&self, from: Option<UserId>) -> RowKey {
        let Self { organization_id, document_id } = self.clone();
        RowKey::Windows { organization_id, document_id, from }
    }
}

/// The latest closing time of each recipient's joined window.
pub(crate) async fn join(
    rows: &impl Rows,
    place: &Place,
    mut users: BTreeSet<UserId>,
    id: &PageRef,
    limits: WindowLimits,
) -> Result<Vec<(UserId, Millis)>> {
    let mut until = Vec::new();
    for _ in 0..ATTEMPTS {
        let first = load_one::<Windows>(rows, &place.row(None)).await?;
        let splits = first.as_ref().map(|it| it.body.splits.clone()).unwrap_or_default();
        let from = |user: &UserId| splits.iter().rev().find(|split| *split <= user).cloned();
        let mut chunks: BTreeMap<Option<UserId>, BTreeSet<UserId>> = BTreeMap::new();
        for user in &users {
            chunks.entry(from(user)).or_default().insert(user.clone());
        }
        for (from, some) in chunks {
            let chunk = match &from {
                None => first.clone(),
                Some(_) => load_one::<Windows>(rows, &place.row(from.clone())).await?,
            };
            let (mut windows, seen) = chunk.map(|it| (it.body, it.version)).unzip();
            let windows: &mut Windows = windows.get_or_insert_default();
            let joined = windows.join(&some, id, limits, &rows.new_id(), rows.now());
            let key = place.row(from.clone());
            let mut changes = Vec::new();
            if let Some((at, upper)) = windows.split(MOST) {
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
            let is_split = !changes.is_empty();
            changes.push(put(key.clone(), windows, seen)?);
            if rows.commit(changes).await? {
                users.retain(|user| !some.contains(user));
                until.extend(joined.until);
                if !joined.hints.is_empty() {
                    let hints = joined.hints.into_iter().map(|at| (key.clone(), at)).collect();
                    // The sweep finds due rows as well.
                    let _ = rows.wake(hints).await;
                }
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

/// Wakes windows: expired ones are closed, and closed ones delivered.
pub(crate) async fn close(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    let RowKey::Windows { document_id, .. } = key else {
        return Err(Error::internal("not the key of windows"));
    };
    let scope = if document_id.is_some() { Scope::Document } else { Scope::User };
    for _ in 0..ATTEMPTS {
        let Some(Read { body: mut windows, version }) = load_one::<Windows>(rows, key).await?
        else {
            return Ok(());
        };
        let closed = windows.lease(rows.now());
        if closed.is_empty() {
            // Leases and windows have hints of their own: only an early message is repeated, or
            // messages would multiply.
            let next = windows.open.iter().filter(|window| window.closed.is_none());
            let next = next.map(|window| window.closes_at).min();
            if let Some(due) = next.filter(|due| *due <= rows.now() + SKEW) {
                is_early(rows, key, due).await?;
            }
            return Ok(());
        }
        // The closing is written before the delivery, so that concurrent joins are not lost.
        if !rows.commit(vec![put(key.clone(), &windows, Some(version))?]).await? {
            continue;
        }
        let outcomes = join_all(closed.iter().map(|it| deliver(rows, world, it, scope))).await;
        let mut outcome = Ok(());
        let mut done = Vec::new();
        for (window, result) in closed.into_iter().zip(outcomes) {
            match result {
                Ok(()) => done.push(window),
                Err(error) => outcome = Err(error),
            }
        }
        remove(rows, key, &done).await?;
        outcome?;
    }
    Err(Error::aborted())
}

/// Removes delivered windows.
async fn remove(rows: &impl Rows, key: &RowKey, done: &[Window]) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(Read { body: mut windows, version }) = load_one::<Windows>(rows, key).await?
        else {
            return Ok(());
        };
        windows.remove(done, rows.now());
        let change =
            match windows.is_needless() && matches!(key, RowKey::Windows { from: None, .. }) {
                true => Change::Delete { key: key.clone(), seen: version },
                false => put(key.clone(), &windows, Some(version))?,
            };
        if rows.commit(vec![change]).await? {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// Delivers the activities of a closed window, except those claimed by another one.
async fn deliver(
    rows: &impl Rows,
    world: &impl World,
    window: &Window,
    scope: Scope,
) -> Result<()> {
    let Some(closed) = window.closed else { return Ok(()) };
    let users: BTreeSet<&UserId> = window.users.iter().collect();
    let pages = load_pages(rows, &window.ids).await?;
    let open = |user: &UserId, state: &ActivityState| users.contains(user) && state.is_open();
    let activities: Vec<Activity> = pages.iter().flat_map(|page| page.activities(open)).collect();
    let decided = decide(world, activities, SeenCheck::Counts).await?;
    let generation = window.generation.as_str();
    let now = rows.now();
    let mut claimed = Vec::new();
    for page in pages {
        let at = page.at.clone();
        let claim = |user: &UserId, group: &Group| {
            let eligibility = decided.get(&(at.clone(), user.clone()))?;
            let is_open = group.state.is_open();
            is_open.then(|| Page::decided(group.allowed, eligibility, generation, now))
        };
        // The row need not be armed for the recipients of this window, but may be for others.
        claimed.extend(page.change(rows, now, claim, |page| page.due).await?);
    }
    let own = |user: &UserId, state: &ActivityState| {
        users.contains(user) && state.generation() == Some(generation)
    };
    let activities: Vec<Activity> = claimed.iter().flat_map(|page| page.activities(own)).collect();
    if !activities.iter().any(|it| matches!(it.state, ActivityState::Claimed { .. })) {
        return Ok(());
    }
    let (opened_at, closed_at, reason) = (window.opened_at, closed.at, closed.reason);
    let origin = Origin { scope, opened_at, closed_at, reason };
    let notices = Notice::of_claimed(generation, activities, Some(origin));
    let ids = publish(rows, world, &notices).await?;
    for page in claimed {
        let published = |user: &UserId, group: &Group| match own(user, &group.state) {
            true => published(&group.state, ids.get(user)?),
            false => None,
        };
        page.change(rows, rows.now(), published, |page| page.due).await?;
    }
    Ok(())
}

/// The state of a delivered activity.
pub(crate) fn published(state: &ActivityState, id: &str) -> Option<ActivityState> {
    let ActivityState::Claimed { generation, at, withheld } = state.clone() else { return None };
    let notification_id = id.to_owned();
    Some(ActivityState::Delivered { generation, notification_id, at, withheld })
}

/// Decides on activities, by page and recipient.
pub(crate) async fn decide(
    world: &impl World,
    activities: Vec<Activity>,
    seen: SeenCheck,
) -> Result<BTreeMap<(PageRef, UserId), Eligibility>> {
    let Some(organization) = activities.first().map(|it| it.organization_id.clone()) else {
        return Ok(BTreeMap::new());
    };
    let eligibility = world.eligibility(&organization, &activities, seen).await?;
    if eligibility.len() != activities.len() {
        return Err(Error::internal("not every activity was decided on"));
    }
    let key = |it: Activity| (it.page, it.user_id);
    Ok(activities.into_iter().map(key).zip(eligibility).collect())
}
