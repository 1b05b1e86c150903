//! After the delay: the seen check, then windows or out at once (rules N7 to N11).

use error::{Error, Result};
use futures_util::future::join_all;
use model::Millis;

use crate::{
    ATTEMPTS, Activity, ActivityState, Audience, Change, Digest, HeldState, Limits, Reason, RowKey,
    Rows, SeenCheck, Verdict, Window, WindowLimits, World,
    close::closed,
    deliver::deliver,
    intake::gather,
    typed::{Body, Read, load_one, put, read},
    window::join,
};

/// How many recipients are released at the same time.
const PARALLEL: usize = 8;

/// Wakes an event.
pub(crate) async fn release(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    let Some(held) = gather(rows, world, key).await? else { return Ok(()) };
    if matches!(held.body.state, HeldState::Done { .. })
        || is_early(rows, key, held.body.release_at).await?
    {
        return Ok(());
    }
    release_page(rows, world, &held.body.first_page(), &held.body.event.id).await?;
    let done = held.body.done(rows.now());
    // Whoever was faster has released the same recipients.
    rows.commit(vec![put(key.clone(), &done, Some(held.version))?]).await.map(drop)
}

/// Wakes further recipients of an event.
pub(crate) async fn release_further(
    rows: &impl Rows,
    world: &impl World,
    key: &RowKey,
    event_id: &str,
) -> Result<()> {
    let Some(page) = load_one::<Audience>(rows, key).await? else { return Ok(()) };
    if page.body.done.is_some() || is_early(rows, key, page.body.release_at).await? {
        return Ok(());
    }
    release_page(rows, world, &page.body, event_id).await?;
    let done = Audience { done: Some(rows.now()), ..page.body };
    rows.commit(vec![put(key.clone(), &done, Some(page.version))?]).await.map(drop)
}

/// Whether it is too early by the clock of this machine; then a later hint is asked for (N18).
pub(crate) async fn is_early(rows: &impl Rows, key: &RowKey, due: Millis) -> Result<bool> {
    if rows.now() >= due {
        return Ok(false);
    }
    rows.wake(vec![(key.clone(), due)]).await?;
    Ok(true)
}

/// Releases recipients; the failure of one does not keep the others.
async fn release_page(
    rows: &impl Rows,
    world: &impl World,
    page: &Audience,
    event_id: &str,
) -> Result<()> {
    let key = |user_id: &_| RowKey::Activity {
        organization_id: page.organization_id.clone(),
        user_id: Clone::clone(user_id),
        event_id: event_id.to_owned(),
    };
    let keys: Vec<RowKey> = page.users.iter().map(key).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let found = rows.load(&keys).await?;
    let mut activities = Vec::new();
    for stored in found {
        activities.extend(read::<Activity>(stored)?);
    }
    let mut outcome = Ok(());
    while !activities.is_empty() {
        let rest = activities.split_off(activities.len().min(PARALLEL));
        let released = activities.into_iter().map(|it| release_one(rows, world, it, page.delayed));
        outcome = join_all(released).await.into_iter().fold(outcome, Result::and);
        activities = rest;
    }
    outcome
}

async fn release_one(
    rows: &impl Rows,
    world: &impl World,
    mut activity: Read<Activity>,
    delayed: bool,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        if activity.body.state != ActivityState::Held {
            return Ok(());
        }
        let verdict = if delayed {
            Some(judge(world, &activity.body, SeenCheck::Counts).await?)
        } else {
            None
        };
        let is_released = match verdict {
            Some(Verdict::Drop(reason)) if reason.is_final_at_due() => {
                end(rows, &activity, reason).await?
            }
            verdict => forward(rows, world, &activity, verdict).await?,
        };
        if is_released {
            return Ok(());
        }
        let key = activity.body.key();
        let Some(again) = load_one::<Activity>(rows, &key).await? else { return Ok(()) };
        activity = again;
    }
    Err(Error::aborted())
}

async fn judge(world: &impl World, activity: &Activity, seen: SeenCheck) -> Result<Verdict> {
    let (organization, user) = (&activity.organization_id, &activity.user_id);
    let only = std::slice::from_ref(activity);
    let verdict = world.verdicts(organization, user, only, seen).await?.pop();
    verdict.ok_or_else(|| Error::internal("no verdict on an activity"))
}

async fn end(rows: &impl Rows, activity: &Read<Activity>, reason: Reason) -> Result<bool> {
    let dropped = activity.body.clone().dropped(reason, rows.now());
    rows.commit(vec![put(dropped.key(), &dropped, Some(activity.version.clone()))?]).await
}

/// Into the windows of every enabled scope, else out at once; false when somebody was faster.
async fn forward(
    rows: &impl Rows,
    world: &impl World,
    activity: &Read<Activity>,
    verdict: Option<Verdict>,
) -> Result<bool> {
    if activity.body.is_batchable() {
        let limits = world.batching().await?;
        if limits != Limits::default() {
            return batch(rows, activity, limits).await;
        }
    }
    let verdict = match verdict {
        Some(verdict) => verdict,
        None => judge(world, &activity.body, SeenCheck::Ignored).await?,
    };
    let Activity { organization_id, user_id, event_id, .. } = &activity.body;
    let now = rows.now();
    let judged = vec![(activity.body.clone(), verdict)];
    let (digest, activities) = Digest::of_one(event_id, now).claim(judged, now);
    let key = RowKey::Digest {
        organization_id: organization_id.clone(),
        user_id: user_id.clone(),
        generation: digest.generation.clone(),
    };
    let mut changes = Vec::new();
    for it in &activities {
        changes.push(put(it.key(), it, Some(activity.version.clone()))?);
    }
    let is_out = digest.due().is_some();
    if is_out {
        changes.push(put(key.clone(), &digest, None)?);
    }
    if !rows.commit(changes).await? {
        return Ok(false);
    }
    if is_out {
        deliver(rows, world, &key).await?;
    }
    Ok(true)
}

/// Joins the windows of every enabled scope, all in one commit: an activity that is in one of them
/// is in all of them, once.
async fn batch(rows: &impl Rows, activity: &Read<Activity>, limits: Limits) -> Result<bool> {
    let document = limits.document.map(|it| (it, Some(activity.body.document_id.clone())));
    let user = limits.user.map(|it| (it, None));
    let scopes: Vec<(WindowLimits, RowKey)> = document
        .into_iter()
        .chain(user)
        .map(|(limits, document_id)| {
            let organization_id = activity.body.organization_id.clone();
            let user_id = activity.body.user_id.clone();
            (limits, RowKey::Window { organization_id, user_id, document_id })
        })
        .collect();
    let keys: Vec<RowKey> = scopes.iter().map(|(_, key)| key.clone()).collect();
    let found = rows.load(&keys).await?;
    let now = rows.now();
    let mut plan = Plan { changes: Vec::new(), hints: Vec::new(), until: Millis::MAX };
    for ((limits, key), stored) in scopes.into_iter().zip(found) {
        let generation = rows.new_id();
        plan.join(key, read(stored)?, &activity.body.event_id, (limits, generation), now)?;
    }
    let batched = activity.body.clone().batched(plan.until);
    plan.changes.push(put(batched.key(), &batched, Some(activity.version.clone()))?);
    if !rows.commit(plan.changes).await? {
        return Ok(false);
    }
    if !plan.hints.is_empty() {
        // The sweep finds what is due, too.
        let _ = rows.wake(plan.hints).await;
    }
    Ok(true)
}

struct Plan {
    changes: Vec<Change>,
    hints: Vec<(RowKey, Millis)>,
    until: Millis,
}

impl Plan {
    fn join(
        &mut self,
        key: RowKey,
        open: Option<Read<Window>>,
        event_id: &str,
        (limits, generation): (WindowLimits, String),
        now: Millis,
    ) -> Result<()> {
        let (body, seen) = open.map(|it| (it.body, it.version)).unzip();
        let before: Option<String> = body.as_ref().map(|it: &Window| it.generation.clone());
        let joined = join(body, event_id, limits, generation, now);
        self.until = self.until.min(joined.until);
        for (window, reason) in joined.closed {
            let (key, digest) = closed(&key, window, reason, now)?;
            self.changes.push(put(key.clone(), &digest, None)?);
            self.hints.push((key, now));
        }
        match (joined.open, seen) {
            (Some(window), seen) => {
                if before.as_ref() != Some(&window.generation) {
                    self.hints.push((key.clone(), window.closes_at));
                }
                self.changes.push(put(key, &window, seen)?);
            }
            (None, Some(seen)) => self.changes.push(Change::Delete { key, seen }),
            (None, None) => {}
        }
        Ok(())
    }
}
