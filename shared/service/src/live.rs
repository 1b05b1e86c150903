//! The live channel, as functions reach it: connections and messages to them.

mod bill;
mod pace;

use std::{sync::Arc, time::Duration};

use aws::{LiveConnections, PostFailure};
use error::Result;
use model::{
    Millis, UserId,
    live::{LivePlace, LiveTask},
};
use queue::{Queue, Queues};
use store::{Connection, Member, Store, TenantStore, prelude::*};

pub(crate) use self::{bill::Bill, pace::Pace};
use crate::worker::outgoing;

/// The live channel.
#[derive(Clone)]
pub struct Live {
    pub(crate) connections: LiveConnections,
    pub(crate) store: Store,
    pub(crate) queues: Queues,
    pub(crate) pace: Arc<Pace>,
    pub(crate) bill: Arc<Bill>,
}

/// Messages of a connection: so many at once, and one more in so many milliseconds.
const MAX_MESSAGES: u64 = 300;
const SPEAKS: Millis = 10;

/// Messages of a connection before its token: so many at once, and one more in so many milliseconds.
const MAX_INTRODUCTIONS: u64 = 100;
const INTRODUCES: Millis = 100;
/// Connections of a user that join a place: so many at once, and one more in so many milliseconds.
const MAX_JOINS: u64 = 40;
const JOINS: Millis = 500;
/// Minimum time between two comparisons of a reader's update with its editor, in milliseconds.
const COMPARES: Millis = 10_000;

impl Live {
    /// A connection, if it is known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection(&self, id: &str) -> Result<Option<Connection>> {
        self.store.connections().find(id).await
    }

    /// A connection, if it is known, as of now.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn connection_now(&self, id: &str) -> Result<Option<Connection>> {
        self.store.connections().find_now(id).await
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
        self.bill.add(1, frame.len());
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

    /// Does work whose units are not charged to who caused the event.
    pub async fn free_of_charge<T>(&self, work: impl Future<Output = T>) -> T {
        let units = || {
            let used = self.store.usage();
            used.read_units + used.write_units
        };
        let before = units();
        let done = work.await;
        self.bill.forgive(units() - before);
        done
    }

    /// Adds messages that a worker will post to what the event costs.
    pub fn note_relayed(&self, posts: usize, bytes: usize) {
        self.bill.add(posts, posts.saturating_mul(bytes));
    }

    /// Whether a connection may send another message now: a hundred in a second, more at once.
    pub fn may_speak(&self, id: &str) -> bool {
        self.pace.admits(id.to_owned(), SPEAKS, SPEAKS * MAX_MESSAGES, self.now())
    }

    /// Whether a connection may send another message before its token.
    pub fn may_introduce_itself(&self, id: &str) -> bool {
        let capacity = INTRODUCES * MAX_INTRODUCTIONS;
        self.pace.admits(format!("{id} anonymous"), INTRODUCES, capacity, self.now())
    }

    /// Whether a user may join a place once more now; honest clients wait before they come back.
    pub fn may_join(&self, tenant: &TenantStore, user: &UserId, place: &LivePlace) -> bool {
        let key = &tenant.api_key().id;
        let name = format!("{key} {user} {} {:?}", place.organization_id, place.part);
        self.pace.admits(name, JOINS, JOINS * MAX_JOINS, self.now())
    }

    /// Whether a connection may have an update compared with the whole of an editor, which a reader
    /// needs once after it has joined.
    pub fn may_compare(&self, id: &str, editor: &str) -> bool {
        self.pace.admits(format!("{id} {editor}"), COMPARES, COMPARES, self.now())
    }

    /// The time of the world, in epoch milliseconds: leases of connections run in it.
    pub fn now(&self) -> Millis {
        self.store.clock().real().millis()
    }
}
