//! Accepting an event: who is notified, and how, is decided as it happens (rules N1 to N6).

use std::collections::BTreeMap;

use error::{Error, Result};
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, ActivityState, Candidates, Channel, Channels, Event, Gathering, Limits, PAGE, Page,
    PageRef, PendingEvent, Policy, RETRY, Reason, Recipients, Rows, World,
    release::release,
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
    let (first, id) = (PageRef::first(&event.id), event.id.clone());
    if load_one::<PendingEvent>(rows, &first.key()).await?.is_none()
        && !begin(rows, world, event, &policy).await?
    {
        return Ok(());
    }
    match gather(rows, world, &id).await? {
        Some(event) if policy.delay.is_none() && event.first.due.is_some() => {
            release(rows, world, &first).await
        }
        Some(PendingEvent { first: Page { due: Some(due), .. }, .. }) => {
            rows.wake(vec![(first.key(), due)]).await
        }
        _ => Ok(()),
    }
}

/// What becomes of recipients as they are recorded. Where nothing waits, they were looked at a
/// moment ago: that is the last word on them (rule N13).
fn fresh(
    policy: Option<&Policy>,
    event: &Event,
    generation: String,
    now: Millis,
) -> impl Fn(Channels) -> ActivityState {
    let waits = |policy: &Policy| {
        PendingEvent::release_at(event, policy) > now
            || policy.delay.is_some()
            || (event.is_batchable() && policy.limits != Limits::default())
    };
    let open = policy.filter(|policy| !waits(policy)).map(|policy| policy.open);
    move |allowed| {
        let Some(open) = open else { return ActivityState::Pending };
        let is_off = |channel: &Channel| allowed.has(*channel) && !open.has(*channel);
        let withheld: BTreeMap<Channel, Reason> = Channel::ALL
            .into_iter()
            .filter(is_off)
            .map(|channel| (channel, Reason::ServiceOff))
            .collect();
        match (allowed & open).is_empty() {
            true => ActivityState::Dropped { at: now, reasons: withheld },
            false => ActivityState::Claimed { generation: generation.clone(), at: now, withheld },
        }
    }
}

/// Records the first recipients; false when there are none.
async fn begin(
    rows: &impl Rows,
    world: &impl World,
    event: Event,
    policy: &Policy,
) -> Result<bool> {
    let at = PageRef::first(&event.id);
    let release_at = PendingEvent::release_at(&event, policy);
    let mut after: Option<UserId> = None;
    loop {
        let found = candidates(world, &event, after.as_ref()).await?;
        let now = rows.now();
        let state = fresh(Some(policy), &event, at.generation(), now);
        let mut first = Page::new(&found.users, policy.channels, state, (release_at.max(now), now));
        if first.groups.is_empty() {
            match found.next {
                Some(next) => after = Some(next),
                None => return Ok(false),
            }
            continue;
        }
        arm(&mut first, release_at, now);
        let retry = now + RETRY;
        let gathering = found.next.map(|after| Gathering { after, retry });
        let pending = PendingEvent {
            release_at,
            delayed: policy.delay.is_some(),
            channels: policy.channels,
            first,
            pages: 1,
            gathering,
            event,
        };
        // Whoever was faster has recorded the same event.
        rows.commit(vec![put(at.key(), &pending, None)?]).await?;
        if pending.gathering.is_some() {
            extend(rows, world, &at.event_id, Some(policy)).await?;
        }
        return Ok(true);
    }
}

/// When there is something to do with a page that was just made.
fn arm(page: &mut Page, release_at: Millis, now: Millis) {
    page.due = match page.has(|state| *state == ActivityState::Pending) {
        true => Some(release_at),
        false => page.has(|state| state.generation().is_some()).then_some(now + RETRY),
    };
}

async fn candidates(
    world: &impl World,
    event: &Event,
    after: Option<&UserId>,
) -> Result<Candidates> {
    let found = world.recipients(event, after, PAGE).await?;
    if found.users.len() > PAGE {
        return Err(Error::internal("more recipients than were asked for"));
    }
    Ok(found)
}

/// Records the recipients that are missing, and returns the event.
pub(crate) async fn gather(
    rows: &impl Rows,
    world: &impl World,
    event_id: &str,
) -> Result<Option<PendingEvent>> {
    extend(rows, world, event_id, None).await
}

async fn extend(
    rows: &impl Rows,
    world: &impl World,
    event_id: &str,
    policy: Option<&Policy>,
) -> Result<Option<PendingEvent>> {
    let key = PageRef::first(event_id).key();
    let mut failures = 0;
    while failures < ATTEMPTS {
        let Some(Read { body: mut event, version }) = load_one::<PendingEvent>(rows, &key).await?
        else {
            return Ok(None);
        };
        let Some(Gathering { after, .. }) = event.gathering.clone() else {
            return Ok(Some(event));
        };
        let page = PageRef { event_id: event_id.to_owned(), page: event.pages };
        // A page that is there was recorded by who stopped, or by somebody at this moment.
        let next = match load_one::<Recipients>(rows, &page.key()).await? {
            Some(known) => {
                event.pages += 1;
                known.body.next
            }
            None => {
                let found = candidates(world, &event.event, Some(&after)).await?;
                let now = rows.now();
                let state = fresh(policy, &event.event, page.generation(), now);
                let mut recipients =
                    Page::new(&found.users, event.channels, state, (event.release_at, now));
                arm(&mut recipients, event.release_at, now);
                if !recipients.groups.is_empty() {
                    let hint = (page.key(), event.release_at);
                    let row = Recipients { page: recipients, next: found.next.clone() };
                    if !rows.commit(vec![put(page.key(), &row, None)?]).await? {
                        failures += 1;
                        continue;
                    }
                    event.pages += 1;
                    // The sweep finds the page, too.
                    let _ = rows.wake(vec![hint]).await;
                }
                found.next
            }
        };
        let retry = rows.now() + RETRY;
        event.gathering = next.map(|after| Gathering { after, retry });
        if !rows.commit(vec![put(key.clone(), &event, Some(version))?]).await? {
            failures += 1;
        }
    }
    Err(Error::aborted())
}
