//! The last checks before a mail is sent: recipient, content and transport (rules N4, N13).

use std::collections::BTreeMap;

use model::{Email, Millis, notice::Contents};
use notification::{
    Activity, Channel, Eligibility, Mail, Reason, RowKey, Rows, SeenCheck, Suppressed,
    activities_of,
};
use service::{Error, Job, Mail as RawMail, OrganizationStore, Result, prelude::*};

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

/// Decides about a mail.
pub(crate) async fn plan(job: &Job, key: &RowKey, mail: &Mail) -> Result<(Plan, Withheld)> {
    let RowKey::Mail { organization_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let organization = job.organization(organization_id);
    let (mut found, mut withheld) = found(job, &organization, key, mail).await?;
    if let Some((contents, Some(to))) = &found
        && optout::apply(job, &organization, contents, to).await?
    {
        (found, withheld) = self::found(job, &organization, key, mail).await?;
    }
    let first = withheld.values().min().copied().unwrap_or(Reason::Deleted);
    let dropped = |why| Ok((Plan::Drop(why), withheld.clone()));
    let Some((contents, to)) = found else { return dropped(first) };
    let Some(to) = to else { return dropped(Reason::NoAddress) };
    let known = row::load::<Suppressed>(job, &feedback::suppressed(to.as_str())).await?;
    if let Some(known) = known {
        return dropped(known.body.reason);
    }
    let config = job.configurations().email().find().await?.unwrap_or_default();
    let topic = topic::of(job, &contents).await?;
    let outgoing = Composer { job, key, mail, config, contents: &contents, topic, to: to.clone() };
    let plan = outgoing.compose(&organization).await?;
    if let (Plan::Send(_), false) = (&plan, mail.has_slot) {
        match limits::slot(job, &to).await? {
            Some(at) if at > Rows::now(job) => return Ok((Plan::Wait(at), withheld)),
            Some(_) => {}
            None => return dropped(Reason::DailyLimit),
        }
    }
    if plan.is_ours() && !limits::count(job, contents.end_users()).await? {
        return dropped(Reason::DailyLimit);
    }
    Ok((plan, withheld))
}

/// The content of a mail and the address of its recipient, as far as they are left, and the reasons
/// for withholding the rest.
async fn found(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<(Option<(Contents, Option<Email>)>, Withheld)> {
    let RowKey::Mail { user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let (kept, withheld) = judged(job, organization, key, mail).await?;
    let published = (mail.notification_id.as_str(), mail.created_at);
    let contents = organization.notifications().contents(user_id, &kept, published).await?;
    let found = contents.map(|contents| {
        let to = contents.recipient.email.clone();
        (contents, to)
    });
    Ok((found, withheld))
}

/// The activities that may still be sent, and the reasons for withholding the others.
async fn judged(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<(Vec<Activity>, Withheld)> {
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
    Ok((kept, withheld))
}
