//! Requests and results of reads.

use crate::Item;

/// One page of a query.
#[derive(Debug, Default)]
pub struct QueryPage {
    /// The items.
    pub items: Vec<Item>,
    /// Start of the next page; none at the end.
    pub next: Option<Item>,
}

/// Result of a batch of reads.
#[derive(Debug, Default)]
pub struct BatchRead {
    /// The items that exist.
    pub items: Vec<Item>,
    /// Unprocessed keys.
    pub unprocessed: Vec<Item>,
}

/// A query of one partition.
#[derive(Clone, Debug)]
pub struct Query {
    /// Table, without the prefix of the deployment.
    pub table: &'static str,
    /// Index; reads of an index are eventually consistent.
    pub index: Option<&'static str>,
    /// Name and value of the partition key.
    pub partition: (&'static str, String),
    /// Name and prefix of the sort key.
    pub prefix: Option<(&'static str, String)>,
    /// Name and inclusive upper bound of the sort key, instead of `prefix`.
    pub up_to: Option<(&'static str, String)>,
    /// Name and inclusive bounds of the sort key, instead of `prefix`.
    pub between: Option<(&'static str, String, String)>,
    /// Continuation.
    pub start: Option<Item>,
    /// At most this many items.
    pub limit: i32,
    /// Ascending by sort key.
    pub ascending: bool,
    /// Only these attributes; all when empty.
    pub only: Vec<&'static str>,
}
