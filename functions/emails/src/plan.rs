//! The last checks before a mail is sent: recipient, content, transport and limits (rules N4, N13).

use std::collections::BTreeSet;

use model::{Email, Millis};
use notification::{Mail, Reason, RowKey, Rows, Slots, Suppressed, change_row, load_row};
use service::prelude::*;

use crate::{
    compose::Composer,
    feedback, optout,
    outgoing::{Outgoing, Way},
    remaining::{Remaining, Withheld, remaining_of},
};

/// Each end user may cause this part of the mails of a day. The same part is only for the tenant's
/// server, so that its mails are sent (decision 85).
const PART: u64 = 10;
/// The counter of an account.
const MAILS: &str = "mails";

/// The decision about a mail.
pub(crate) enum Plan {
    /// Drop it.
    Drop(Reason),
    /// Send it later.
    Wait(Millis),
    /// Send it.
    Send(Box<Outgoing>),
}

impl Plan {
    /// Whether the deployment sends it in its own name.
    fn is_ours(&self) -> bool {
        matches!(self, Self::Send(mail) if matches!(mail.way, Way::Ses(_)))
    }
}

/// The decision about a mail, and about its events.
pub(crate) struct Decision {
    pub(crate) plan: Plan,
    pub(crate) withheld: Withheld,
}

/// Decides about a mail.
pub(crate) async fn plan(job: &Job, key: &RowKey, mail: &Mail) -> Result<Decision> {
    let RowKey::Mail { organization_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let organization = job.organization(organization_id);
    let mut remaining = remaining_of(job, &organization, key, mail).await?;
    if let Some(contents) = &remaining.contents
        && let Some(to) = contents.recipient.address()
        && optout::apply(job.tenant(), &organization, contents, &to).await?
    {
        remaining = remaining_of(job, &organization, key, mail).await?;
    }
    let Remaining { contents, withheld } = remaining;
    let first = withheld.values().min().copied().unwrap_or(Reason::Deleted);
    let dropped = |reason| Ok(Decision { plan: Plan::Drop(reason), withheld: withheld.clone() });
    let Some(contents) = contents else { return dropped(first) };
    let Some(to) = contents.recipient.address() else { return dropped(Reason::NoAddress) };
    let known = load_row::<Suppressed>(job, &feedback::suppressed(to.as_str())).await?;
    if let Some(known) = known {
        return dropped(known.body.reason);
    }
    let config = job.tenant().configuration().email().find().await?.unwrap_or_default();
    let outgoing = Composer { job, key, mail, config, contents: &contents, to: to.clone() };
    let plan = outgoing.compose(&organization).await?;
    if let (Plan::Send(_), false) = (&plan, mail.has_slot) {
        match take_slot(job, &to).await? {
            Some(at) if at > Rows::now(job) => {
                return Ok(Decision { plan: Plan::Wait(at), withheld });
            }
            Some(_) => {}
            None => return dropped(Reason::DailyLimit),
        }
    }
    if plan.is_ours() && !count_today(job, contents.end_users()).await? {
        return dropped(Reason::DailyLimit);
    }
    Ok(Decision { plan, withheld })
}

/// Takes a slot among the mails to an address; returns its time, none when those of a day are taken.
async fn take_slot(job: &Job, to: &Email) -> Result<Option<Millis>> {
    let key = RowKey::Slots { address: to.as_str().to_lowercase() };
    let (now, mut at) = (Rows::now(job), None);
    change_row(job, &key, |known: Option<Slots>| {
        let taken = Slots::take(known, now)?;
        at = Some(taken.at);
        Some(taken.slots)
    })
    .await?;
    Ok(at)
}

/// Counts a mail of today; false when the limit of its end users, or of all, is reached.
async fn count_today(job: &Job, end_users: BTreeSet<&UserId>) -> Result<bool> {
    let (account, max) = (job.tenant().account(), job.mails_per_day());
    let Some(limit) = max.filter(|_| !end_users.is_empty()) else {
        return account.try_count_today(MAILS, None, max).await;
    };
    for user in end_users {
        if account.try_count_today(MAILS, Some(user), Some((limit / PART).max(1))).await? {
            return account.try_count_today(MAILS, None, Some(limit - limit / PART)).await;
        }
    }
    Ok(false)
}
