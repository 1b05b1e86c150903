//! Webhook endpoints, and the ledger of deliveries.
//!
//! An endpoint keeps its previous versions, so that the configuration at the time of an event
//! selects its subscribers. The entry of the journal is the message of the ledger; a delivery is
//! one row with its attempts, written after the first attempt. Only pending rows have a due time.

mod changed_endpoints;
mod debounce;
mod ledger;
mod ledger_lists;
pub(crate) mod messages;
pub(crate) mod subscribers;
mod webhook_endpoints;

pub use debounce::Debounce;
pub use ledger::LoadedDelivery;
pub use messages::{Wanted, message_id};
pub use subscribers::{FEW_ENDPOINTS, channels_of};
pub use webhook_endpoints::Receiver;
