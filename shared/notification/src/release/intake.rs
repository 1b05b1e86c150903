//! Intake of events: recipients and channels are decided at the event (rules N1 to N6).

use std::collections::BTreeMap;

use error::{Error, Result};
use model::{Millis, UserId};

use crate::{
    ATTEMPTS, ActivityState, BatchLimits, Candidate, Candidates, Channel, Channels, Gathering,
    Hint, NotifiableEvent, PAGE, PageRef, PendingEvent, Policy, RETRY, Reason, RecipientPage,
    Recipients, RowBody, Rows, TenantData,
    page::PageTimes,
    release::release,
    rows::typed::{TypedRow, load_row, put},
};

/// Accepts an event; to be called as soon as it happens. Accepting it again within two weeks is a
/// no-op; an interrupted intake is completed.
///
/// # Errors
/// The errors of the ports; the call may be repeated.
pub async fn intake(
    rows: &impl Rows,
    tenant: &impl TenantData,
    event: NotifiableEvent,
    policy: Policy,
) -> Result<()> {
    if policy.channels.is_empty() {
        return Ok(());
    }
    let first = PageRef::first(&event.id);
    let due = end_of_delay(&event, &policy);
    let known = load_row::<PendingEvent>(rows, &first.key()).await?;
    if known.as_ref().is_some_and(|known| known.body.due().is_none()) {
        return Ok(());
    }
    let recorded = match known {
        Some(_) => {
            record_missing(rows, tenant, &first.event_id, None).await?;
            Recorded::Recipients { claimed: false }
        }
        None => record_first(rows, tenant, event, &policy).await?,
    };
    match recorded {
        Recorded::Nobody => Ok(()),
        Recorded::Recipients { .. } if policy.delay.is_some() => {
            rows.wake(vec![Hint { key: first.key(), at: due }]).await
        }
        Recorded::Recipients { claimed } => release(rows, tenant, &first, claimed).await,
    }
}

/// The end of an event's delay (rule N6).
fn end_of_delay(event: &NotifiableEvent, policy: &Policy) -> Millis {
    event.t0.saturating_add(policy.delay.unwrap_or(0).saturating_mul(1000))
}

/// The outcome of recording the first recipients.
enum Recorded {
    /// The event has no recipients.
    Nobody,
    /// The recipients are recorded; `claimed` says whether this call claimed the first page.
    Recipients { claimed: bool },
}

/// The initial state of recipients. Without a delay they were checked a moment ago, so that check
/// is final (rule N13).
fn initial_state(
    policy: Option<&Policy>,
    event: &NotifiableEvent,
    generation: String,
    now: Millis,
) -> impl Fn(&Candidate, Channels) -> ActivityState {
    let waits = |policy: &Policy| {
        end_of_delay(event, policy) > now
            || policy.delay.is_some()
            || (event.is_batchable() && policy.limits != BatchLimits::default())
    };
    let open = policy.filter(|policy| !waits(policy)).map(|policy| policy.open);
    move |candidate, allowed| {
        let Some(open) = open else { return ActivityState::Pending };
        let reason = |channel: Channel| match (open.has(channel), candidate.open.has(channel)) {
            (false, _) => Some((channel, Reason::ServiceOff)),
            (true, false) => Some((channel, Reason::Muted)),
            (true, true) => None,
        };
        let allowed_channels = Channel::ALL.into_iter().filter(|channel| allowed.has(*channel));
        let withheld: BTreeMap<Channel, Reason> = allowed_channels.filter_map(reason).collect();
        match (allowed & open & candidate.open).is_empty() {
            true => ActivityState::Dropped { at: now, reasons: withheld },
            false => ActivityState::Claimed { generation: generation.clone(), at: now, withheld },
        }
    }
}

/// Records the first recipients.
async fn record_first(
    rows: &impl Rows,
    tenant: &impl TenantData,
    event: NotifiableEvent,
    policy: &Policy,
) -> Result<Recorded> {
    let at = PageRef::first(&event.id);
    let release_at = end_of_delay(&event, policy);
    let mut after: Option<UserId> = None;
    loop {
        let found = candidates(tenant, &event, after.as_ref()).await?;
        let now = rows.now();
        let state = initial_state(Some(policy), &event, at.generation(), now);
        let times = PageTimes { due: release_at.max(now), at: now };
        let mut first = RecipientPage::new(&found.users, policy.channels, state, times);
        if first.groups.is_empty() {
            match found.next {
                Some(next) => after = Some(next),
                None => return Ok(Recorded::Nobody),
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
        let is_first = rows.commit(vec![put(at.key(), &pending, None)?]).await?.is_written();
        if pending.gathering.is_some() || !is_first {
            record_missing(rows, tenant, &at.event_id, Some(policy)).await?;
        }
        let is_claimed = pending.first.has(|state| state.generation().is_some());
        return Ok(Recorded::Recipients { claimed: is_first && is_claimed });
    }
}

/// Sets the due time of a new page.
fn arm(page: &mut RecipientPage, release_at: Millis, now: Millis) {
    page.due = match page.has(|state| *state == ActivityState::Pending) {
        true => Some(release_at),
        false => page.has(|state| state.generation().is_some()).then_some(now + RETRY),
    };
}

async fn candidates(
    tenant: &impl TenantData,
    event: &NotifiableEvent,
    after: Option<&UserId>,
) -> Result<Candidates> {
    let found = tenant.recipients(event, after, PAGE).await?;
    if found.users.len() > PAGE {
        return Err(Error::internal("more recipients than were asked for"));
    }
    Ok(found)
}

/// Records the missing recipients, and returns the event.
pub(crate) async fn gather(
    rows: &impl Rows,
    tenant: &impl TenantData,
    event_id: &str,
) -> Result<Option<PendingEvent>> {
    record_missing(rows, tenant, event_id, None).await
}

async fn record_missing(
    rows: &impl Rows,
    tenant: &impl TenantData,
    event_id: &str,
    policy: Option<&Policy>,
) -> Result<Option<PendingEvent>> {
    let key = PageRef::first(event_id).key();
    let mut failures = 0;
    while failures < ATTEMPTS {
        let Some(TypedRow { body: mut event, version }) =
            load_row::<PendingEvent>(rows, &key).await?
        else {
            return Ok(None);
        };
        let Some(Gathering { after, .. }) = event.gathering.clone() else {
            return Ok(Some(event));
        };
        let page = PageRef { event_id: event_id.to_owned(), page: event.pages };
        // An existing page was recorded by the interrupted call, or concurrently.
        let next = match load_row::<Recipients>(rows, &page.key()).await? {
            Some(known) => {
                event.pages += 1;
                known.body.next
            }
            None => {
                let found = candidates(tenant, &event.event, Some(&after)).await?;
                let now = rows.now();
                let state = initial_state(policy, &event.event, page.generation(), now);
                let times = PageTimes { due: event.release_at, at: now };
                let mut recipients = RecipientPage::new(&found.users, event.channels, state, times);
                // The worker for the page publishes it.
                arm(&mut recipients, event.release_at, now);
                recipients.due = recipients.due.map(|due| due.min(event.release_at.max(now)));
                if !recipients.groups.is_empty() {
                    let hint = Hint { key: page.key(), at: event.release_at.max(now) };
                    let row = Recipients { page: recipients, next: found.next.clone() };
                    if !rows.commit(vec![put(page.key(), &row, None)?]).await?.is_written() {
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
        if !rows.commit(vec![put(key.clone(), &event, Some(version))?]).await?.is_written() {
            failures += 1;
        }
    }
    Err(Error::aborted())
}
