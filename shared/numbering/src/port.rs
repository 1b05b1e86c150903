//! What the algorithm needs of the world.

use std::future::Future;

use error::Result;

use crate::{Counter, Digest, Position};

/// An event on its way into the journal.
#[derive(Clone, Debug)]
pub struct Record<D, E> {
    /// The document that numbers it, if one does.
    pub document: Option<D>,
    /// Where it stands in its stream; none when it was found on its item.
    pub position: Option<Position>,
    /// What tells it from others; the same whenever it comes.
    pub digest: Digest,
    /// The event.
    pub event: E,
}

/// An event with its number; none where no document numbers it.
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
    /// It was not: the row says something else, or there is none. Our own write counts as somebody
    /// else's when its answer was lost.
    Refused(Option<Counter>),
}

/// Counters, entries and queues.
pub trait Journal: Sync {
    /// The key of a document's counter.
    type Document: Clone + Ord + Send + Sync;
    /// An event, which knows its own id.
    type Event: Send + Sync;

    /// The counters of documents, in order, as they are or as they once were: what a counter said of
    /// an event stays true, and the compare-and-set finds out about the rest.
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
    /// UNAVAILABLE: it was written, or it was not.
    fn swap(
        &self,
        document: &Self::Document,
        seen: u64,
        counter: &Counter,
    ) -> impl Future<Output = Result<Swap>> + Send;

    /// Keeps the entries of events and sends them on; returns a result for each, in order. `Ok`
    /// means that the event may be forgotten: it was sent, or it was set aside with its number
    /// because it alone fails. May get events that it has passed on before.
    fn pass_on(
        &self,
        events: Vec<Numbered<Self::Event>>,
    ) -> impl Future<Output = Vec<Result<()>>> + Send;

    /// The number in the entry of an event, if there is an entry.
    ///
    /// # Errors
    /// UNAVAILABLE.
    fn kept(&self, event: &Self::Event)
    -> impl Future<Output = Result<Option<Option<u64>>>> + Send;
}
