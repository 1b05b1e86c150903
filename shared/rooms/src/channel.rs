//! The live channel, as functions reach it: connections and messages to them.

mod cost;
mod rates;

use std::{sync::Arc, time::Duration};

use aws::{LiveConnections, PostFailure};
use error::Result;
use model::{Millis, live::LiveTask};
use queue::{Message, Queue, Queues};
use tenancy::scopes::{Store, TenantStore};

use self::cost::Cost;
pub use self::rates::Rates;
use crate::connection::{Connection, Departure, NewConnection, OverduePage, OverdueStart};

/// The live channel.
#[derive(Clone)]
pub struct Live {
    connections: LiveConnections,
    store: Store,
    queues: Queues,
    rates: Arc<Rates>,
    cost: Arc<Cost>,
}

impl Live {
    /// The channel during one event.
    pub fn new(
        connections: LiveConnections,
        store: Store,
        queues: Queues,
        rates: Arc<Rates>,
    ) -> Self {
        Self { connections, store, queues, rates, cost: Arc::default() }
    }

    /// Records a connection; one without a token is listed for the timer.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is invalid: it is listed, and not recorded. The error of
    /// `admits` for its tenant. UNAVAILABLE.
    pub async fn connect(
        &self,
        connected: &NewConnection<'_>,
        admits: impl FnOnce(&TenantStore) -> Result<()>,
    ) -> Result<()> {
        Connection::open(&self.store, connected, admits).await
    }

    /// A connection, if it is known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection(&self, id: &str) -> Result<Option<Connection>> {
        Connection::find(&self.store, id).await
    }

    /// A connection, if it is known, also if it has ended a moment ago: for what it sent before.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection_heard(&self, id: &str) -> Result<Option<Connection>> {
        Connection::find_heard(&self.store, id).await
    }

    /// A connection, if it is known, as of now.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection_now(&self, id: &str) -> Result<Option<Connection>> {
        Connection::find_now(&self.store, id).await
    }

    /// Connections whose time to send a token is over, from a position in their list.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn overdue_connections(&self, start: Option<OverdueStart>) -> Result<OverduePage> {
        OverduePage::at(&self.store, start).await
    }

    /// Removes connections from that list.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn unlist_overdue(&self, page: OverduePage) -> Result<()> {
        page.unlist(&self.store).await
    }

    /// Forgets a connection; returns the rooms that it leaves.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: then some of it is left, and expires.
    pub async fn forget(&self, id: &str) -> Result<Vec<Departure>> {
        Connection::forget(&self.store, id).await
    }

    /// Sends a frame to a connection, within two seconds.
    ///
    /// # Errors
    /// See [`PostFailure`].
    pub async fn post(&self, id: &str, frame: Vec<u8>) -> Result<(), PostFailure> {
        self.cost.add(1, frame.len());
        self.connections.post(id, frame).await
    }

    /// Sends frames to connections of this process, within two seconds. None if they are to be sent by
    /// [`Live::post`].
    pub async fn post_within(
        &self,
        posts: &[(&str, Arc<str>)],
    ) -> Option<Vec<Result<(), PostFailure>>> {
        if !self.has_all() {
            return None;
        }
        let owned = posts.iter().map(|(id, text)| ((*id).to_owned(), Arc::clone(text)));
        let posted = self.connections.post_within(owned.collect()).await?;
        self.cost.add(posts.len(), posts.iter().map(|(_, text)| text.len()).sum());
        Some(posted)
    }

    /// Whether this process has all connections: they end with it, and sync when they are back.
    pub fn has_all(&self) -> bool {
        self.connections.are_within()
    }

    /// The channel for posts in the name of several users, which are not counted here: each pays for
    /// its own by [`Live::add_relayed`].
    pub fn of_several(&self) -> Self {
        Self { cost: Arc::default(), ..self.clone() }
    }

    /// How many frames may be posted at a time.
    pub fn posts_at_once(&self) -> usize {
        self.connections.at_once()
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
        let group = tenant.api_key().id.as_str().to_owned();
        let message = Message { body: tenant.envelope(task)?, delay, group };
        self.queues.send(Queue::Live, vec![message]).await
    }

    /// Does work whose units are not charged to the user who caused the event.
    pub async fn free_of_charge<T>(&self, work: impl Future<Output = T>) -> T {
        let units = || {
            let used = self.store.usage();
            used.read_units + used.write_units
        };
        let before = units();
        let done = work.await;
        self.cost.forgive(units() - before);
        done
    }

    /// Adds messages that a worker will post to what the event costs.
    pub fn add_relayed(&self, posts: usize, bytes: usize) {
        self.cost.add(posts, posts.saturating_mul(bytes));
    }

    /// Capacity units that the event has cost so far, with those of the tables and of posts.
    pub fn units(&self) -> f64 {
        self.cost.units(&self.store.usage())
    }

    /// The time of the world, in epoch milliseconds: leases of connections run in it.
    pub fn now(&self) -> Millis {
        self.store.clock().real().millis()
    }
}
