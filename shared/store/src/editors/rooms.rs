//! Questions of the store about the connections of peers.

use std::collections::{BTreeMap, BTreeSet};

use error::Result;
use model::{Millis, UserId, live::LivePlace};
use tenancy::scopes::TenantStore;

/// Knows the connections in rooms.
pub trait Rooms: Sync {
    /// Those of `clients` that a connection of another user than `user` has announced in a room, each
    /// with the time (epoch milliseconds) when the connection joined.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn announced_by_others(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        user: &UserId,
        clients: &BTreeSet<u64>,
    ) -> impl Future<Output = Result<BTreeMap<u64, Millis>>> + Send;

    /// Whether the writer joined a room up to that time (epoch milliseconds), and is still in it: it
    /// has read what was there then.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn has_read_before(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        at: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
}
