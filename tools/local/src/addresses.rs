//! Addresses of clients.

use std::net::{IpAddr, Ipv6Addr};

use service::Egress;

/// Whom an address stands for: a public IPv4 address for itself, one of IPv6 for its /64 network,
/// of which a client has all. None: a machine of the operator, such as a proxy, behind which many
/// clients are.
pub(crate) fn stranger(address: IpAddr) -> Option<IpAddr> {
    let address = address.to_canonical();
    Egress::Public.vet(address).ok()?;
    Some(match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::stranger;

    #[test]
    fn a_network_of_ipv6_is_one_stranger_and_the_own_network_is_none() {
        let stranger = |text: &str| stranger(text.parse().unwrap()).map(|ip| ip.to_string());
        assert_eq!(stranger("9.9.9.9").as_deref(), Some("9.9.9.9"));
        assert_eq!(stranger("::ffff:9.9.9.9").as_deref(), Some("9.9.9.9"));
        assert_eq!(stranger("2606:4700::1:2").as_deref(), Some("2606:4700::"));
        assert_eq!(stranger("2606:4700::ffff:1:2"), stranger("2606:4700::1"));
        for own in ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "::ffff:192.168.1.1", "fe80::1"] {
            assert_eq!(stranger(own), None, "{own}");
        }
    }
}
