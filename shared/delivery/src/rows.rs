//! The port to the rows of a tenant's work.

use error::Result;
use model::{AnnotationId, DocumentId, Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Names a row of a tenant's work; the store turns it into keys. It travels in hints, too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RowKey {
    /// An event with its first recipients ([`crate::PendingEvent`]).
    Pending {
        /// The event.
        event_id: String,
    },
    /// Further recipients of an event ([`crate::Recipients`]).
    Recipients {
        /// The event.
        event_id: String,
        /// The page, counted from 1; the first recipients are in the row of the event.
        page: u32,
    },
    /// What is taken together at present ([`crate::Windows`]).
    Windows {
        /// The organization.
        organization_id: OrganizationId,
        /// The document whose activities they take; those of all documents when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document_id: Option<DocumentId>,
        /// The recipients from this one on, up to the next row; from the first when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<UserId>,
    },
    /// A mail to be sent ([`crate::Mail`]).
    Mail {
        /// The organization.
        organization_id: OrganizationId,
        /// The recipient.
        user_id: UserId,
        /// The delivery it tells of ([`crate::Notice::generation`]), or its own when it tells of the rest of an
        /// hour.
        generation: String,
    },
    /// How many mails there were in this hour ([`crate::Quota`]).
    Quota {
        /// The organization.
        organization_id: OrganizationId,
        /// The recipient.
        user_id: UserId,
    },
    /// What mails to a recipient call a thread ([`crate::Topic`]).
    Topic {
        /// The organization.
        organization_id: OrganizationId,
        /// The recipient.
        user_id: UserId,
        /// The document of the thread.
        document_id: DocumentId,
        /// The thread.
        annotation_id: AnnotationId,
    },
    /// What a provider reported of a mail ([`crate::Feedback`]).
    Feedback {
        /// The tag of the mail at the provider.
        tag: String,
    },
    /// An address that takes no mail ([`crate::Suppressed`]).
    Suppressed {
        /// The address, in lower case. The store keeps only a hash of it.
        address: String,
    },
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// A [`crate::Body`] as JSON.
    pub body: Value,
    /// When the row is to be woken; absent when nothing is left to do. A sweep each minute hints
    /// every row that becomes due within two minutes, and every overdue one again.
    pub due: Option<Millis>,
    /// From when it counts as absent, to the second; a row with `due` has none.
    pub expires: Option<Millis>,
}

/// A row as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The row.
    pub row: Row,
    /// Opaque; another one after every change.
    pub version: String,
}

/// A change that happens only if nobody was faster.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Writes a row.
    Put {
        /// Its key.
        key: RowKey,
        /// The new row.
        row: Row,
        /// The version it must have; when absent, there must be no row, or only an expired one.
        seen: Option<String>,
    },
    /// Removes a row.
    Delete {
        /// Its key.
        key: RowKey,
        /// The version it must have.
        seen: String,
    },
}

/// The rows of one tenant. What is said here is tried with everything that implements it, by the
/// crate `conformance`.
pub trait Rows: Send + Sync {
    /// The time of this machine, which may differ from that of others.
    fn now(&self) -> Millis;

    /// A new ULID.
    fn new_id(&self) -> String;

    /// Reads up to 100 rows, strongly consistent, in the order of the keys. An expired row is
    /// none, though the database may still have it. No key is named twice.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn load(&self, keys: &[RowKey]) -> impl Future<Output = Result<Vec<Option<Stored>>>> + Send;

    /// Makes up to 100 changes of different rows, 3 MB together, all or none; false when one of
    /// them found another version than it was to. When a repetition within the store meets the
    /// effect of its own lost call, that is true. A single change needs no transaction.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time; the changes may have been made.
    fn commit(&self, changes: Vec<Change>) -> impl Future<Output = Result<bool>> + Send;

    /// Asks for [`crate::wake`] of rows at a time; rows that are due already come at once. A hint
    /// only: one for the far future may be left to the sweep, and any of them may get lost.
    ///
    /// # Errors
    /// UNAVAILABLE when hints could not be sent; nobody need care.
    fn wake(&self, hints: Vec<(RowKey, Millis)>) -> impl Future<Output = Result<()>> + Send;
}
