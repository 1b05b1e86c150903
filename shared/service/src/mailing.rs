//! What mails are sent with: SES, the sender and links of the deployment.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws::{Boxed, Mail, MailFailure, Ses};
use keyring::Keyring;
use model::Email;
use webhook::{Egress, Limits, Sender};

/// The settings of the deployment that mails need.
#[derive(Clone, Debug, Default)]
pub struct MailSettings {
    /// Who sends; none: no mail is sent by SES.
    pub sender: Option<Email>,
    /// Where pages of the deployment are, without a slash at the end; none: no mail is sent, for
    /// none could be unsubscribed from.
    pub public_url: Option<String>,
    /// The configuration set of SES that reports the outcome of mails.
    pub configuration_set: Option<String>,
    /// Base URL of the HTTP provider that tenants have keys of. The operator's alone: a tenant
    /// that could name one would make the deployment call it.
    pub provider_url: Option<String>,
}

/// Mail settings of a job.
#[derive(Clone)]
pub struct Mailing {
    ses: Ses,
    keyring: Keyring,
    settings: Arc<MailSettings>,
    provider: Arc<OnceLock<Sender>>,
}

impl Mailing {
    pub(crate) fn new(ses: Ses, keyring: Keyring, settings: MailSettings) -> Self {
        Self { ses, keyring, settings: Arc::new(settings), provider: Arc::default() }
    }

    /// The same, with another client of SES.
    pub(crate) fn through(&self, ses: Ses) -> Self {
        Self { ses, ..self.clone() }
    }

    /// What requests of the HTTP provider are sent with.
    pub fn provider(&self) -> &Sender {
        self.provider.get_or_init(|| {
            let limits = Limits { total: Duration::from_secs(10), ..Limits::default() };
            // The operator may have put it into the own network.
            Sender::with_limits(Egress::Local, limits)
        })
    }

    /// The same with another keyring.
    pub(crate) fn with_keyring(&self, keyring: Keyring) -> Self {
        Self { keyring, ..self.clone() }
    }

    /// The settings of the deployment.
    pub fn settings(&self) -> &MailSettings {
        &self.settings
    }

    /// Keyring that signs links in mails.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Sends a mail by SES; returns its id there.
    ///
    /// # Errors
    /// See [`MailFailure`].
    pub fn send(&self, mail: Mail) -> Boxed<'_, Result<String, MailFailure>> {
        self.ses.send(mail)
    }
}
