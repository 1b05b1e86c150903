//! Handing mails on to an SMTP server.
//!
//! The client is our own, because libraries let a server say words before TLS that count within it,
//! or have no deadline for a whole conversation.

mod conversation;
mod server;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use self::conversation::{Conversation, Failure};
use self::server::Security;
pub use self::server::Smtp;
use super::request::{bad_request, bare, rejected, unavailable};
use super::sent::SentMail;
use crate::base::{Error, Refusal};

/// From the name of the server to its reply to the mail. Clients of SES wait for ten seconds.
const DEADLINE: Duration = Duration::from_secs(9);
/// For the farewell after a mail that was taken.
const FAREWELL: Duration = Duration::from_secs(1);

/// TCP, or TLS over it.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

pub(super) struct Relay {
    smtp: Smtp,
    tls: Option<Arc<ClientConfig>>,
    deadline: Duration,
}

impl Relay {
    pub(super) fn open(smtp: Smtp) -> Result<Self, Error> {
        let tls = smtp.tls().map_err(Error::Shape)?;
        Ok(Self { smtp, tls, deadline: DEADLINE })
    }

    /// A permanent refusal of the mail drops it; after other failures it may be sent again.
    pub(super) async fn hand_on(&self, mail: &SentMail) -> Result<(), Refusal> {
        let addresses = envelope(mail).ok_or_else(|| bad_request("Illegal address."));
        let (from, to) = addresses?;
        let sent = async {
            let mut conversation = self.connect().await?;
            conversation.send(from, &to, &mail.raw).await?;
            Ok::<_, Failure>(conversation)
        };
        let late = |_| Failure::Server("The server did not answer in time.".to_owned());
        match timeout(self.deadline, sent).await.map_err(late).and_then(|sent| sent) {
            Ok(conversation) => {
                tokio::spawn(timeout(FAREWELL, conversation.quit()));
                Ok(())
            }
            Err(Failure::Mail(reason)) => Err(rejected(&reason)),
            Err(Failure::Later(reason)) => Err(unavailable(&reason)),
            Err(Failure::Server(reason)) => {
                tracing::error!(server = ?self.smtp, reason, "The SMTP server takes no mail.");
                Err(unavailable(&reason))
            }
        }
    }

    /// A connection that is encrypted and logged in as far as the URL says. Nothing else is said to
    /// a server before its certificate is verified.
    async fn connect(&self) -> Result<Conversation<Box<dyn Stream>>, Failure> {
        let Smtp { host, port, .. } = &self.smtp;
        let stream = TcpStream::connect((host.as_str(), *port)).await?;
        let mut conversation = match (self.smtp.security, &self.tls) {
            (Security::Tls, Some(tls)) => {
                Conversation::begin(encrypt(stream, tls, host).await?).await?
            }
            (Security::StartTls, Some(tls)) => {
                let stream = Conversation::begin(stream).await?.start_tls().await?;
                Conversation::resume(encrypt(stream, tls, host).await?).await?
            }
            _ => Conversation::begin(Box::new(stream) as Box<dyn Stream>).await?,
        };
        if let Some(credentials) = &self.smtp.credentials {
            conversation.log_in(credentials).await?;
        }
        Ok(conversation)
    }
}

async fn encrypt(
    stream: TcpStream,
    tls: &Arc<ClientConfig>,
    host: &str,
) -> Result<Box<dyn Stream>, Failure> {
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|e| Failure::Server(e.to_string()))?;
    Ok(Box::new(TlsConnector::from(Arc::clone(tls)).connect(name, stream).await?))
}

/// The sender and the recipients of a mail, if they cannot end their lines in SMTP.
fn envelope(mail: &SentMail) -> Option<(&str, Vec<&str>)> {
    let to: Option<Vec<&str>> = mail.to.iter().map(|to| address(to)).collect();
    Some((address(&mail.from)?, to?))
}

fn address(text: &str) -> Option<&str> {
    let address = bare(text);
    let (local, domain) = address.rsplit_once('@')?;
    let is_plain = |part: &str, also: &[u8]| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || also.contains(&byte))
    };
    (is_plain(local, b"!#$%&'*+-/=?^_`{|}~.") && is_plain(domain, b"-.")).then_some(address)
}
