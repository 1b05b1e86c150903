//! Questions of the store about the connections of peers.

use std::collections::{BTreeMap, BTreeSet};

use error::Result;
use model::{Millis, UserId, live::LivePlace};
use tenancy::scopes::TenantStore;

/// The announcement of a client by a connection.
pub struct Announced {
    /// The time (epoch milliseconds) when the connection joined.
    pub since: Millis,
    /// Whether it is another user's.
    pub is_foreign: bool,
}

/// Knows the connections in rooms.
pub trait Rooms: Sync {
    /// The `clients` that a connection has announced in a room: one of another user than `user`,
    /// if there is one.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn announced(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        user: &UserId,
        clients: &BTreeSet<u64>,
    ) -> impl Future<Output = Result<BTreeMap<u64, Announced>>> + Send;

    /// Whether the writer may have joined a room up to that time (epoch milliseconds), and read what
    /// was there then.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    fn may_have_read_before(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        at: Millis,
    ) -> impl Future<Output = Result<bool>> + Send;
}
