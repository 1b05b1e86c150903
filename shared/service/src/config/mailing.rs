//! Transport of mails: SES, the sender and links of the deployment.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws::{Boxed, Mail, MailFailure, Ses};
use keyring::Keyring;
use model::Email;
use webhook::{Egress, Limits, Sender};

/// Mail settings of the deployment.
#[derive(Clone, Debug, Default)]
pub struct MailSettings {
    /// The sender; none: no mail is sent by SES.
    pub sender: Option<Email>,
    /// Base URL of pages, without a trailing slash; none: no mail is sent, because it could not be
    /// unsubscribed from.
    pub public_url: Option<String>,
    /// The configuration set of SES that reports outcomes.
    pub configuration_set: Option<String>,
    /// Base URL of the HTTP provider. Only the operator sets it: a tenant could make the deployment
    /// call any URL.
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

    /// The mailing with another client of SES.
    pub(crate) fn through(&self, ses: Ses) -> Self {
        Self { ses, ..self.clone() }
    }

    /// The client for the HTTP provider.
    pub fn provider(&self) -> &Sender {
        self.provider.get_or_init(|| {
            let limits = Limits { total: Duration::from_secs(10), ..Limits::default() };
            // The provider may be in the operator's own network.
            Sender::with_limits(Egress::Local, limits)
        })
    }

    /// The mailing with another keyring.
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
