//! A mail as sent: sender, transport and content.

use mail::{Address, Letter};
use model::{
    Email,
    config::{EmailConfig, EmailType},
    notice::Contents,
};
use notification::{Mail, Reason, RowKey};
use service::{Job, Mail as RawMail, OrganizationStore, Result, prelude::*};

use crate::{
    letter,
    outgoing::{Outgoing, Way},
    plan::Plan,
    properties, provider,
};

/// The inputs of a mail.
pub(crate) struct Composer<'a> {
    pub(crate) job: &'a Job,
    pub(crate) key: &'a RowKey,
    pub(crate) mail: &'a Mail,
    pub(crate) config: EmailConfig,
    pub(crate) contents: &'a Contents,
    /// The document name in the subject of the thread.
    pub(crate) topic: Option<String>,
    pub(crate) to: Email,
}

/// The request to the provider of a tenant.
enum ProviderRequest {
    Ready(provider::Request),
    /// The mail is dropped for this reason.
    Impossible(Reason),
}

impl Composer<'_> {
    pub(crate) async fn compose(self, organization: &OrganizationStore) -> Result<Plan> {
        let service = &self.config.email_service_config;
        let settings = self.job.mailing().settings();
        let Some(public_url) = settings.public_url.as_deref() else {
            return Ok(Plan::Drop(Reason::NoPublicUrl));
        };
        let by_provider = service.kind == Some(EmailType::Thirdparty);
        let own = service.from_email.clone().map(String::from);
        let own = own.and_then(|address| Email::try_from(address).ok());
        // SES sends only for the operator's identities, so the configured sender becomes the reply
        // address.
        let (from, reply_to) = match by_provider {
            true => (own, None),
            false => (settings.sender.clone(), own),
        };
        let Some(from) = from else { return Ok(Plan::Drop(Reason::NoSender)) };
        let tag = self.job.tenant().pending().row_tag(self.key);
        let company = service.from_company.as_ref().map_or("", |company| company.as_str());
        let letter = letter::Frame {
            id: &tag,
            topic: self.topic.as_deref(),
            to: self.to.clone(),
            from,
            reply_to: reply_to.map(|email| Address { email, name: None }),
            company,
            public_url,
            keyring: self.job.mailing().keyring(),
            api_key: &self.job.tenant().api_key().id,
        };
        let letter = letter.around(self.contents);
        let way = match by_provider {
            true => match self.provider_request(organization, &letter).await? {
                ProviderRequest::Ready(request) => Way::Provider(Box::new(request)),
                ProviderRequest::Impossible(reason) => return Ok(Plan::Drop(reason)),
            },
            false => match self.ses_mail(&letter, &tag) {
                Some(raw) => Way::Ses(Box::new(raw)),
                None => return Ok(Plan::Drop(Reason::Unsendable)),
            },
        };
        Ok(Plan::Send(Box::new(Outgoing { tag, attempt: self.mail.attempts, way })))
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

    async fn provider_request(
        &self,
        organization: &OrganizationStore,
        letter: &Letter,
    ) -> Result<ProviderRequest> {
        let service = &self.config.email_service_config;
        let Some(base) = self.job.mailing().settings().provider_url.clone() else {
            return Ok(ProviderRequest::Impossible(Reason::NoProvider));
        };
        let key = service.api_key.clone().filter(|key| !key.expose().is_empty());
        let Some(key) = key else {
            return Ok(ProviderRequest::Impossible(Reason::NoProviderKey));
        };
        let is_about_them = matches!(letter.reason, mail::Reason::Mention | mail::Reason::Assign);
        let template = match is_about_them {
            true => service.tag_template_id.as_ref(),
            false => service.comment_template_id.as_ref(),
        };
        let template = template.map(|id| id.as_str()).filter(|id| !id.is_empty());
        let properties = match template {
            Some(_) => properties::of(self.job, organization, self.contents).await?,
            None => None,
        };
        // A template describes one thread; several threads use our own layout.
        let template = template.filter(|_| properties.is_some());
        let options = mail::provider::Options { attempt: self.mail.attempts, sandbox: false };
        let properties = properties.unwrap_or_default();
        let body = mail::provider::request(letter, options, template, properties);
        Ok(match body {
            Ok(body) => ProviderRequest::Ready(provider::Request { base, key, body }),
            Err(_) => ProviderRequest::Impossible(Reason::Unsendable),
        })
    }
}
