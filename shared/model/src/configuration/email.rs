use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Email, Line, Secret, Sender, set, set_some, trigger::Triggers};

use super::{Unusable, Use, in_header, is_fresh, merge_triggers};

/// The sender of mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmailType {
    /// The deployment itself.
    #[default]
    Default,
    /// The configured provider.
    Thirdparty,
    /// Set by the first enabling; the same as `default`.
    Custom,
}

/// Email configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailConfig {
    /// Service switch.
    pub use_email_service: bool,
    /// Transport and triggers.
    pub email_service_config: EmailService,
}

/// The `emailServiceConfig`; absent members were never set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailService {
    /// Type of the sender.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<EmailType>,
    /// Key at the provider; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "in_header")]
    pub api_key: Option<Secret>,
    /// Sender address; an empty text unsets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_email: Option<Sender>,
    /// Sender company name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_company: Option<Line>,
    /// Template of comment mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_template_id: Option<Line>,
    /// Template of mention mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag_template_id: Option<Line>,
    /// Events that send mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triggers: Option<Triggers>,
}

impl EmailConfig {
    /// Merges the request; the first enabling sets default members that the request omits
    /// (contract `configuration.defaults`).
    pub fn update(&mut self, enable: Option<bool>, sent: EmailService) {
        if enable.unwrap_or(sent.kind == Some(EmailType::Custom)) {
            let was_on = std::mem::replace(&mut self.use_email_service, true);
            let service = &mut self.email_service_config;
            if is_fresh(service.triggers.as_ref()) {
                service.triggers = Some(Triggers::of_email());
                // A tenant who chose a provider keeps it, and a service that is on keeps its
                // sender.
                if !was_on && service.kind != Some(EmailType::Thirdparty) {
                    service.kind = Some(EmailType::Custom);
                }
            }
        }
        self.merge(enable, sent);
    }

    /// Merges the request without defaults.
    pub fn merge(&mut self, enable: Option<bool>, sent: EmailService) {
        set(&mut self.use_email_service, enable);
        let stored = &mut self.email_service_config;
        set_some(&mut stored.kind, sent.kind);
        set_some(&mut stored.api_key, sent.api_key);
        set_some(&mut stored.from_email, sent.from_email);
        set_some(&mut stored.from_company, sent.from_company);
        set_some(&mut stored.comment_template_id, sent.comment_template_id);
        set_some(&mut stored.tag_template_id, sent.tag_template_id);
        merge_triggers(&mut stored.triggers, sent.triggers);
    }

    /// As shown: all members are present (contract `configuration.email_get`).
    #[must_use]
    pub fn shown(mut self) -> Self {
        let service = &mut self.email_service_config;
        service.kind.get_or_insert_default();
        service.api_key.get_or_insert_default();
        service.from_email.get_or_insert_default();
        service.from_company.get_or_insert_default();
        service.comment_template_id.get_or_insert_default();
        service.tag_template_id.get_or_insert_default();
        service.triggers.get_or_insert_default();
        self
    }
}

/// The sender of mails.
#[derive(Clone, Debug)]
pub enum Mailer {
    /// Nobody: the service is off.
    Off,
    /// The deployment.
    Deployment {
        /// The address for replies, if there is one.
        reply_to: Option<Email>,
    },
    /// The provider of the tenant.
    Provider {
        /// The tenant's key there.
        api_key: Secret,
        /// The sender.
        from: Email,
    },
}

/// Member that a provider needs and the configuration lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMailer {
    /// The key at the provider.
    Key,
    /// The sender's address.
    Address,
}

impl From<NoMailer> for Unusable {
    fn from(fault: NoMailer) -> Self {
        match fault {
            NoMailer::Key => Self {
                path: &["emailServiceConfig", "apiKey"],
                rule: "is required while mails are on and the type is thirdparty",
            },
            NoMailer::Address => Self {
                path: &["emailServiceConfig", "fromEmail"],
                rule: "is required while mails are on and the type is thirdparty",
            },
        }
    }
}

impl Use<EmailConfig> for Mailer {
    type Fault = NoMailer;

    fn of(config: &EmailConfig) -> Result<Self, NoMailer> {
        let service = &config.email_service_config;
        let address = service.from_email.clone().map(String::from);
        let address = address.and_then(|address| Email::try_from(address).ok());
        match service.kind.unwrap_or_default() {
            _ if !config.use_email_service => Ok(Self::Off),
            EmailType::Default | EmailType::Custom => Ok(Self::Deployment { reply_to: address }),
            EmailType::Thirdparty => {
                let from = address.ok_or(NoMailer::Address)?;
                let key = service.api_key.clone().filter(|key| !key.is_unset());
                Ok(Self::Provider { api_key: key.ok_or(NoMailer::Key)?, from })
            }
        }
    }
}
