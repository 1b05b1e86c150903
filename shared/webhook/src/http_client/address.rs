//! Address filter against server-side request forgery.
//!
//! The owner of a webhook chooses the target of a connection of this service. An unchecked target
//! could be anything the service can reach: its own network, and the metadata and runtime services
//! of the cloud, which issue credentials.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use crate::http_client::networks::{Networks, within};

/// A forbidden address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The class of the address.
    pub reason: &'static str,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the address is not a public one ({})", self.reason)
    }
}

impl std::error::Error for Forbidden {}

/// Allowed addresses of webhooks. Link-local ones, including the metadata services, are never
/// allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a process has a few")]
pub enum Egress {
    /// Public addresses.
    #[default]
    Public,
    /// Public addresses and these private networks, without loopback.
    Networks(Networks),
    /// Public addresses and all private networks.
    Private,
    /// Also loopback: never where other services, such as the Lambda runtime, listen on it.
    Local,
}

/// When a special-purpose range is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    /// Unless private addresses are allowed.
    ToPublic,
    /// Unless loopback is allowed.
    ToOthers,
    Always,
}
use Closed::{Always, ToOthers, ToPublic};

/// Network, prefix length and class.
type Range<A> = (A, u32, &'static str, Closed);

/// The IANA registry of special-purpose addresses, with multicast and the reserved space.
const V4: &[Range<Ipv4Addr>] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "unspecified", Always),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private", ToPublic),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "shared", ToPublic),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback", ToOthers),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local", Always),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private", ToPublic),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "reserved", ToPublic),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "documentation", ToPublic),
    (Ipv4Addr::new(192, 31, 196, 0), 24, "reserved", ToPublic),
    (Ipv4Addr::new(192, 52, 193, 0), 24, "reserved", ToPublic),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "relay", ToPublic),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private", ToPublic),
    (Ipv4Addr::new(192, 175, 48, 0), 24, "reserved", ToPublic),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "benchmarking", ToPublic),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "documentation", ToPublic),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "documentation", ToPublic),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast", Always),
    (Ipv4Addr::BROADCAST, 32, "broadcast", Always),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved", ToPublic),
];

/// The special ranges; public addresses are in `PUBLIC_V6` and in none of them.
const V6: &[Range<Ipv6Addr>] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "unspecified", Always),
    (Ipv6Addr::LOCALHOST, 128, "loopback", ToOthers),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, "translated", ToPublic),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "translated", ToPublic),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "reserved", ToPublic),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "documentation", ToPublic),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "translated", ToPublic),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48, "reserved", ToPublic),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "documentation", ToPublic),
    // The cloud's services for metadata, names and credentials are in this private range.
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0), 32, "link-local", Always),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "private", ToPublic),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "link-local", Always),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, "private", ToPublic),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "multicast", Always),
];

/// The only space that IANA has allocated for public use.
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

impl Egress {
    /// Parses a setting: `false` allows only public addresses, `true` means `all`, other texts are
    /// networks.
    ///
    /// # Errors
    /// The error, to follow the name of the setting.
    pub fn parse(setting: &str, all: Self) -> Result<Self, String> {
        match setting {
            "false" => Ok(Self::Public),
            "true" => Ok(all),
            networks => networks.parse().map(Self::Networks),
        }
    }

    /// Checks that an address may be called.
    ///
    /// # Errors
    /// When it is not public; with private networks allowed, when it is unspecified, multicast,
    /// broadcast, link-local or, unless allowed, loopback. An IPv6 address with an embedded IPv4
    /// address is checked as both.
    pub fn vet(self, address: IpAddr) -> Result<(), Forbidden> {
        match address {
            IpAddr::V4(address) => self.vet_v4(address),
            IpAddr::V6(address) => self.vet_v6(address),
        }
    }

    fn vet_v4(self, address: Ipv4Addr) -> Result<(), Forbidden> {
        let range = V4.iter().find(|(network, length, ..)| {
            within(address.to_bits().into(), network.to_bits().into(), *length, 32)
        });
        self.judge(address.into(), range.map(|(_, _, reason, closed)| (*reason, *closed)))
    }

    fn vet_v6(self, address: Ipv6Addr) -> Result<(), Forbidden> {
        let is_within =
            |network: Ipv6Addr, length| within(address.to_bits(), network.to_bits(), length, 128);
        let special = V6.iter().find(|(network, length, ..)| is_within(*network, *length));
        let found = match special {
            Some((_, _, reason, closed)) => Some((*reason, *closed)),
            None if is_within(PUBLIC_V6.0, PUBLIC_V6.1) => None,
            None => Some(("reserved", ToPublic)),
        };
        self.judge(address.into(), found)?;
        carried(address).map_or(Ok(()), |inner| self.vet_v4(inner))
    }

    fn judge(
        self,
        address: IpAddr,
        found: Option<(&'static str, Closed)>,
    ) -> Result<(), Forbidden> {
        let Some((reason, closed)) = found else { return Ok(()) };
        let is_open = match (self, closed) {
            (Self::Private | Self::Local, ToPublic) | (Self::Local, ToOthers) => true,
            (Self::Networks(networks), ToPublic) => networks.contain(address),
            _ => false,
        };
        if is_open { Ok(()) } else { Err(Forbidden { reason }) }
    }
}

/// The IPv4 address inside a mapped, compatible, translated (NAT64), 6to4 or Teredo address.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let last = Ipv4Addr::from_bits(address.to_bits() as u32);
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => Some(last),
        [0x64, 0xff9b, 0 | 1, ..] => Some(last),
        [0x2002, high, low, ..] => {
            Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Teredo inverts the address of the client.
        [0x2001, 0, ..] => Some(Ipv4Addr::from_bits(!last.to_bits())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: Egress = Egress::Public;
    const OPEN: Egress = Egress::Local;

    fn vet(egress: Egress, address: &str) -> Result<(), Forbidden> {
        egress.vet(address.parse().unwrap())
    }

    /// First and last address of every closed range, and whether allowing private networks opens
    /// it.
    const CLOSED: &[(&str, &str, bool)] = &[
        ("0.0.0.0", "0.255.255.255", false),
        ("10.0.0.0", "10.255.255.255", true),
        ("100.64.0.0", "100.127.255.255", true),
        ("127.0.0.0", "127.255.255.255", true),
        ("169.254.0.0", "169.254.255.255", false),
        ("172.16.0.0", "172.31.255.255", true),
        ("192.0.0.0", "192.0.0.255", true),
        ("192.0.2.0", "192.0.2.255", true),
        ("192.31.196.0", "192.31.196.255", true),
        ("192.52.193.0", "192.52.193.255", true),
        ("192.88.99.0", "192.88.99.255", true),
        ("192.168.0.0", "192.168.255.255", true),
        ("192.175.48.0", "192.175.48.255", true),
        ("198.18.0.0", "198.19.255.255", true),
        ("198.51.100.0", "198.51.100.255", true),
        ("203.0.113.0", "203.0.113.255", true),
        ("224.0.0.0", "239.255.255.255", false),
        ("240.0.0.0", "255.255.255.254", true),
        ("255.255.255.255", "255.255.255.255", false),
        ("::", "::", false),
        ("::1", "::1", true),
        ("100::", "100::ffff:ffff:ffff:ffff", true),
        ("1fff:ffff::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2001:100::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", true),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("fd00:ec2::", "fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ];

    #[test]
    fn every_special_range_is_closed_from_its_first_to_its_last_address() {
        for (first, last, opens) in CLOSED {
            for address in [first, last] {
                assert!(vet(PUBLIC, address).is_err(), "{address}");
                assert_eq!(vet(OPEN, address).is_ok(), *opens, "{address} with private allowed");
            }
        }
    }

    #[test]
    fn the_neighbors_of_the_special_ranges_are_public() {
        let public = "1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 \
            126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 \
            191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 \
            198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 2001:200:: 2001:4860:4860::8888 \
            2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700::1111 2620:4f:7fff:: 2620:4f:8001:: \
            2a00:1450::1 3ffe:: 3fff:1000::";
        for address in public.split_whitespace() {
            assert_eq!(vet(PUBLIC, address), Ok(()), "{address}");
            assert_eq!(vet(OPEN, address), Ok(()), "{address} with private allowed");
        }
    }

    #[test]
    fn the_services_of_the_cloud_are_closed_even_where_private_addresses_are_open() {
        let services = "169.254.169.254 169.254.170.2 169.254.100.1 169.254.170.23 fd00:ec2::254 \
            fd00:ec2::23 fe80::1 ::ffff:169.254.169.254 ::169.254.169.254 ::ffff:0:169.254.169.254 \
            64:ff9b::169.254.169.254 64:ff9b:1::169.254.169.254 2002:a9fe:a9fe:: \
            2001:0:4136:e378:8000:63bf:5601:5601 ::ffff:0.0.0.0 ::ffff:224.0.0.1";
        for address in services.split_whitespace() {
            assert!(vet(PUBLIC, address).is_err(), "{address}");
            assert!(vet(OPEN, address).is_err(), "{address} with private allowed");
        }
    }

    #[test]
    fn networks_that_are_named_open_nothing_else_and_never_this_machine() {
        let all = "0.0.0.0/0,::/0";
        let parse = |setting: &str| Egress::parse(setting, Egress::Private).unwrap();
        assert_eq!([parse("true"), parse("false")], [Egress::Private, PUBLIC]);
        for (first, last, _) in CLOSED {
            for address in [first, last] {
                let (all, private) = (vet(parse(all), address), vet(Egress::Private, address));
                assert_eq!(all, private, "{address}");
            }
        }
        let some = parse("10.1.0.0/16");
        assert_eq!(vet(some, "10.1.2.3"), Ok(()));
        assert_eq!(vet(some, "8.8.8.8"), Ok(()));
        for address in ["10.2.0.0", "192.168.0.1", "127.0.0.1", "::1", "169.254.169.254"] {
            assert!(vet(some, address).is_err(), "{address}");
        }
    }

    #[test]
    fn private_networks_can_be_open_and_this_machine_closed() {
        let is_local = |address: &str| {
            let carried = "127. ::1 ::ffff:127. 64:ff9b::127. 2002:7f00:";
            carried.split_whitespace().any(|head| address.starts_with(head) && address != "::1:")
        };
        for (first, last, opens) in CLOSED {
            for address in [first, last] {
                let wanted = *opens && !is_local(address);
                assert_eq!(vet(Egress::Private, address).is_ok(), wanted, "{address}");
            }
        }
        for address in
            ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::"]
        {
            let refused = vet(Egress::Private, address).unwrap_err();
            assert_eq!(refused.reason, "loopback", "{address}");
        }
    }

    #[test]
    fn an_ipv6_address_that_carries_an_ipv4_address_is_never_public() {
        let carriers = "::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8 64:ff9b::8.8.8.8 \
            64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 2002:7f00:1:: 2002:808:808:: \
            2001:0:4136:e378:8000:63bf:80ff:fffe 2001::1";
        for address in carriers.split_whitespace() {
            assert!(vet(PUBLIC, address).is_err(), "{address}");
        }
        assert_eq!(vet(OPEN, "::ffff:127.0.0.1"), Ok(()));
        assert_eq!(vet(OPEN, "64:ff9b::10.0.0.1"), Ok(()));
    }
}
