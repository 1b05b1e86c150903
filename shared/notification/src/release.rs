//! The end of the delay (rules N6, N7): into the windows, or delivered at once. A page at a time.

pub(crate) mod intake;

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::{Millis, UserId};

use intake::gather;

use crate::{
    ATTEMPTS, Activity, ActivityState, BatchLimits, Eligibility, PageRef, RETRY, RecipientGroup,
    RecipientPage, Rows, SeenCheck, TenantData,
    notice::Notice,
    page::{LoadedPage, load_page},
    publish::publish,
    rows::is_early,
    windows::{
        digests::{Decided, PageRecipient, decide, delivered_state},
        joining::{WindowPlace, join},
    },
};

/// Releases recipients of an event. `claimed` says whether the caller has just claimed the page.
pub(crate) async fn release(
    rows: &impl Rows,
    tenant: &impl TenantData,
    at: &PageRef,
    mut claimed: bool,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(loaded) = load_page(rows, at).await? else { return Ok(()) };
        if at.page == 0 && loaded.event.gathering.is_some() {
            gather(rows, tenant, &at.event_id).await?;
            continue;
        }
        let Some(due) = loaded.page().due else { return Ok(()) };
        let is_pending = loaded.page().has(|state| *state == ActivityState::Pending);
        let is_leased = !is_pending && !claimed && rows.now() < due;
        if is_leased || (is_pending && is_early(rows, &at.key(), due).await?) {
            return Ok(());
        }
        let is_done = match is_pending {
            true => {
                let forwarded = forward(rows, tenant, loaded).await?;
                claimed = forwarded == Forwarded::Claimed;
                forwarded == Forwarded::Done
            }
            false => deliver(rows, tenant, loaded).await?,
        };
        if is_done {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// Outcome for the pending recipients of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forwarded {
    /// The page has claimed some of them, and delivers to them.
    Claimed,
    /// All recipients wait in windows, or are dropped.
    Done,
    /// The page changed meanwhile.
    Conflict,
}

/// Joins the windows of every enabled scope, or claims for the page itself.
async fn forward(
    rows: &impl Rows,
    tenant: &impl TenantData,
    mut loaded: LoadedPage,
) -> Result<Forwarded> {
    let pending = loaded.activities(|_, state| *state == ActivityState::Pending);
    let (event, at) = (loaded.event.clone(), loaded.at.clone());
    let limits = match event.event.is_batchable() {
        true => tenant.batching().await?,
        false => BatchLimits::default(),
    };
    let is_batched = limits != BatchLimits::default();
    let decided = match (event.delayed, is_batched) {
        (true, _) => decide(tenant, pending.clone(), SeenCheck::Counts).await?,
        (false, false) => decide(tenant, pending.clone(), SeenCheck::Ignored).await?,
        // The window decides about it.
        (false, true) => Decided::new(),
    };
    let eligibility =
        |user: &UserId| decided.get(&PageRecipient { page: at.clone(), user_id: user.clone() });
    let ended = |user: &UserId| match eligibility(user) {
        Some(Eligibility::Ineligible(reason)) if reason.is_final_at_due() => Some(*reason),
        _ => None,
    };
    let mut until = BTreeMap::new();
    if is_batched {
        let left =
            pending.iter().map(|activity| &activity.user_id).filter(|user| ended(user).is_none());
        let left: BTreeSet<UserId> = left.cloned().collect();
        until = batch(rows, &pending, &at, left, limits).await?;
    }
    let now = rows.now();
    let generation = at.generation();
    let change = |user: &UserId, group: &RecipientGroup| {
        if group.state != ActivityState::Pending {
            return None;
        }
        match (ended(user), until.get(user)) {
            (Some(reason), _) => Some(ActivityState::dropped(group.allowed, reason, now)),
            (None, Some(until)) => Some(ActivityState::Batched { until: *until }),
            (None, None) => {
                Some(RecipientPage::decided(group.allowed, eligibility(user)?, &generation, now))
            }
        }
    };
    let page = loaded.page_mut();
    page.change(now, change);
    let is_claimed = page.has(|state| state.generation() == Some(&generation));
    page.due = is_claimed.then_some(now + RETRY);
    Ok(match loaded.save(rows).await? {
        true if is_claimed => Forwarded::Claimed,
        true => Forwarded::Done,
        false => Forwarded::Conflict,
    })
}

/// Joins the windows of every enabled scope: a recipient in one of them is in all of them, because
/// the state changes to batched afterwards.
async fn batch(
    rows: &impl Rows,
    pending: &[Activity],
    at: &PageRef,
    users: BTreeSet<UserId>,
    limits: BatchLimits,
) -> Result<BTreeMap<UserId, Millis>> {
    let mut until: BTreeMap<UserId, Millis> = BTreeMap::new();
    let Some(first) = pending.first().filter(|_| !users.is_empty()) else { return Ok(until) };
    let organization_id = first.organization_id.clone();
    let by_document = WindowPlace {
        organization_id: organization_id.clone(),
        document_id: Some(first.document_id.clone()),
    };
    let by_user = WindowPlace { organization_id, document_id: None };
    for (limits, place) in [(limits.document, by_document), (limits.user, by_user)] {
        let Some(limits) = limits else { continue };
        for end in join(rows, &place, users.clone(), at, limits).await? {
            let known = until.entry(end.user_id).or_insert(end.at);
            *known = (*known).min(end.at);
        }
    }
    Ok(until)
}

/// Publishes the activities that the page claimed; true when done.
pub(crate) async fn deliver(
    rows: &impl Rows,
    tenant: &impl TenantData,
    mut loaded: LoadedPage,
) -> Result<bool> {
    let generation = loaded.at.generation();
    let claimed = loaded.activities(|_, state| {
        matches!(state, ActivityState::Claimed { .. }) && state.generation() == Some(&generation)
    });
    let notices = Notice::of_claimed(&generation, claimed, None);
    let ids = publish(rows, tenant, &notices).await?;
    let page = loaded.page_mut();
    let is_own = |group: &RecipientGroup| group.state.generation() == Some(&generation);
    page.change(rows.now(), |user, group| match is_own(group) {
        true => delivered_state(&group.state, ids.get(user)?),
        false => None,
    });
    page.due = None;
    loaded.save(rows).await
}
