//! Parsing of a webhook URL: address and credentials.

use std::{borrow::Cow, net::IpAddr};

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderValue, Uri};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use crate::http_client::{address::Egress, attempt::Failure};

/// A parsed URL.
#[derive(Debug)]
pub(crate) struct RequestUrl {
    /// Without credentials and fragment.
    pub(crate) uri: Uri,
    /// `Authorization` from the credentials in the URL.
    pub(crate) authorization: Option<HeaderValue>,
}

impl RequestUrl {
    /// Parses a URL like a browser, so that every notation of an address is normalized before
    /// vetting.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let mut url = parse(text)?;
        let authorization = authorization(&url)?;
        url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| Failure::Url)?;
        // Drops the fragment, which is for browsers only.
        let uri = url.as_str().parse().map_err(|_| Failure::Url)?;
        Ok(Self { uri, authorization })
    }
}

impl Egress {
    /// Checks a URL without the network: http or https, a port of web servers, and an allowed host
    /// if it is an address. A name is resolved and vetted with each request.
    ///
    /// # Errors
    /// [`Failure::Url`] or [`Failure::Address`].
    pub fn check_url(self, text: &str) -> Result<(), Failure> {
        let address = match parse(text)?.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        self.vet(address).map_err(|forbidden| Failure::Address(forbidden.reason))
    }
}

fn parse(text: &str) -> Result<Url, Failure> {
    let url = Url::parse(text).map_err(|_| Failure::Url)?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(Failure::Url);
    }
    if !url.port_or_known_default().is_some_and(is_of_the_web) {
        return Err(Failure::Url);
    }
    Ok(url)
}

/// Whether it is a port of web servers, not of mails, names or a shell.
fn is_of_the_web(port: u16) -> bool {
    matches!(port, 80 | 443 | 1024..)
}

/// A URL without its credentials, for display and storage.
pub(crate) fn without_credentials(url: &str) -> Cow<'_, str> {
    match Url::parse(url) {
        Ok(mut parsed) if !parsed.username().is_empty() || parsed.password().is_some() => {
            let _ = parsed.set_username("***").and_then(|()| parsed.set_password(None));
            parsed.to_string().into()
        }
        _ => url.into(),
    }
}

fn authorization(url: &Url) -> Result<Option<HeaderValue>, Failure> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(None);
    }
    let mut credentials: Vec<u8> = percent_decode_str(url.username()).collect();
    credentials.push(b':');
    credentials.extend(percent_decode_str(url.password().unwrap_or_default()));
    let value = format!("Basic {}", STANDARD.encode(credentials));
    let mut value = HeaderValue::try_from(value).map_err(|_| Failure::Url)?;
    value.set_sensitive(true);
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_a_url_are_not_shown() {
        let shown = |url| without_credentials(url).into_owned();
        assert_eq!(shown("https://ada:secret@example.com/x?y=1"), "https://***@example.com/x?y=1");
        assert_eq!(shown("https://secret@example.com/"), "https://***@example.com/");
        assert_eq!(shown("https://example.com/X%20"), "https://example.com/X%20");
    }

    #[test]
    fn every_notation_of_a_private_address_is_seen_through() {
        let hosts = "127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 0x7f.0x0.0x0.0x1 2130706433 \
            017700000001 0177.0.0.1 0177.0x0.1 127.0.0.1. %31%32%37.0.0.1 127。0。0。1 \
            １２７.０.０.１ ①②⑦.⓪.⓪.① 0 0.0.0.0 0x0 10.0.0.1 192.168.1.1 172.16.0.1 \
            169.254.169.254 0xa9fea9fe 2852039166 0xA9.0xFE.0xA9.0xFE 169.254.43518 \
            [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] \
            [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::] \
            [2001:0:4136:e378:8000:63bf:80ff:fffe] [fe80::1] [fec0::1] [fd00:ec2::254] [ff02::1] \
            public@127.0.0.1 public:secret@127.0.0.1 93.184.216.34@127.0.0.1 127.0.0.1:80 \
            example.com%40@127.0.0.1 [::1]:8080 100.64.0.1 198.18.0.1";
        for host in hosts.split_whitespace() {
            for url in [format!("http://{host}/"), format!("https:\\\\{host}\\hook?a=b")] {
                let refused = Egress::default().check_url(&url);
                assert!(matches!(refused, Err(Failure::Address(_))), "{url}: {refused:?}");
            }
        }
    }

    #[test]
    fn what_is_no_url_of_a_web_server_is_refused() {
        let urls = [
            "",
            "example.com",
            "/hook",
            "http://",
            "http:///",
            "https://[::1",
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1%eth0]/",
            "http://256.256.256.256/",
            "http://127.0.0.0x1g.1/",
            "http://exa mple.com/",
            "http://example.com:65536/",
            "http://example.com:0/",
            "http://example.com:25/",
            "https://example.com:79/",
            "https://example.com:1023/",
            "ftp://example.com/",
            "file:///etc/passwd",
            "gopher://127.0.0.1:6379/_FLUSHALL",
            "javascript:alert(1)",
            "unix:/var/run/docker.sock",
        ];
        for url in urls {
            assert_eq!(Egress::default().check_url(url), Err(Failure::Url), "{url}");
            assert_eq!(RequestUrl::parse(url).unwrap_err(), Failure::Url, "{url}");
        }
    }

    #[test]
    fn public_addresses_and_names_pass() {
        let urls = [
            "https://example.com/hook",
            "http://1.1.1.1:8080",
            "https://[2606:4700::1111]",
            "https://example.com:80/",
            "http://example.com:443/",
            "http://example.com:1024/",
            "http://example.com:65535/",
        ];
        for url in urls {
            assert_eq!(Egress::default().check_url(url), Ok(()), "{url}");
        }
        assert_eq!(Egress::Local.check_url("http://127.1:3000/"), Ok(()));
        assert!(Egress::Local.check_url("http://169.254.170.2/").is_err());
    }

    #[test]
    fn credentials_become_a_header_and_leave_the_url() {
        let target =
            RequestUrl::parse("https://us%65r:p%40ss%3A%C3%BC@example.com/a?b=c#d").unwrap();
        assert_eq!(target.uri.to_string(), "https://example.com/a?b=c");
        let header = target.authorization.unwrap();
        assert_eq!(header, format!("Basic {}", STANDARD.encode("user:p@ss:ü")));
        assert!(header.is_sensitive());

        let target = RequestUrl::parse("https://token@example.com").unwrap();
        assert_eq!(target.authorization.unwrap(), format!("Basic {}", STANDARD.encode("token:")));
        assert!(RequestUrl::parse("https://example.com").unwrap().authorization.is_none());
    }
}
