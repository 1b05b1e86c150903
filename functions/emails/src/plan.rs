//! The last look at a mail before it is sent: whether anybody is still to be told, of what, and how
//! (rules N4, N13).

use std::collections::BTreeMap;

use delivery::{
    Activity, Body, Channel, Mail, Reason, RowKey, Rows, SeenCheck, Suppressed, Verdict,
};
use mail::{Address, Letter};
use model::{
    Email,
    config::{EmailConfig, EmailType},
    notice::Contents,
};
use service::{Error, Job, Mail as RawMail, OrganizationStore, Result};

use crate::{feedback, letter, provider, row};

/// What is to become of a mail.
pub(crate) enum Plan {
    /// It is given up; why, in a word.
    Drop(&'static str),
    /// It is sent.
    Send(Box<Outgoing>),
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
    let (id, at) = (&mail.notification_id, mail.created_at);
    let contents = organization.contents(id, user_id, kept.iter().collect(), at).await?;
    let Some(contents) = contents else { return dropped(word(first)) };
    let Some(to) = contents.recipient.email.clone() else { return dropped("no_address") };
    let known = row::load::<Suppressed>(job, &feedback::suppressed(to.as_str())).await?;
    if let Some(known) = known {
        return dropped(word(known.body.reason));
    }
    let config = job.email_config().find(&()).await?.unwrap_or_default();
    let outgoing = Composer { job, key, mail, config, contents, to };
    let plan = outgoing.compose(&organization).await?;
    Ok((plan, withheld))
}

/// The activities that still go out by mail, and why the others do not.
async fn judged(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<(Vec<Activity>, Withheld)> {
    let RowKey::Mail { organization_id, user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let key = |event_id: &String| RowKey::Activity {
        organization_id: organization_id.clone(),
        user_id: user_id.clone(),
        event_id: event_id.clone(),
    };
    let keys: Vec<RowKey> = mail.event_ids.iter().map(key).collect();
    let mut activities = Vec::new();
    for stored in job.load(&keys).await?.into_iter().flatten() {
        activities.push(Activity::from_row(stored.row)?);
    }
    // Rows that are gone belonged to somebody or something that is.
    let gone = |id: &String| (id.clone(), Reason::Deleted);
    let mut withheld: Withheld = mail.event_ids.iter().map(gone).collect();
    let verdicts = organization.verdicts(user_id, &activities, SeenCheck::Ignored).await?;
    let mut kept = Vec::new();
    for (activity, verdict) in activities.into_iter().zip(verdicts) {
        let reason = match verdict {
            Verdict::Drop(reason) => Some(reason),
            Verdict::Keep { withheld } => withheld.get(&Channel::Email).copied(),
        };
        match reason {
            Some(reason) => {
                withheld.insert(activity.event_id.clone(), reason);
            }
            None => {
                withheld.remove(&activity.event_id);
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

struct Composer<'a> {
    job: &'a Job,
    key: &'a RowKey,
    mail: &'a Mail,
    config: EmailConfig,
    contents: Contents,
    to: Email,
}

impl Composer<'_> {
    async fn compose(self, organization: &OrganizationStore) -> Result<Plan> {
        let service = &self.config.email_service_config;
        let settings = self.job.mailing().settings();
        let Some(public_url) = settings.public_url.as_deref() else {
            return Ok(Plan::Drop("no_public_url"));
        };
        let by_provider = service.kind == Some(EmailType::Thirdparty);
        let own = service.from_email.clone().map(String::from);
        let own = own.and_then(|address| Email::try_from(address).ok());
        // SES sends for the operator's identities alone: whoever is configured gets the replies.
        let (from, reply_to) = match by_provider {
            true => (own, None),
            false => (settings.sender.clone(), own),
        };
        let Some(from) = from else { return Ok(Plan::Drop("no_sender")) };
        let tag = self.job.row_tag(self.key);
        let company = service.from_company.as_ref().map_or("", |company| company.as_str());
        let letter = letter::Frame {
            id: &tag,
            to: self.to.clone(),
            from,
            reply_to: reply_to.map(|email| Address { email, name: None }),
            company,
            public_url,
            keyring: self.job.mailing().keyring(),
            api_key: &self.job.api_key().id,
        };
        let letter = letter.around(&self.contents);
        let way = match by_provider {
            true => match self.by_provider(organization, &letter).await? {
                Ok(request) => Way::Provider(Box::new(request)),
                Err(why) => return Ok(Plan::Drop(why)),
            },
            false => match self.by_ses(&letter, &tag) {
                Some(raw) => Way::Ses(Box::new(raw)),
                None => return Ok(Plan::Drop("unsendable")),
            },
        };
        Ok(Plan::Send(Box::new(Outgoing { tag, attempt: self.mail.attempts, way })))
    }

    fn by_ses(&self, letter: &Letter, tag: &str) -> Option<RawMail> {
        let tags = [
            ("k", self.job.api_key().id.as_str().to_owned()),
            ("d", tag.to_owned()),
            ("a", self.mail.attempts.to_string()),
        ];
        Some(RawMail {
            from: letter.from.email.as_str().to_owned(),
            to: letter.to.email.as_str().to_owned(),
            raw: mail::compose(letter).ok()?,
            configuration_set: self.job.mailing().settings().configuration_set.clone(),
            tags: tags.map(|(name, value)| (name.to_owned(), value)).into(),
        })
    }

    async fn by_provider(
        &self,
        organization: &OrganizationStore,
        letter: &Letter,
    ) -> Result<std::result::Result<provider::Request, &'static str>> {
        let service = &self.config.email_service_config;
        let Some(base) = self.job.mailing().settings().provider_url.clone() else {
            return Ok(Err("no_provider"));
        };
        let key = service.api_key.clone().filter(|key| !key.expose().is_empty());
        let Some(key) = key else { return Ok(Err("no_provider_key")) };
        let is_about_them = matches!(letter.reason, mail::Reason::Mention | mail::Reason::Assign);
        let template = match is_about_them {
            true => service.tag_template_id.as_ref(),
            false => service.comment_template_id.as_ref(),
        };
        let template = template.map(|id| id.as_str()).filter(|id| !id.is_empty());
        let properties = match template {
            Some(_) => letter::properties(self.job, organization, &self.contents).await?,
            None => None,
        };
        // A template tells of one thread; several are shown by our own page.
        let template = template.filter(|_| properties.is_some());
        let options = mail::provider::Options { attempt: self.mail.attempts, sandbox: false };
        let properties = properties.unwrap_or_default();
        let body = mail::provider::request(letter, options, template, properties);
        Ok(body.map(|body| provider::Request { base, key, body }).map_err(|_| "unsendable"))
    }
}
