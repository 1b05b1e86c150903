//! The last checks before a mail is sent: recipient, content and transport (rules N4, N13).

use model::Millis;
use notification::{Mail, Reason, RowKey, Rows, Suppressed};
use service::{Error, Job, Result, prelude::*};

use crate::{
    compose::Composer,
    feedback, limits, optout,
    outgoing::{Outgoing, Way},
    remaining::{Remaining, Withheld, remaining_of},
    row, topic,
};

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
        && let Some(to) = &contents.recipient.email
        && optout::apply(job.tenant(), &organization, contents, to).await?
    {
        remaining = remaining_of(job, &organization, key, mail).await?;
    }
    let Remaining { contents, withheld } = remaining;
    let first = withheld.values().min().copied().unwrap_or(Reason::Deleted);
    let dropped = |reason| Ok(Decision { plan: Plan::Drop(reason), withheld: withheld.clone() });
    let Some(contents) = contents else { return dropped(first) };
    let Some(to) = contents.recipient.email.clone() else { return dropped(Reason::NoAddress) };
    let known = row::load::<Suppressed>(job, &feedback::suppressed(to.as_str())).await?;
    if let Some(known) = known {
        return dropped(known.body.reason);
    }
    let config = job.tenant().configurations().email().find().await?.unwrap_or_default();
    let topic = topic::of(job, &contents).await?;
    let outgoing = Composer { job, key, mail, config, contents: &contents, topic, to: to.clone() };
    let plan = outgoing.compose(&organization).await?;
    if let (Plan::Send(_), false) = (&plan, mail.has_slot) {
        match limits::slot(job, &to).await? {
            Some(at) if at > Rows::now(job) => {
                return Ok(Decision { plan: Plan::Wait(at), withheld });
            }
            Some(_) => {}
            None => return dropped(Reason::DailyLimit),
        }
    }
    if plan.is_ours() && !limits::count(job, contents.end_users()).await? {
        return dropped(Reason::DailyLimit);
    }
    Ok(Decision { plan, withheld })
}
