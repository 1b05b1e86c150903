//! The ports of the algorithm.

use std::future::Future;

use error::Result;

use super::{Counter, Digest, Position};

/// An unnumbered event.
#[derive(Clone, Debug)]
pub struct Record<D, E> {
    /// The document that numbers it, if any.
    pub document: Option<D>,
    /// Position of the event in its stream; none when it was found on its item.
    pub position: Option<Position>,
    /// Digest of the event; the same in every repetition.
    pub digest: Digest,
    /// The event.
    pub event: E,
}

/// An event with its number; none outside documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered<E> {
    /// The number.
    pub seq: Option<u64>,
    /// The event.
    pub event: E,
}

/// Outcome of a compare-and-set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swap {
    /// The counter was written.
    Done,
    /// Not written: the row has another value, or does not exist. A write with a lost reply counts
    /// as a concurrent one.
    Refused(Option<Counter>),
}

/// The entry of an event, as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventEntry {
    /// There is none.
    Missing,
    /// The entry is stored.
    Stored {
        /// The number of the event; none outside documents.
        seq: Option<u64>,
    },
}

/// Counters, entries and queues.
pub trait Journal: Sync {
    /// The key of a document's counter.
    type Document: Clone + Ord + Send + Sync;
    /// An event, which knows its own id.
    type Event: Send + Sync;

    /// The counters of documents, in order, current or stale: a stale one is still true about its
    /// events, and the compare-and-set detects the rest.
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn load(
        &self,
        documents: &[Self::Document],
    ) -> impl Future<Output = Result<Vec<Option<Counter>>>> + Send;

    /// Writes a counter if the last number in the row is `seen`, or if there is no row and `seen`
    /// is 0.
    ///
    /// # Errors
    /// UNAVAILABLE: the write may have happened.
    fn swap(
        &self,
        document: &Self::Document,
        seen: u64,
        counter: &Counter,
    ) -> impl Future<Output = Result<Swap>> + Send;

    /// Stores the entries of events and dispatches them; returns a result for each, in order. `Ok`
    /// means that the event is finished: dispatched, or set aside with its number because it alone
    /// fails. May repeat events.
    fn pass_on(
        &self,
        events: Vec<Numbered<Self::Event>>,
    ) -> impl Future<Output = Vec<Result<()>>> + Send;

    /// The entry of an event.
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn find_entry(&self, event: &Self::Event) -> impl Future<Output = Result<EventEntry>> + Send;
}
