//! The port to the rows of a tenant's pending work.

pub(crate) mod typed;

use error::Result;
use model::{AnnotationId, DocumentId, Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The reference to a row of pending work; the store derives its key. Hints contain it as well.
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
    /// Open windows ([`crate::Windows`]).
    Windows {
        /// The organization.
        organization_id: OrganizationId,
        /// The document of the windows; all documents when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document_id: Option<DocumentId>,
        /// The first recipient of the row, up to the next row; from the start when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<UserId>,
        /// The only recipient of the row, whose windows are apart from those of others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<UserId>,
    },
    /// A mail ([`crate::Mail`]).
    Mail {
        /// The organization.
        organization_id: OrganizationId,
        /// The recipient.
        user_id: UserId,
        /// Delivery of the mail ([`crate::Notice::generation`]), or its own generation for a
        /// collapsed mail.
        generation: String,
    },
    /// The hourly mail count ([`crate::Quota`]).
    Quota {
        /// The organization.
        organization_id: OrganizationId,
        /// The recipient.
        user_id: UserId,
    },
    /// The subject of a thread in mails ([`crate::Topic`]).
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
    /// Reports about a mail ([`crate::Feedback`]).
    Feedback {
        /// The tag of the mail at the provider.
        tag: String,
    },
    /// The hourly limit of an address ([`crate::Slots`]).
    Slots {
        /// The address, in lower case. The store keeps only its hash.
        address: String,
    },
    /// An address that is unsubscribed ([`crate::Unsubscribed`]).
    Unsubscribed {
        /// The organization.
        organization_id: OrganizationId,
        /// Digest of the address, in lower case.
        address: String,
        /// The document of the mails; all of the organization when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document_id: Option<DocumentId>,
    },
    /// A suppressed address ([`crate::Suppressed`]).
    Suppressed {
        /// The address, in lower case. The store keeps only its hash.
        address: String,
    },
}

impl RowKey {
    /// Whether the worker of mails processes the row when it is due; that of notifications
    /// processes the others.
    pub const fn is_for_mails(&self) -> bool {
        matches!(self, Self::Mail { .. })
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// A [`crate::RowBody`] as JSON.
    pub body: Value,
    /// Due time; absent when nothing is pending. A sweep each minute sends hints for rows that are
    /// due within two minutes, and repeats overdue ones.
    pub due: Option<Millis>,
    /// Expiry, in seconds; a row with `due` has none.
    pub expires: Option<Millis>,
}

/// A row with its version.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRow {
    /// The row.
    pub row: Row,
    /// Opaque; different after every change.
    pub version: String,
}

/// A message that wakes a worker for a row at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The key of the row.
    pub key: RowKey,
    /// The time at which the worker is woken, by the tenant's clock.
    pub at: Millis,
}

/// A conditional change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Writes a row.
    Put {
        /// Key of the row.
        key: RowKey,
        /// The new row.
        row: Row,
        /// The expected version; when absent, there must be no row, or only an expired one.
        seen: Option<String>,
    },
    /// Removes a row.
    Delete {
        /// Key of the row.
        key: RowKey,
        /// The expected version.
        seen: String,
    },
}

/// The outcome of conditional changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// All changes were made.
    Written {
        /// The version of the written rows.
        version: String,
    },
    /// Some row had another version, so no change was made.
    Conflict,
}

impl Committed {
    /// Whether the changes were made.
    pub const fn is_written(&self) -> bool {
        matches!(self, Self::Written { .. })
    }
}

/// The rows of one tenant. The crate `conformance` tests every implementation against this
/// contract.
pub trait Rows: Send + Sync {
    /// Local time, which may differ from that of other machines.
    fn now(&self) -> Millis;

    /// A new ULID.
    fn new_id(&self) -> String;

    /// Reads up to 100 rows, strongly consistent, in the order of the keys. An expired row counts
    /// as absent. Keys are distinct.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn load(&self, keys: &[RowKey]) -> impl Future<Output = Result<Vec<Option<StoredRow>>>> + Send;

    /// Makes up to 100 changes of different rows, 3 MB together, all or none. A retry within the
    /// store that meets the effect of its own lost call counts as written. A single change needs no
    /// transaction.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time; the changes may be made.
    fn commit(&self, changes: Vec<Change>) -> impl Future<Output = Result<Committed>> + Send;

    /// Sends hints for rows; hints for due rows arrive at once. A hint may get lost; one for the far
    /// future may be left to the sweep.
    ///
    /// # Errors
    /// UNAVAILABLE when hints could not be sent; callers may ignore it.
    fn wake(&self, hints: Vec<Hint>) -> impl Future<Output = Result<()>> + Send;
}

/// Whether it is too early by the local clock; then a later hint is sent (rule N18).
pub(crate) async fn is_early(rows: &impl Rows, key: &RowKey, due: Millis) -> Result<bool> {
    if rows.now() >= due {
        return Ok(false);
    }
    rows.wake(vec![Hint { key: key.clone(), at: due }]).await?;
    Ok(true)
}
