//! The messages of the worker of notifications.

use model::event::EventRef;
use serde::{Deserialize, Serialize};

use crate::RowKey;

/// A message of the queue of notifications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NotificationTask {
    /// An event with possible recipients.
    Offer(EventRef),
    /// A row is due.
    Wake(RowKey),
}
