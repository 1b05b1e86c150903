//! The rows of webhooks: endpoints, and the ledger of deliveries.
//!
//! An endpoint keeps its previous versions, so that the configuration at the time of an event
//! selects its subscribers. The entry of the journal is the message of the ledger; a delivery is
//! one row with its attempts, written after the first attempt. Only pending rows have a due time.
//!
//! | File | Rows |
//! |---|---|
//! | `keys.rs` | their keys |
//! | `endpoints.rs`, `changed_endpoints.rs` | endpoints, with the count and the uids of the key |
//! | `receivers.rs` | the receiver of a message, an endpoint or a basic webhook, and its target |
//! | `subscribers.rs` | the endpoints of an event, by the configuration at its time |
//! | `messages.rs` | entries of the journal, which are messages |
//! | `ledger.rs`, `ledger_lists.rs` | deliveries, and the state of each endpoint |
//! | `debounce.rs` | the last change of an editor |
//! | `expunge.rs` | erasure of a user from messages and replies |

mod changed_endpoints;
mod debounce;
mod endpoints;
mod expunge;
mod keys;
mod ledger;
mod ledger_lists;
mod messages;
mod receivers;
mod subscribers;

use tenancy::scopes::TenantStore;

pub(crate) use debounce::Debounce;
pub(crate) use messages::MessageContent;
pub(crate) use receivers::{EndpointTarget, Receiver, is_basic, target_of};
pub(crate) use subscribers::FEW_ENDPOINTS;
pub use subscribers::{Endpoints, channels_of};

/// The webhooks of a tenant: endpoints, and the ledger of deliveries.
#[derive(Clone, Copy)]
pub struct Webhooks<'a>(&'a TenantStore);

/// Enters the webhooks of a tenant from its scope.
pub trait TenantWebhooks {
    /// Webhook endpoints, and the ledger of deliveries.
    fn webhooks(&self) -> Webhooks<'_>;
}

impl TenantWebhooks for TenantStore {
    fn webhooks(&self) -> Webhooks<'_> {
        Webhooks(self)
    }
}
