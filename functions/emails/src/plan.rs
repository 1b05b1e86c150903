//! The last checks before a mail is sent: recipient, content and transport (rules N4, N13).

use std::collections::BTreeMap;

use model::{Millis, notice::Contents};
use notification::{
    Activity, Channel, Eligibility, Mail, Reason, RowKey, Rows, SeenCheck, Suppressed,
    activities_of,
};
use service::{
    Error, Job, Mail as RawMail, OrganizationStore, PublishedNotice, Result, prelude::*,
};

use crate::{compose::Composer, feedback, limits, optout, provider, row, topic};

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

/// A mail as it is sent.
pub(crate) struct Outgoing {
    /// Tag of the mail, the same for all attempts.
    pub(crate) tag: String,
    /// The number of the attempt.
    pub(crate) attempt: u32,
    /// The transport.
    pub(crate) way: Way,
}

/// The transport of a mail.
pub(crate) enum Way {
    Ses(Box<RawMail>),
    /// The provider of the tenant.
    Provider(Box<provider::Request>),
}

/// Withheld events with their reasons.
type Withheld = BTreeMap<String, Reason>;

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
    let mut left = left_of(job, &organization, key, mail).await?;
    if let Some(contents) = &left.contents
        && let Some(to) = &contents.recipient.email
        && optout::apply(job.tenant(), &organization, contents, to).await?
    {
        left = left_of(job, &organization, key, mail).await?;
    }
    let Left { contents, withheld } = left;
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

/// What is left of a mail.
struct Left {
    /// The content with its recipient; none when no event is left.
    contents: Option<Contents>,
    /// The reasons for withholding the other events.
    withheld: Withheld,
}

async fn left_of(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<Left> {
    let RowKey::Mail { user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let Judged { kept, withheld } = judge(job, organization, key, mail).await?;
    let published = PublishedNotice { id: &mail.notification_id, at: mail.created_at };
    let contents = organization.notifications().contents(user_id, &kept, published).await?;
    Ok(Left { contents, withheld })
}

/// The activities of a mail after the last check.
struct Judged {
    /// Those that may still be sent.
    kept: Vec<Activity>,
    /// The reasons for withholding the others.
    withheld: Withheld,
}

async fn judge(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<Judged> {
    let RowKey::Mail { user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let activities = activities_of(job, user_id, &mail.pages).await?;
    // A missing row means that its user or resource was deleted.
    let gone = |id: &String| (id.clone(), Reason::Deleted);
    let mut withheld: Withheld = mail.event_ids().map(gone).collect();
    let eligibility =
        organization.notifications().eligibility(&activities, SeenCheck::Ignored).await?;
    let mut kept = Vec::new();
    for (activity, eligibility) in activities.into_iter().zip(eligibility) {
        let reason = match eligibility {
            Eligibility::Ineligible(reason) => Some(reason),
            Eligibility::Eligible { withheld } => withheld.get(&Channel::Email).copied(),
        };
        match reason {
            Some(reason) => {
                withheld.insert(activity.event_id().to_owned(), reason);
            }
            None => {
                withheld.remove(activity.event_id());
                kept.push(activity);
            }
        }
    }
    Ok(Judged { kept, withheld })
}
