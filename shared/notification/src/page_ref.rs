//! References to pages of recipients.

use serde::{Deserialize, Serialize};

use crate::RowKey;

/// The reference to a page of an event's recipients.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageRef {
    /// The event.
    #[serde(rename = "e")]
    pub event_id: String,
    /// The number of the page; the first is in the row of the event.
    #[serde(rename = "p", default, skip_serializing_if = "is_first")]
    pub page: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_first(page: &u32) -> bool {
    *page == 0
}

impl PageRef {
    /// The first page of an event.
    pub fn first(event_id: &str) -> Self {
        Self { event_id: event_id.to_owned(), page: 0 }
    }

    /// The key of its row.
    pub fn key(&self) -> RowKey {
        let event_id = self.event_id.clone();
        match self.page {
            0 => RowKey::Pending { event_id },
            page => RowKey::Recipients { event_id, page },
        }
    }

    /// The key of the row of its event.
    pub fn event_key(&self) -> RowKey {
        RowKey::Pending { event_id: self.event_id.clone() }
    }

    /// The delivery of the page itself, without a window.
    pub fn generation(&self) -> String {
        match self.page {
            0 => self.event_id.clone(),
            page => format!("{}.{page}", self.event_id),
        }
    }
}
