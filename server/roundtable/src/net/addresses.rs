//! Addresses of clients.

use std::net::{IpAddr, Ipv6Addr};

use service::Egress;

/// The lengths of the networks that a stranger may have: providers give customers a /64, /56 or /48
/// of IPv6, and addresses of IPv4 are bought by /24.
const OF_IPV6: [u8; 3] = [64, 56, 48];
const OF_IPV4: [u8; 2] = [32, 24];

/// A network of clients that may be one and the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    prefix: IpAddr,
    length: u8,
}

impl Network {
    /// How many shares of an address it has at most: fewer than it has addresses.
    pub(crate) fn width(self) -> usize {
        match self.length {
            32 | 64 => 1,
            56 => 2,
            _ => 4,
        }
    }
}

/// The networks of a public address, the narrowest first: all of them have to have a share left.
/// None of a machine of the operator, such as a proxy, behind which many clients are.
pub(crate) fn networks(address: IpAddr) -> Vec<Network> {
    let address = address.to_canonical();
    if Egress::Public.vet(address).is_err() {
        return vec![];
    }
    match address {
        IpAddr::V4(v4) => {
            let of = |length: u8| {
                let host = 32 - u32::from(length);
                Network { prefix: ((v4.to_bits() >> host) << host).to_be_bytes().into(), length }
            };
            OF_IPV4.map(of).into()
        }
        IpAddr::V6(v6) => {
            let of = |length: u8| {
                let host = 128 - u32::from(length);
                let prefix = Ipv6Addr::from_bits(v6.to_bits() >> host << host).into();
                Network { prefix, length }
            };
            OF_IPV6.map(of).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::networks;

    fn networks_of(text: &str) -> Vec<String> {
        let networks = networks(text.parse().unwrap()).into_iter();
        networks.map(|network| format!("{}/{}", network.prefix, network.length)).collect()
    }

    #[test]
    fn a_stranger_is_all_of_its_networks_and_the_own_network_is_none() {
        assert_eq!(networks_of("9.9.9.9"), ["9.9.9.9/32", "9.9.9.0/24"]);
        assert_eq!(networks_of("::ffff:9.9.9.9"), networks_of("9.9.9.9"));
        assert_eq!(
            networks_of("2606:4700:1:2304::1:2"),
            ["2606:4700:1:2304::/64", "2606:4700:1:2300::/56", "2606:4700:1::/48"]
        );
        assert_eq!(networks_of("2606:4700:1:1::1")[1..], networks_of("2606:4700:1:2::1")[1..]);
        for own in ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "::ffff:192.168.1.1", "fe80::1"] {
            assert!(networks_of(own).is_empty(), "{own}");
        }
    }
}
