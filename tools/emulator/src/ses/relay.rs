//! Forwarding mails to an SMTP server, such as one that shows them to developers.

use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::SMTP_PORT;
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Address, SmtpTransport, Transport as _};

use super::mail::SentMail;
use super::request::{bad_request, bare, rejected, unavailable};
use crate::error::Error;
use crate::wire::Refusal;

/// Time limit of the connection, and of each reply of the server.
const TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct Relay {
    server: SmtpTransport,
}

impl Relay {
    /// `smtp://[user:password@]host[:port]`, without encryption; user and password are not
    /// percent-encoded.
    pub(super) fn open(url: &str) -> Result<Self, Error> {
        // Without the URL, which may have a password.
        let unusable = || Error::Shape("the SMTP server is not smtp://host:port".to_owned());
        let rest = url.strip_prefix("smtp://").ok_or_else(unusable)?.trim_end_matches('/');
        let (credentials, address) = match rest.rsplit_once('@') {
            Some((credentials, address)) => (Some(credentials), address),
            None => (None, rest),
        };
        // The last colon of a bracketed IPv6 address does not begin a port.
        let port = address.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let (host, port) = match port {
            Some((host, port)) => (host, port.parse().map_err(|_| unusable())?),
            None => (address, SMTP_PORT),
        };
        if host.is_empty() {
            return Err(unusable());
        }
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let mut server = SmtpTransport::builder_dangerous(host).port(port).timeout(Some(TIMEOUT));
        if let Some(credentials) = credentials {
            let (user, password) = credentials.split_once(':').ok_or_else(unusable)?;
            server = server.credentials(Credentials::new(user.to_owned(), password.to_owned()));
        }
        Ok(Self { server: server.build() })
    }

    /// A permanent refusal drops the mail; other failures may be retried.
    pub(super) async fn hand_on(&self, mail: &SentMail) -> Result<(), Refusal> {
        let envelope = envelope(mail).ok_or_else(|| bad_request("Illegal address."))?;
        let (server, raw) = (self.server.clone(), mail.raw.clone());
        let sent = tokio::task::spawn_blocking(move || server.send_raw(&envelope, &raw)).await;
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.is_permanent() => Err(rejected(&error.to_string())),
            Ok(Err(error)) => Err(unavailable(&error.to_string())),
            Err(error) => Err(unavailable(&error.to_string())),
        }
    }
}

fn envelope(mail: &SentMail) -> Option<Envelope> {
    let address = |text: &str| bare(text).parse::<Address>().ok();
    let to: Option<Vec<Address>> = mail.to.iter().map(|to| address(to)).collect();
    Envelope::new(Some(address(&mail.from)?), to?).ok()
}
