//! The last checks before a mail is sent: recipient, content and transport (rules N4, N13).

use std::collections::BTreeMap;

use delivery::{
    Activity, Channel, Eligibility, Mail, Reason, RowKey, SeenCheck, Suppressed, activities_of,
};
use service::{Error, Job, Mail as RawMail, OrganizationStore, Result};

use crate::{compose::Composer, feedback, provider, row, topic};

/// The decision about a mail.
pub(crate) enum Plan {
    /// Drop it, with the reason in a word.
    Drop(&'static str),
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
    /// SES.
    Ses(Box<RawMail>),
    /// The provider of the tenant.
    Provider(Box<provider::Request>),
}

/// Withheld events with their reasons.
type Withheld = BTreeMap<String, Reason>;

/// Decides about a mail.
pub(crate) async fn plan(job: &Job, key: &RowKey, mail: &Mail) -> Result<(Plan, Withheld)> {
    let RowKey::Mail { organization_id, user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let organization = job.organization(organization_id);
    let (kept, withheld) = judged(job, &organization, key, mail).await?;
    let first = withheld.values().min().copied().unwrap_or(Reason::Deleted);
    let dropped = |why| Ok((Plan::Drop(why), withheld.clone()));
    let contents =
        organization.contents(user_id, &kept, (&mail.notification_id, mail.created_at)).await?;
    let Some(contents) = contents else { return dropped(word(first)) };
    let Some(to) = contents.recipient.email.clone() else { return dropped("no_address") };
    let known = row::load::<Suppressed>(job, &feedback::suppressed(to.as_str())).await?;
    if let Some(known) = known {
        return dropped(word(known.body.reason));
    }
    let config = job.email_config().find(&()).await?.unwrap_or_default();
    let topic = topic::of(job, &contents).await?;
    let outgoing = Composer { job, key, mail, config, contents, topic, to };
    let plan = outgoing.compose(&organization).await?;
    if plan.is_ours() && !job.account().count_mail(job.mails_per_day()).await? {
        return dropped("daily_limit");
    }
    Ok((plan, withheld))
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
    let eligibility = organization.eligibility(&activities, SeenCheck::Ignored).await?;
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

const fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::Deleted => "deleted",
        Reason::NoAccess => "no_access",
        Reason::Seen => "seen",
        Reason::ServiceOff => "service_off",
        Reason::TriggerOff => "trigger_off",
        Reason::Muted => "muted",
        Reason::Suppressed => "suppressed",
        Reason::Bounced => "bounced",
    }
}
