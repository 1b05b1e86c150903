//! The journal: numbered and stored events of the streams.
//!
//! Items carry the events of their last write (`event.rs`). The stream of their table delivers both
//! images of each write (`record.rs`), `numbering.rs` numbers the events by the counters of their
//! documents (`counter.rs`), and an event for people, or with a subscriber
//! (crate `webhook`), gets an entry (`entry.rs`). Events that expired in the stream are found on the items
//! (`lost.rs`).
//!
//! | Row of `Events` | Partition | Sort key | Kept |
//! |---|---|---|---|
//! | counter, with the end of subscriptions (crate `rooms`) | `key#K#organization#O#document#D` | `counter` | unlimited: a document with the same id continues counting |
//! | entry | that of the organization, or of the tenant | `event#E` | 90 days |

mod counter;
mod entry;
mod lost;
mod memory;
pub mod numbering;
mod record;

use tenancy::scopes::{OrganizationStore, TenantStore};

pub use counter::{CountedIn, LastPosition, LogStart};
pub use entry::{EVENT_BODY, StoredEvent};
pub use lost::{FoundEvents, ScanPlace};
pub(crate) use memory::Memory;
pub use record::{Lane, Recorded, recorded};

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Stored events of the journal.
    events: Events,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Counters of the events of documents.
    counters: Counters,
}
