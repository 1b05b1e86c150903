//! Event sources of workers.

use error::{Error, Result};
use model::clock::ClockOffset;
use queue::Queue;
use rooms::{DocumentChange, TenantMessage};
use serde::Serialize;
use serde_json::Value;
use store::Table;

use crate::message::{Incoming, Sender};

/// A filter of the changes of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The table.
    pub table: Table,
    /// A change passes if it passes one of these.
    pub filters: &'static [ChangeFilter],
}

/// Beginnings of sort keys, and kinds of changes, such as `MODIFY`.
pub type ChangeFilter = (&'static [&'static str], &'static [&'static str]);

/// Event source of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Messages of a queue, each an envelope of a tenant's message.
    Queue(Queue),
    /// Events on items of these tables, from the streams.
    Stream(&'static [Table]),
    /// Changes of items of a table, from its stream.
    Changes(Changes),
    /// A call of an operator, for events that items of these tables still carry.
    Operator(&'static [Table]),
    /// The minute timer.
    EveryMinute,
}

impl Changes {
    /// The messages of stream records that concern connections, each with the position of its first
    /// record, in order.
    pub(crate) fn incoming(&self, records: &[Value]) -> Vec<(usize, Result<Incoming>)> {
        match self.table {
            Table::Resources => {
                let reviews = records.iter().enumerate().filter_map(|(at, record)| {
                    Some((at, rooms::review_in_record(record).transpose()?.and_then(incoming)))
                });
                reviews.collect()
            }
            _ => {
                let changes = DocumentChange::in_records(records).into_iter();
                changes.map(|(at, change)| (at, change.and_then(incoming))).collect()
            }
        }
    }
}

fn incoming<M: Serialize>(found: TenantMessage<M>) -> Result<Incoming> {
    let TenantMessage { tenant, message } = found;
    let message = serde_json::to_value(message).map_err(Error::internal)?;
    Ok(Incoming { sender: Some(Sender { tenant, ahead: ClockOffset::default() }), message })
}
