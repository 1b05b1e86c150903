//! Limits of the messages that wait for clients: of each client, of each tenant and of all.
//!
//! A client that does not read takes memory. Beyond a bound, those who have read least of a tenant
//! make room: they are disconnected, connect again and sync.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;

/// Maximum of one client in bytes. That of API Gateway is not documented.
const BUFFER: usize = 1024 * 1024;
/// Maximum of the clients of one tenant together, and of all clients.
const TENANT_BUFFERS: usize = 64 * 1024 * 1024;
const ALL_BUFFERS: usize = 256 * 1024 * 1024;
/// Overhead of a buffered message.
const OVERHEAD: usize = 128;

/// Whether nothing bounds them, which `.ci/try-strangers --mutants` has to find. Release builds keep
/// the bounds.
#[expect(clippy::disallowed_methods, reason = "no setting of a service that anybody uses")]
fn are_lifted() -> bool {
    static ARE_LIFTED: LazyLock<bool> = LazyLock::new(|| {
        std::env::var("ROUNDTABLE_LIFTED").is_ok_and(|bound| bound == "unread messages")
    });
    cfg!(debug_assertions) && *ARE_LIFTED
}

/// The buffers of all clients.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers(Arc<Mutex<Held>>);

/// Buffered bytes. Clients without messages are not in it.
#[derive(Debug, Default)]
struct Held {
    clients: BTreeMap<Arc<str>, (Arc<str>, usize)>,
    tenants: BTreeMap<Arc<str>, usize>,
    all: usize,
}

/// The place of a message in the buffer of its client, until dropped.
#[derive(Debug)]
pub(crate) struct BufferSlot {
    buffers: Buffers,
    client: Arc<str>,
    bytes: usize,
}

impl Drop for BufferSlot {
    fn drop(&mut self) {
        self.buffers.0.lock().give(&self.client, self.bytes);
    }
}

impl Buffers {
    /// Takes a place for a message to a client of a tenant; none if its buffer is full. Others may
    /// have to make room: these hold nothing any more, and have to be disconnected.
    pub(crate) fn take(
        &self,
        client: &Arc<str>,
        tenant: &Arc<str>,
        length: usize,
    ) -> Option<(BufferSlot, Vec<Arc<str>>)> {
        let (mut held, bytes) = (self.0.lock(), length + OVERHEAD);
        if held.of_client(client) + bytes > BUFFER && !are_lifted() {
            return None;
        }
        held.add(client, tenant, bytes);
        let mut slowest = vec![];
        while let Some(client) = held.is_crowded(tenant).then(|| held.slowest(tenant)).flatten() {
            held.forget(&client);
            slowest.push(client);
        }
        Some((BufferSlot { buffers: self.clone(), client: Arc::clone(client), bytes }, slowest))
    }

    /// Counts what a client holds as another tenant's.
    pub(crate) fn move_to(&self, client: &Arc<str>, tenant: &Arc<str>) {
        let mut held = self.0.lock();
        let bytes = held.of_client(client);
        if bytes > 0 {
            held.forget(client);
            held.add(client, tenant, bytes);
        }
    }
}

impl Held {
    fn of_client(&self, client: &str) -> usize {
        self.clients.get(client).map_or(0, |(_, bytes)| *bytes)
    }

    fn add(&mut self, client: &Arc<str>, tenant: &Arc<str>, bytes: usize) {
        let empty = || (Arc::clone(tenant), 0);
        self.clients.entry(Arc::clone(client)).or_insert_with(empty).1 += bytes;
        *self.tenants.entry(Arc::clone(tenant)).or_default() += bytes;
        self.all += bytes;
    }

    /// Gives bytes of a client back, unless it is forgotten.
    fn give(&mut self, client: &str, bytes: usize) {
        let Some((tenant, own)) = self.clients.get_mut(client) else { return };
        let tenant = Arc::clone(tenant);
        *own -= bytes.min(*own);
        if *own == 0 {
            self.clients.remove(client);
        }
        if let Some(of_tenant) = self.tenants.get_mut(&tenant) {
            *of_tenant -= bytes.min(*of_tenant);
            if *of_tenant == 0 {
                self.tenants.remove(&tenant);
            }
        }
        self.all -= bytes.min(self.all);
    }

    fn forget(&mut self, client: &str) {
        self.give(client, self.of_client(client));
    }

    fn is_crowded(&self, tenant: &str) -> bool {
        let is_over = |tenant: &usize| *tenant > TENANT_BUFFERS;
        (self.all > ALL_BUFFERS || self.tenants.get(tenant).is_some_and(is_over)) && !are_lifted()
    }

    /// The client that holds most of this tenant, if the tenant has more than its part; otherwise
    /// of the tenant that has most.
    fn slowest(&self, tenant: &Arc<str>) -> Option<Arc<str>> {
        let is_own = self.tenants.get(tenant).is_some_and(|bytes| *bytes > TENANT_BUFFERS);
        let most = || self.tenants.iter().max_by_key(|(_, bytes)| **bytes).map(|(it, _)| it);
        let tenant = if is_own { tenant } else { most()? };
        let own = self.clients.iter().filter(|(_, (of, _))| of == tenant);
        own.max_by_key(|(_, (_, bytes))| *bytes).map(|(client, _)| Arc::clone(client))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ALL_BUFFERS, BUFFER, BufferSlot, Buffers, OVERHEAD, TENANT_BUFFERS};

    const KB_64: usize = 64 * 1024 - OVERHEAD;

    /// Takes a place of 64 KB; the names of the clients that have to make room.
    fn take(
        buffers: &Buffers,
        places: &mut Vec<BufferSlot>,
        client: &str,
        tenant: &str,
    ) -> Option<Vec<String>> {
        let (place, slowest) = buffers.take(&client.into(), &tenant.into(), KB_64)?;
        places.push(place);
        Some(slowest.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_client_has_a_buffer_of_its_own() {
        let (buffers, mut places) = (Buffers::default(), vec![]);
        for _ in 0..BUFFER / 65_536 {
            assert_eq!(take(&buffers, &mut places, "a", "t"), Some(vec![]));
        }
        assert_eq!(take(&buffers, &mut places, "a", "t"), None);
        places.pop();
        assert_eq!(take(&buffers, &mut places, "a", "t"), Some(vec![]));
        places.clear();
        assert!(buffers.0.lock().clients.is_empty() && buffers.0.lock().tenants.is_empty());
        assert_eq!(buffers.0.lock().all, 0);
    }

    #[test]
    fn the_slowest_of_a_tenant_make_room_and_nobody_of_another() {
        let (buffers, mut places) = (Buffers::default(), vec![]);
        take(&buffers, &mut places, "other", "u");
        for n in 0..TENANT_BUFFERS / 65_536 - 1 {
            let client = format!("c{n}");
            assert_eq!(take(&buffers, &mut places, &client, "t"), Some(vec![]), "{n}");
        }
        assert_eq!(take(&buffers, &mut places, "c7", "t"), Some(vec![]));
        assert_eq!(take(&buffers, &mut places, "late", "t"), Some(vec!["c7".to_owned()]));
        assert_eq!(take(&buffers, &mut places, "late", "t"), Some(vec![]), "it was two");
        // Bytes that the slow client held are given back later, and count no more.
        let before = buffers.0.lock().all;
        places.remove(8);
        assert_eq!(buffers.0.lock().all, before);
    }

    #[test]
    fn all_tenants_together_have_a_bound() {
        let (buffers, mut places) = (Buffers::default(), vec![]);
        let tenants = 2 * ALL_BUFFERS / TENANT_BUFFERS;
        let mut slowest = vec![];
        for n in 0..ALL_BUFFERS / 65_536 {
            let tenant = format!("t{}", n % tenants);
            slowest.extend(take(&buffers, &mut places, &format!("{tenant} {n}"), &tenant).unwrap());
        }
        assert!(slowest.is_empty());
        let made_room = take(&buffers, &mut places, "new", "new").unwrap();
        assert_eq!(made_room.len(), 1);
        assert_ne!(made_room[0], "new");
        assert!(buffers.0.lock().all <= ALL_BUFFERS);
    }

    #[test]
    fn what_a_client_holds_goes_with_it_to_another_tenant() {
        let (buffers, mut places) = (Buffers::default(), vec![]);
        take(&buffers, &mut places, "a", "");
        buffers.move_to(&"a".into(), &"t".into());
        let tenants: Vec<Arc<str>> = buffers.0.lock().tenants.keys().cloned().collect();
        assert_eq!(tenants, ["t".into()]);
        places.clear();
        assert!(buffers.0.lock().tenants.is_empty());
    }
}
