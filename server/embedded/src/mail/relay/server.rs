//! The SMTP server of a URL.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

/// An SMTP server: `smtps://`, `smtp+starttls://` or `smtp://`, then `[user:password@]host[:port]`.
/// User and password are not percent-encoded.
#[derive(Clone)]
pub struct Smtp {
    pub(super) security: Security,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) credentials: Option<Credentials>,
    authorities: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS after the first words, in which the server has to offer it.
    StartTls,
    None,
}

#[derive(Clone)]
pub(super) struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl FromStr for Smtp {
    type Err = &'static str;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        // Without the URL, which may have a password.
        const UNUSABLE: &str = "the SMTP server is not smtps://host:port, smtp+starttls://host:port \
                                or, on this machine, smtp://host:port";
        let (scheme, rest) = url.split_once("://").ok_or(UNUSABLE)?;
        let (security, port) = match scheme {
            "smtps" => (Security::Tls, 465),
            "smtp+starttls" => (Security::StartTls, 587),
            "smtp" => (Security::None, 25),
            _ => return Err(UNUSABLE),
        };
        // User and password may have an @.
        let (credentials, address) = match rest.rsplit_once('@') {
            Some((credentials, address)) => (Some(credentials), address),
            None => (None, rest),
        };
        let address = address.trim_end_matches('/');
        // The last colon of a bracketed IPv6 address does not begin a port.
        let with_port = address.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let (host, port) = match with_port {
            Some((host, port)) => (host, port.parse().map_err(|_| UNUSABLE)?),
            None => (address, port),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() {
            return Err(UNUSABLE);
        }
        let credentials = match credentials.map(|credentials| credentials.split_once(':')) {
            Some(None) => return Err(UNUSABLE),
            Some(Some((user, password))) => {
                Some(Credentials { user: user.to_owned(), password: password.to_owned() })
            }
            None => None,
        };
        let smtp = Self { security, host, port, credentials, authorities: None };
        if smtp.credentials.is_some() && smtp.is_open_to_others() {
            return Err("smtp:// would send the password to another machine without encryption: \
                        use smtps:// or smtp+starttls://");
        }
        Ok(smtp)
    }
}

impl Smtp {
    /// Trusts the authorities in a PEM file instead of those of the machine.
    #[must_use]
    pub fn trusting(self, authorities: Vec<u8>) -> Self {
        Self { authorities: Some(authorities), ..self }
    }

    /// Whether mails leave this machine without encryption.
    #[must_use]
    pub fn is_open_to_others(&self) -> bool {
        let is_here = self.host == "localhost"
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        self.security == Security::None && !is_here
    }

    /// Configuration with the authorities that certificates are verified with; none without TLS.
    pub(super) fn tls(&self) -> Result<Option<Arc<ClientConfig>>, String> {
        if self.security == Security::None {
            return Ok(None);
        }
        let authorities = match &self.authorities {
            Some(pem) => CertificateDer::pem_slice_iter(pem).filter_map(Result::ok).collect(),
            None => rustls_native_certs::load_native_certs().certs,
        };
        let mut roots = RootCertStore::empty();
        if roots.add_parsable_certificates(authorities).0 == 0 {
            return Err(match self.authorities {
                Some(_) => "the file of the authorities of the SMTP server has no certificate",
                None => "this machine has no authorities, and the SMTP server needs one",
            }
            .to_owned());
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().map_err(|e| e.to_string())?;
        Ok(Some(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
    }
}
