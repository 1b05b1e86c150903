//! Intake of events: recipients and channels are decided at the event (rules N1 to N6).

use std::collections::BTreeMap;

use error::{Error, Result};
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, ActivityState, Body, Candidates, Channel, Channels, Event, Gathering, Limits, PAGE,
    Page, PageRef, PendingEvent, Policy, RETRY, Reason, Recipients, Rows, World,
    release::release,
    typed::{Read, load_one, put},
};

/// Accepts an event; to be called as soon as it happens. Accepting it again within two weeks is a
/// no-op; an interrupted intake is completed.
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
    let first = PageRef::first(&event.id);
    let due = PendingEvent::release_at(&event, &policy);
    let known = load_one::<PendingEvent>(rows, &first.key()).await?;
    if known.as_ref().is_some_and(|known| known.body.due().is_none()) {
        return Ok(());
    }
    let begun = match known {
        Some(_) => {
            extend(rows, world, &first.event_id, None).await?;
            Begun::Recorded { claimed: false }
        }
        None => begin(rows, world, event, &policy).await?,
    };
    match begun {
        Begun::Nobody => Ok(()),
        Begun::Recorded { .. } if policy.delay.is_some() => {
            rows.wake(vec![(first.key(), due)]).await
        }
        Begun::Recorded { claimed } => release(rows, world, &first, claimed).await,
    }
}

/// Result of recording the first recipients.
enum Begun {
    /// No recipients.
    Nobody,
    /// Recorded, and whether this call claimed the first page.
    Recorded { claimed: bool },
}

/// The initial state of recipients. Without a delay they were checked a moment ago, so that check
/// is final (rule N13).
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

/// Records the recipients.
async fn begin(
    rows: &impl Rows,
    world: &impl World,
    event: Event,
    policy: &Policy,
) -> Result<Begun> {
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
                None => return Ok(Begun::Nobody),
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
        // A concurrent call recorded the same event.
        let is_first = rows.commit(vec![put(at.key(), &pending, None)?]).await?.is_some();
        if pending.gathering.is_some() || !is_first {
            extend(rows, world, &at.event_id, Some(policy)).await?;
        }
        let is_claimed = pending.first.has(|state| state.generation().is_some());
        return Ok(Begun::Recorded { claimed: is_first && is_claimed });
    }
}

/// Due time of a new page.
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

/// Records the missing recipients, and returns the event.
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
        // An existing page was recorded by the interrupted call, or concurrently.
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
                // The worker for the page publishes it.
                arm(&mut recipients, event.release_at, now);
                recipients.due = recipients.due.map(|due| due.min(event.release_at.max(now)));
                if !recipients.groups.is_empty() {
                    let hint = (page.key(), event.release_at.max(now));
                    let row = Recipients { page: recipients, next: found.next.clone() };
                    if rows.commit(vec![put(page.key(), &row, None)?]).await?.is_none() {
                        failures += 1;
                        continue;
                    }
                    event.pages += 1;
                    // The sweep finds the page as well.
                    let _ = rows.wake(vec![hint]).await;
                }
                found.next
            }
        };
        let retry = rows.now() + RETRY;
        event.gathering = next.map(|after| Gathering { after, retry });
        if rows.commit(vec![put(key.clone(), &event, Some(version))?]).await?.is_none() {
            failures += 1;
        }
    }
    Err(Error::aborted())
}
