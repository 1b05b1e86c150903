//! The live channel, as functions reach it: connections and messages to them.

use std::time::Duration;

use aws::{LiveConnections, PostFailure};
use error::Result;
use model::{
    Millis,
    live::{LivePlace, LiveTask},
};
use queue::{Queue, Queues};
use store::{Connected, Connection, Member, Store, TenantStore};

use crate::worker::outgoing;

/// The live channel.
#[derive(Clone)]
pub struct Live {
    pub(crate) connections: LiveConnections,
    pub(crate) store: Store,
    pub(crate) queues: Queues,
}

impl Live {
    /// Records a connection.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is none; UNAVAILABLE.
    pub async fn connect(&self, connected: &Connected<'_>) -> Result<()> {
        self.store.connect(connected).await
    }

    /// A connection, if it is known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection(&self, id: &str) -> Result<Option<Connection>> {
        self.store.connection(id).await
    }

    /// A connection, if it is known, as of now.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection_now(&self, id: &str) -> Result<Option<Connection>> {
        self.store.connection_now(id).await
    }

    /// Forgets a connection; returns what it listened to, and in whose tenant.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: then some of it is left, and expires.
    pub async fn forget(
        &self,
        id: &str,
    ) -> Result<Option<(TenantStore, Vec<(LivePlace, Member)>)>> {
        Connection::forget(id, &self.store).await
    }

    /// Sends a frame to a connection, within two seconds.
    ///
    /// # Errors
    /// See [`PostFailure`].
    pub async fn post(&self, id: &str, frame: Vec<u8>) -> Result<(), PostFailure> {
        self.connections.post(id, frame).await
    }

    /// Closes a connection, within two seconds.
    ///
    /// # Errors
    /// See [`PostFailure`].
    pub async fn close(&self, id: &str) -> Result<(), PostFailure> {
        self.connections.close(id).await
    }

    /// Sends a task to the worker of the live channel in the name of a tenant, after `delay`.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send(&self, tenant: &TenantStore, task: &LiveTask, delay: Duration) -> Result<()> {
        self.queues.send(Queue::Live, vec![outgoing(tenant, task, delay)?]).await
    }

    /// The time of the world, in epoch milliseconds: leases of connections run in it.
    pub fn now(&self) -> Millis {
        self.store.clock().real()
    }
}
