//! Bytes of messages that a connection keeps after they were handled, such as state vectors. They
//! are counted for its user as long as they are kept; without them, a client gets more than it
//! lacks.

use std::sync::Arc;

use super::budget::units;
use crate::net::{Parts, Payer, SharePermit, Shares, is_lifted};

/// Largest of it, in bytes.
const MAX_KEPT: usize = 256 * 1024;
/// Size up to which it is not counted, in bytes.
const FREE: usize = 256;
/// All of a process, of a tenant's users and of a user, in KiB.
const ALL: usize = 256 * 1024;
const OF_KEY: usize = 64 * 1024;
const OF_USER: usize = 8 * 1024;

/// Bytes that outlive their message.
#[derive(Debug)]
pub(in crate::live) struct Kept {
    bytes: Vec<u8>,
    _share: Option<SharePermit>,
}

impl Kept {
    pub(in crate::live) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// The memory of all connections for that.
#[derive(Clone)]
pub(in crate::live) struct Memory(Arc<Shares>);

impl Default for Memory {
    fn default() -> Self {
        let parts = Parts { user: OF_USER, key: OF_KEY, ..Parts::default() };
        Self(Arc::new(Shares::new("state vectors", ALL, parts)))
    }
}

impl Memory {
    /// Keeps bytes, if they are few enough and the payer has memory left.
    pub(in crate::live) fn keep(&self, payer: &Payer, mut bytes: Vec<u8>) -> Option<Kept> {
        if bytes.len() <= FREE {
            bytes.shrink_to_fit();
            return Some(Kept { bytes, _share: None });
        }
        if bytes.len() > MAX_KEPT && !is_lifted("state vectors") {
            return None;
        }
        let share = self.0.try_take(payer, units(bytes.len()))?;
        bytes.shrink_to_fit();
        Some(Kept { bytes, _share: Some(share) })
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEPT, Memory, OF_USER};
    use crate::net::Payer;

    #[test]
    fn a_user_keeps_so_much_in_all_connections() {
        let memory = Memory::default();
        let user = |user: &str| Payer::User { key: "k".to_owned(), user: user.to_owned() };
        let keep = |payer: &Payer| memory.keep(payer, vec![0; MAX_KEPT]);
        let kept: Vec<_> = (0..100).map_while(|_| keep(&user("ann"))).collect();
        assert_eq!(kept.len(), OF_USER * 1024 / MAX_KEPT);
        assert!(keep(&user("bob")).is_some());
        drop(kept);
        assert!(keep(&user("ann")).is_some());
        assert!(memory.keep(&user("ann"), vec![0; MAX_KEPT + 1]).is_none());
        let stranger = Payer::Unproven("9.9.9.9".parse().unwrap());
        assert!(keep(&stranger).is_none() && memory.keep(&stranger, vec![0]).is_some());
    }
}
