//! Accepting an event: who is notified, and how, is decided as it happens (rules N1 to N6).

use error::{Error, Result};
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, Activity, Body, Candidates, Change, Event, Held, HeldState, PAGE, Policy, RowKey,
    Rows, World,
    typed::{Read, load_one, put},
};

/// Accepts an event, to be called as soon as it happened. An event that was accepted within the
/// last two weeks is not accepted again; one that stopped halfway is completed.
///
/// # Errors
/// Those of the ports; it may be repeated.
pub async fn intake(
    rows: &impl Rows,
    world: &impl World,
    event: Event,
    policy: Policy,
) -> Result<()> {
    if policy.channels.is_empty() {
        return Ok(());
    }
    let key = RowKey::Held { event_id: event.id.clone() };
    if load_one::<Held>(rows, &key).await?.is_none() && !begin(rows, world, event, policy).await? {
        return Ok(());
    }
    match gather(rows, world, &key).await? {
        Some(held) => hint(rows, &key, &held.body).await,
        None => Ok(()),
    }
}

async fn hint(rows: &impl Rows, key: &RowKey, held: &Held) -> Result<()> {
    match held.due() {
        Some(due) => rows.wake(vec![(key.clone(), due)]).await,
        None => Ok(()),
    }
}

/// Records the first recipients; false when there are none.
async fn begin(rows: &impl Rows, world: &impl World, event: Event, policy: Policy) -> Result<bool> {
    let key = RowKey::Held { event_id: event.id.clone() };
    let now = rows.now();
    let mut held = Held::new(event, policy, Vec::new(), None, now);
    let mut after: Option<UserId> = None;
    let (mut activities, next) = loop {
        let page = world.audience(&held.event, after.as_ref(), PAGE).await?;
        let next = page.next.clone();
        let activities = wanted(&held, page)?;
        match next {
            Some(next) if activities.is_empty() => after = Some(next),
            next => break (activities, next),
        }
    };
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            if load_one::<Held>(rows, &key).await?.is_some() {
                return Ok(true);
            }
            activities = unknown(rows, activities).await?;
        }
        if activities.is_empty() && next.is_none() {
            return Ok(false);
        }
        let users = activities.iter().map(|activity| activity.user_id.clone()).collect();
        held = Held::new(held.event, policy, users, next.clone(), now);
        let mut changes = vec![put(key.clone(), &held, None)?];
        changes.extend(new_rows(&activities)?);
        if rows.commit(changes).await? {
            return Ok(true);
        }
    }
    Err(Error::aborted())
}

/// Records the recipients that are missing, and returns the event.
pub(crate) async fn gather(
    rows: &impl Rows,
    world: &impl World,
    key: &RowKey,
) -> Result<Option<Read<Held>>> {
    let mut failures = 0;
    while failures < ATTEMPTS {
        let Some(Read { body: held, version }) = load_one::<Held>(rows, key).await? else {
            return Ok(None);
        };
        let HeldState::Gathering { after, .. } = &held.state else {
            return Ok(Some(Read { body: held, version }));
        };
        let page = world.audience(&held.event, Some(after), PAGE).await?;
        let next = page.next.clone();
        let mut activities = wanted(&held, page)?;
        if failures > 0 {
            activities = unknown(rows, activities).await?;
        }
        if !extend(rows, key, Read { body: held, version }, activities, next).await? {
            failures += 1;
        }
    }
    Err(Error::aborted())
}

async fn extend(
    rows: &impl Rows,
    key: &RowKey,
    held: Read<Held>,
    activities: Vec<Activity>,
    next: Option<UserId>,
) -> Result<bool> {
    let users = activities.iter().map(|activity| activity.user_id.clone()).collect();
    let (body, page) = held.body.gathered(users, next, rows.now());
    let mut changes = vec![put(key.clone(), &body, Some(held.version))?];
    changes.extend(new_rows(&activities)?);
    let mut hints: Vec<(RowKey, Millis)> = Vec::new();
    if let Some((key, page)) = page {
        hints.push((key.clone(), page.release_at));
        changes.push(put(key, &page, None)?);
    }
    let is_done = rows.commit(changes).await?;
    if is_done && !hints.is_empty() {
        // The sweep finds the page, too.
        let _ = rows.wake(hints).await;
    }
    Ok(is_done)
}

fn wanted(held: &Held, page: Candidates) -> Result<Vec<Activity>> {
    if page.users.len() > PAGE {
        return Err(Error::internal("a page of the audience is longer than was asked for"));
    }
    Ok(page.users.iter().filter_map(|candidate| Activity::new(held, candidate)).collect())
}

fn new_rows(activities: &[Activity]) -> Result<Vec<Change>> {
    activities.iter().map(|activity| put(activity.key(), activity, None)).collect()
}

/// Those that have no row: an earlier round of the same event may have outlived its held row.
async fn unknown(rows: &impl Rows, activities: Vec<Activity>) -> Result<Vec<Activity>> {
    if activities.is_empty() {
        return Ok(activities);
    }
    let keys: Vec<RowKey> = activities.iter().map(Activity::key).collect();
    let found = rows.load(&keys).await?;
    let pairs = activities.into_iter().zip(found);
    Ok(pairs.filter(|(_, row)| row.is_none()).map(|(activity, _)| activity).collect())
}
