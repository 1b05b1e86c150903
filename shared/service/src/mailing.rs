//! What mails are sent with: SES, the sender and links of the deployment.

use std::sync::Arc;

use aws::{Boxed, Mail, MailFailure, Ses};
use keyring::Keyring;
use model::Email;

/// The settings of the deployment that mails need.
#[derive(Clone, Debug, Default)]
pub struct MailSettings {
    /// Who sends; none: no mail is sent by SES.
    pub sender: Option<Email>,
    /// Where pages of the deployment are, without a slash at the end; none: no mail is sent, for
    /// none could be unsubscribed from.
    pub public_url: Option<String>,
    /// The configuration set of SES that tells what becomes of mails.
    pub configuration_set: Option<String>,
    /// Base URL of the HTTP provider that tenants have keys of. The operator's alone: a tenant
    /// that could name one would make the deployment call it.
    pub provider_url: Option<String>,
}

/// What a job sends mails with.
#[derive(Clone)]
pub struct Mailing {
    ses: Ses,
    keyring: Keyring,
    settings: Arc<MailSettings>,
}

impl Mailing {
    pub(crate) fn new(ses: Ses, keyring: Keyring, settings: MailSettings) -> Self {
        Self { ses, keyring, settings: Arc::new(settings) }
    }

    /// The same with another keyring.
    pub(crate) fn with_keyring(&self, keyring: Keyring) -> Self {
        Self { keyring, ..self.clone() }
    }

    /// The settings of the deployment.
    pub fn settings(&self) -> &MailSettings {
        &self.settings
    }

    /// What links in mails are signed with.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Sends a mail by SES; answers with its id there.
    ///
    /// # Errors
    /// See [`MailFailure`].
    pub fn send(&self, mail: Mail) -> Boxed<'_, Result<String, MailFailure>> {
        self.ses.send(mail)
    }
}
