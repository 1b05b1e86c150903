//! The origin of a request: the machine that connected, or the client that a trusted proxy names.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
};

use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use ipnet::IpNet;

/// Headers in which proxies name the client. Nobody behind the gateway may believe them unverified.
const TOLD: [HeaderName; 5] = [
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
    header::FORWARDED,
];

/// The address of the client of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin(pub(crate) IpAddr);

/// This machine, where calls of the console come from.
pub(crate) const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

impl Origin {
    /// The address that was noted for a request.
    pub(crate) fn of(noted: &Extensions) -> IpAddr {
        noted.get().map_or(HERE, |Self(client)| *client)
    }
}

/// The header in which proxies name their client. Of the others, any client can send one that a
/// proxy passes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// The networks of proxies, in a text such as `10.0.0.0/8,127.0.0.1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    networks: Vec<IpNet>,
    header: ProxyHeader,
}

impl FromStr for Proxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = |text: &str| {
            let text = text.trim();
            let address = || text.parse::<IpAddr>().map(IpNet::from);
            let network = text.parse::<IpNet>().or_else(|_| address());
            network.map_err(|_| format!("{text:?} is neither an address nor a network"))
        };
        let networks = text.split(',').map(network).collect::<Result<_, _>>()?;
        Ok(Self { networks, header: ProxyHeader::default() })
    }
}

impl Proxies {
    /// The proxies with the header in which they name their client.
    #[must_use]
    pub fn naming_by(self, header: ProxyHeader) -> Self {
        Self { header, ..self }
    }

    fn has(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The address of the client of a request that came from `peer`: the last one that is no proxy.
    /// Headers about the client are removed unless a proxy sent them.
    pub(crate) fn client(&self, peer: IpAddr, headers: &mut HeaderMap) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.has(peer) {
            for name in &TOLD {
                headers.remove(name);
            }
            return peer;
        }
        let mut client = peer;
        let (name, is_list) = match self.header {
            ProxyHeader::XForwardedFor => (&TOLD[0], true),
            ProxyHeader::Forwarded => (&TOLD[4], false),
        };
        let values: Vec<&str> = headers.get_all(name).iter().map(text).collect();
        for hop in values.iter().rev().flat_map(|value| value.rsplit(',')) {
            let named = if is_list { address(hop) } else { node(hop).and_then(address) };
            // Beyond something unreadable, nothing can be believed.
            let Some(named) = named else { break };
            client = named;
            if !self.has(named) {
                break;
            }
        }
        client
    }
}

fn text(value: &HeaderValue) -> &str {
    // Reads as no address.
    value.to_str().unwrap_or("?")
}

/// The value of `for` in an element of `Forwarded`. Quoted values with commas are not read: nodes
/// have none.
fn node(element: &str) -> Option<&str> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    let (_, node) = nodes.next()?;
    Some(node.trim().trim_matches('"'))
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    Some(address.ok()?.to_canonical())
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::http::{HeaderMap, HeaderValue};

    use super::{Proxies, ProxyHeader};

    fn client(proxies: &Proxies, peer: &str, name: &'static str, values: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        proxies.client(peer.parse::<IpAddr>().unwrap(), &mut headers).to_string()
    }

    #[test]
    fn only_a_proxy_names_a_client() {
        let proxies: Proxies = "10.0.0.0/8, 127.0.0.1,fd00::/8".parse().unwrap();
        let client =
            |peer: &str, values: &[&str]| client(&proxies, peer, "x-forwarded-for", values);
        for (peer, values, expected) in [
            ("9.9.9.9", &["1.1.1.1"][..], "9.9.9.9"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["1.1.1.1"], "1.1.1.1"),
            ("::ffff:127.0.0.1", &["1.1.1.1"], "1.1.1.1"),
            // The client added the first one itself.
            ("127.0.0.1", &["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6", "1.1.1.1"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6, 1.1.1.1, 10.0.0.7"], "1.1.1.1"),
            ("127.0.0.1", &["6.6.6.6, 10.0.0.9", "1.1.1.1,10.0.0.7"], "1.1.1.1"),
            ("127.0.0.1", &["10.0.0.9, 10.0.0.7"], "10.0.0.9"),
            ("127.0.0.1", &["6.6.6.6, unknown, 10.0.0.7"], "10.0.0.7"),
            ("127.0.0.1", &["6.6.6.6, "], "127.0.0.1"),
            ("127.0.0.1", &["\u{e9}"], "127.0.0.1"),
            ("fd00::1", &["[2606:4700::1]:443"], "2606:4700::1"),
            ("fd00::1", &["::ffff:1.1.1.1"], "1.1.1.1"),
            ("10.1.2.3", &["1.1.1.1:1234"], "1.1.1.1"),
        ] {
            assert_eq!(client(peer, values), expected, "{peer} {values:?}");
        }
    }

    #[test]
    fn only_the_header_of_the_proxies_counts() {
        let proxies: Proxies = "127.0.0.1".parse().unwrap();
        assert_eq!(client(&proxies, "127.0.0.1", "forwarded", &["for=1.1.1.1"]), "127.0.0.1");
        let proxies = proxies.naming_by(ProxyHeader::Forwarded);
        assert_eq!(client(&proxies, "127.0.0.1", "x-forwarded-for", &["1.1.1.1"]), "127.0.0.1");
        let client = |values: &[&str]| client(&proxies, "127.0.0.1", "forwarded", values);
        assert_eq!(
            client(&["for=6.6.6.6;proto=http, proto=https;For=\"[2606:4700::1]:9\""]),
            "2606:4700::1"
        );
        assert_eq!(client(&["for=6.6.6.6, for=_hidden"]), "127.0.0.1");
    }

    #[test]
    fn what_others_tell_goes_no_further() {
        let proxies: Proxies = "127.0.0.1".parse().unwrap();
        for (peer, left) in [("9.9.9.9", 0), ("127.0.0.1", 3)] {
            let mut headers = HeaderMap::new();
            for name in ["x-forwarded-for", "x-forwarded-proto", "forwarded"] {
                headers.insert(name, HeaderValue::from_static("https"));
            }
            proxies.client(peer.parse().unwrap(), &mut headers);
            assert_eq!(headers.len(), left, "{peer}");
        }
    }

    #[test]
    fn what_is_no_network_is_named() {
        for text in ["", "10.0.0.0/33", "10.0.0.0/8,", "proxy", "10.0.0.1-10.0.0.9"] {
            assert!(text.parse::<Proxies>().unwrap_err().contains("neither"), "{text}");
        }
    }
}
