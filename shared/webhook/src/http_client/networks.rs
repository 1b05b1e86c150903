//! Private networks that an operator allows for webhooks.

use std::{net::IpAddr, str::FromStr};

/// Maximum number of networks in a list.
const MAX: usize = 16;

/// Networks, in a text such as `10.1.0.0/16,fd12:3456::/32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Networks([Option<(IpAddr, u32)>; MAX]);

impl Networks {
    /// Whether an address is in one of them.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().flatten().any(|(network, length)| match (address, network) {
            (IpAddr::V4(address), IpAddr::V4(network)) => {
                within(address.to_bits().into(), network.to_bits().into(), *length, 32)
            }
            (IpAddr::V6(address), IpAddr::V6(network)) => {
                within(address.to_bits(), network.to_bits(), *length, 128)
            }
            _ => false,
        })
    }
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut networks = [None; MAX];
        for (at, network) in text.split(',').map(str::trim).enumerate() {
            let slot = networks.get_mut(at).ok_or(format!("names more than {MAX} networks"))?;
            let parsed = parse(network).ok_or(format!("names {network:?}, which is no network"))?;
            *slot = Some(parsed);
        }
        Ok(Self(networks))
    }
}

fn parse(network: &str) -> Option<(IpAddr, u32)> {
    let (address, length) = network.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let length: u32 = length.parse().ok()?;
    (length <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, length))
}

/// Whether the first `length` of the `bits` of two addresses are the same.
pub(crate) fn within(address: u128, network: u128, length: u32, bits: u32) -> bool {
    (address ^ network).checked_shr(bits - length).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::Networks;

    #[test]
    fn an_address_is_in_a_network_from_its_first_to_its_last() {
        let networks: Networks = "10.1.0.0/16, 192.168.7.9/32,fd12:3456::/32".parse().unwrap();
        let contain = |address: &str| networks.contain(address.parse().unwrap());
        for inside in ["10.1.0.0", "10.1.255.255", "192.168.7.9", "fd12:3456::", "fd12:3456:ff::"] {
            assert!(contain(inside), "{inside}");
        }
        let outside = ["10.0.255.255", "10.2.0.0", "192.168.7.8", "fd12:3457::", "::ffff:10.1.0.1"];
        for outside in outside {
            assert!(!contain(outside), "{outside}");
        }
        let all: Networks = "0.0.0.0/0,::/0".parse().unwrap();
        assert!(["1.2.3.4", "::1"].iter().all(|address| all.contain(address.parse().unwrap())));
    }

    #[test]
    fn what_is_no_network_is_named() {
        for text in ["", "10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/x", "yes", "10.0.0.0/8,"] {
            assert!(text.parse::<Networks>().unwrap_err().ends_with("is no network"), "{text}");
        }
        let many = ["10.0.0.0/8"; 17].join(",");
        assert_eq!(many.parse::<Networks>().unwrap_err(), "names more than 16 networks");
    }
}
