//! The last look at a mail before it is sent: whether anybody is still to be told, of what, and how
//! (rules N4, N13).

use std::collections::BTreeMap;

use delivery::{
    Activity, Channel, Eligibility, Mail, Reason, RowKey, SeenCheck, Suppressed, activities_of,
};
use service::{Error, Job, Mail as RawMail, OrganizationStore, Result};

use crate::{compose::Composer, feedback, provider, row, topic};

/// What is to become of a mail.
pub(crate) enum Plan {
    /// It is given up; why, in a word.
    Drop(&'static str),
    /// It is sent.
    Send(Box<Outgoing>),
}

impl Plan {
    /// Whether the deployment sends it, in its own name.
    fn is_ours(&self) -> bool {
        matches!(self, Self::Send(mail) if matches!(mail.way, Way::Ses(_)))
    }
}

/// A mail as it is sent.
pub(crate) struct Outgoing {
    /// Its tag, the same for all attempts.
    pub(crate) tag: String,
    /// The number of the attempt.
    pub(crate) attempt: u32,
    /// How.
    pub(crate) way: Way,
}

/// How a mail is sent.
pub(crate) enum Way {
    /// By SES.
    Ses(Box<RawMail>),
    /// By the provider that the tenant has a key of.
    Provider(Box<provider::Request>),
}

/// Events that are left out, each with the reason.
type Withheld = BTreeMap<String, Reason>;

/// What is to become of a mail now.
pub(crate) async fn plan(job: &Job, key: &RowKey, mail: &Mail) -> Result<(Plan, Withheld)> {
    let RowKey::Mail { organization_id, user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let organization = job.organization(organization_id);
    let (kept, withheld) = judged(job, &organization, key, mail).await?;
    let first = withheld.values().min().copied().unwrap_or(Reason::Deleted);
    let dropped = |why| Ok((Plan::Drop(why), withheld.clone()));
    let contents = organization.contents(user_id, &kept, mail.created_at).await?;
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

/// The activities that still go out by mail, and why the others do not.
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
    // Rows that are gone belonged to somebody or something that is.
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
