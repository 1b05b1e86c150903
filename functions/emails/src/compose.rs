//! A mail as sent: sender, transport, and what its letter says besides the events.

use mail::{Address, Letter};
use model::{
    Email,
    configuration::{EmailConfig, Mailer, NoMailer, Use},
    event::EventType,
    notice::{Contents, NoticeEntry},
    user::Person,
};
use notification::{Mail, Reason, RowKey, Topic, change_row};
use serde_json::Value;
use service::{Mail as RawMail, OrganizationStore, prelude::*};

use crate::{
    letter,
    outgoing::{Outgoing, Way},
    plan::Plan,
    provider::Draft,
};

/// The inputs of a mail.
pub(crate) struct Composer<'a> {
    pub(crate) job: &'a Job,
    pub(crate) key: &'a RowKey,
    pub(crate) mail: &'a Mail,
    pub(crate) config: EmailConfig,
    pub(crate) contents: &'a Contents,
    pub(crate) to: Email,
}

impl Composer<'_> {
    pub(crate) async fn compose(self, organization: &OrganizationStore) -> Result<Plan> {
        let topic = self.topic().await?;
        let service = &self.config.email_service_config;
        let settings = self.job.mailing().settings();
        let Some(public_url) = settings.public_url.as_deref() else {
            return Ok(Plan::Drop(Reason::NoPublicUrl));
        };
        let mailer = match Mailer::of(&self.config) {
            Ok(mailer) => mailer,
            Err(NoMailer::Key) => return Ok(Plan::Drop(Reason::NoProviderKey)),
            Err(NoMailer::Address) => return Ok(Plan::Drop(Reason::NoSender)),
        };
        // SES sends only for the operator's identities, so the configured sender becomes the reply
        // address.
        let (from, reply_to, provider_key) = match mailer {
            Mailer::Off => return Ok(Plan::Drop(Reason::ServiceOff)),
            Mailer::Deployment { reply_to } => (settings.sender.clone(), reply_to, None),
            Mailer::Provider { api_key, from } => (Some(from), None, Some(api_key)),
        };
        let Some(from) = from else { return Ok(Plan::Drop(Reason::NoSender)) };
        let tag = self.job.tenant().schedule().row_tag(self.key);
        let company = service.from_company.as_ref().map_or("", |company| company.as_str());
        let letter = letter::Frame {
            id: &tag,
            topic: topic.as_deref(),
            reason: reason_for(self.contents),
            to: self.to.clone(),
            from,
            reply_to: reply_to.map(|email| Address { email, name: None }),
            company,
            public_url,
            keyring: self.job.mailing().keyring(),
            api_key: &self.job.tenant().api_key().id,
        };
        let letter = letter.around(self.contents);
        let way = match provider_key {
            Some(key) => {
                let (contents, attempt) = (self.contents, self.mail.attempts);
                let draft = Draft { key, service, contents, letter: &letter, attempt };
                match draft.request(self.job, organization).await? {
                    Ok(request) => Way::Provider(Box::new(request)),
                    Err(reason) => return Ok(Plan::Drop(reason)),
                }
            }
            None => match self.ses_mail(&letter, &tag) {
                Some(raw) => Way::Ses(Box::new(raw)),
                None => return Ok(Plan::Drop(Reason::Unsendable)),
            },
        };
        Ok(Plan::Send(Box::new(Outgoing { tag, attempt: self.mail.attempts, way })))
    }

    /// The document name in the subject of a mail about a single thread, the same in every mail
    /// about the thread to one recipient; none for other mails.
    async fn topic(&self) -> Result<Option<String>> {
        let contents = self.contents;
        let [only] = contents.entries.as_slice() else { return Ok(None) };
        let Some(annotation_id) = only.annotation_id.clone().filter(|_| only.own.is_none()) else {
            return Ok(None);
        };
        let key = RowKey::Topic {
            organization_id: contents.organization_id.clone(),
            user_id: contents.recipient.user_id.clone(),
            document_id: only.document_id.clone(),
            annotation_id,
        };
        let topic = Topic { document_name: only.document_name.clone(), at: contents.at };
        let mut name = None;
        change_row(self.job, &key, |known: Option<Topic>| {
            let is_new = known.is_none();
            name = Some(known.unwrap_or_else(|| topic.clone()).document_name);
            is_new.then(|| topic.clone())
        })
        .await?;
        Ok(name)
    }

    fn ses_mail(&self, letter: &Letter, tag: &str) -> Option<RawMail> {
        let tags = [
            ("k", self.job.tenant().api_key().id.as_str().to_owned()),
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
}

/// The strongest reason why the recipient gets a mail.
fn reason_for(contents: &Contents) -> mail::Reason {
    let entries = contents.entries.as_slice();
    let any = |is: &dyn Fn(&NoticeEntry) -> bool| entries.iter().any(is);
    if any(&|entry| entry.is_mention) {
        mail::Reason::Mention
    } else if any(&|entry| is_assignment(entry, &contents.recipient)) {
        mail::Reason::Assign
    } else if any(&|entry| entry.own.is_some()) {
        mail::Reason::Custom
    } else if any(&|entry| entry.is_direct && !entry.is_subscriber) {
        mail::Reason::Reply
    } else if any(&|entry| entry.is_direct) {
        mail::Reason::Subscribed
    } else {
        mail::Reason::All
    }
}

fn is_assignment(entry: &NoticeEntry, recipient: &Person) -> bool {
    let assignee = entry.values.get("assignee").and_then(|assignee| assignee.get("userId"));
    entry.kind == EventType::AnnotationAssign
        && assignee.and_then(Value::as_str) == Some(recipient.user_id.as_str())
}
