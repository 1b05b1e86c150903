use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A domain that may use an API key: a host, or `*.` and the suffix of its subdomains. Sent as a
/// host or a URL; kept without scheme, `www.`, port and path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(!try_from, !into)]
pub struct Domain(#[schemars(length(min = 1, max = 300))] String);

impl Domain {
    /// The domains of `addLocalHostToAllowedDomains`.
    pub const LOCAL_HOSTS: [&'static str; 2] = ["localhost", "127.0.0.1"];

    /// The host or wildcard.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a local host, which a key enables as a whole.
    pub fn is_local(&self) -> bool {
        Self::LOCAL_HOSTS.contains(&self.as_str())
    }

    /// Whether a browser's `Origin` header, or another URL, is in this domain. The port is ignored.
    pub fn admits(&self, origin: &str) -> bool {
        let Some(host) = origin.split_once("://").and_then(|(_, rest)| host(rest)) else {
            return false;
        };
        match self.0.strip_prefix("*.") {
            Some(suffix) => {
                host.strip_suffix(suffix).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            None => host == self.0,
        }
    }
}

/// The host behind the scheme, lower-case and without `www.`.
fn host(text: &str) -> Option<String> {
    let authority = text.split(['/', '?', '#']).next()?;
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let labels = host.strip_prefix("*.").unwrap_or(host).split('.');
    let valid = host.len() <= 253
        && labels.into_iter().all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        });
    valid.then(|| host.to_owned())
}

impl TryFrom<String> for Domain {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let rest = text.split_once("://").map_or(text.as_str(), |(_, rest)| rest);
        host(rest)
            .map(Self)
            .ok_or("must be a host name, *.domain or a URL (punycode for other scripts)")
    }
}

impl From<Domain> for String {
    fn from(domain: Domain) -> Self {
        domain.0
    }
}

#[cfg(test)]
mod tests {
    use super::Domain;

    fn domain(text: &str) -> Domain {
        Domain::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn scheme_www_port_and_path_are_not_kept() {
        for text in ["example.com", "www.example.com", "https://www.Example.com:8443/x?y#z"] {
            assert_eq!(domain(text).as_str(), "example.com", "{text}");
        }
        assert_eq!(domain("https://*.example.com").as_str(), "*.example.com");
        for text in ["", "*", "*.", "a b.com", "ex*mple.com", "a..b", "münchen.de", "user@host.com"]
        {
            assert!(Domain::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_admitted_by_its_exact_host() {
        let exact = domain("example.com");
        for origin in ["https://example.com", "http://EXAMPLE.com:3000", "https://www.example.com"]
        {
            assert!(exact.admits(origin), "{origin}");
        }
        for origin in [
            "null",
            "",
            "example.com",
            "https://evil-example.com",
            "https://example.com.evil.io",
            "https://sub.example.com",
            "https://example.com@evil.io",
            "https://evil.io/#example.com",
        ] {
            assert!(!exact.admits(origin), "{origin}");
        }
    }

    #[test]
    fn a_wildcard_admits_deeper_hosts_and_not_the_bare_one() {
        let wildcard = domain("*.example.com");
        assert!(wildcard.admits("https://a.example.com"));
        assert!(wildcard.admits("https://a.b.example.com:1"));
        for origin in ["https://example.com", "https://aexample.com", "https://.example.com"] {
            assert!(!wildcard.admits(origin), "{origin}");
        }
    }
}
