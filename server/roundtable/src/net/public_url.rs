//! The URL under which others reach the service.

use std::{net::IpAddr, str::FromStr};

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;

/// A base URL: https, or http with a name of this machine, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    text: String,
    host: String,
}

/// The pages that supervisors and load balancers ask by address.
const PROBES: [&str; 2] = ["/health", "/ready"];

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is no URL such as https://collaboration.example.com");
        let text = text.trim_end_matches('/');
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        let is_bare = uri.path() == "/" && uri.query().is_none() && !text.contains('@');
        match uri.scheme_str() {
            Some("https") if is_bare => {}
            Some("http") if is_bare && is_this_machine(host) => {}
            _ => return Err(wrong()),
        }
        Ok(Self { text: text.to_owned(), host: host.to_ascii_lowercase() })
    }
}

impl PublicUrl {
    /// Text of the URL, without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether only this machine can reach it.
    pub fn is_of_this_machine(&self) -> bool {
        is_this_machine(&self.host)
    }

    /// Whether a request is for this host, or from this machine.
    fn is_meant_by(&self, headers: &HeaderMap) -> bool {
        let host = sent_host(headers);
        host.eq_ignore_ascii_case(&self.host) || is_this_machine(&host)
    }
}

/// The host that a request names, without its port.
fn sent_host(headers: &HeaderMap) -> String {
    let sent = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let sent: Option<Uri> = sent.and_then(|host| host.parse().ok());
    sent.as_ref().and_then(Uri::host).unwrap_or_default().to_owned()
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Refuses requests to other hosts: pages whose name merely leads here, and mistakes of a proxy.
pub(crate) async fn require_host(
    State(url): State<PublicUrl>,
    request: Request,
    next: Next,
) -> Response {
    if PROBES.contains(&request.uri().path()) || url.is_meant_by(request.headers()) {
        return next.run(request).await;
    }
    misdirected(&format!("This service is {}.", url.as_str()))
}

/// Refuses requests by other names than those of this machine.
pub(crate) async fn require_this_machine(request: Request, next: Next) -> Response {
    if PROBES.contains(&request.uri().path()) || is_this_machine(&sent_host(request.headers())) {
        return next.run(request).await;
    }
    misdirected("This is for readers on this machine.")
}

fn misdirected(message: &str) -> Response {
    let error = json!({ "error": { "status": "INVALID_ARGUMENT", "message": message } });
    (StatusCode::MISDIRECTED_REQUEST, Json(error)).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::PublicUrl;

    #[test]
    fn it_is_https_or_of_this_machine() {
        for right in ["https://a.example", "https://a.example/", "http://localhost:3000"] {
            assert!(right.parse::<PublicUrl>().is_ok(), "{right}");
        }
        for wrong in [
            "",
            "a.example",
            "http://a.example",
            "https://a.example/path",
            "ftp://a",
            "https://u@a.example",
            "https://a.example?q",
            "http://127.0.0.1.example.com",
        ] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn requests_to_other_hosts_are_not_meant() {
        let url: PublicUrl = "https://A.example".parse().unwrap();
        let is_meant = |host: &str| {
            let host = (header::HOST, HeaderValue::from_str(host).unwrap());
            url.is_meant_by(&HeaderMap::from_iter([host]))
        };
        for host in ["a.example", "a.EXAMPLE:443", "localhost:3000", "127.0.0.1", "[::1]:3000"] {
            assert!(is_meant(host), "{host}");
        }
        for host in ["b.example", "a.example.com", "a.example@b", "192.168.0.1", ""] {
            assert!(!is_meant(host), "{host}");
        }
        assert!(!url.is_meant_by(&HeaderMap::new()));
    }
}
