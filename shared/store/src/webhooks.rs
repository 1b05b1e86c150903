//! Webhook endpoints, and the ledger of what was sent to them.
//!
//! An endpoint keeps its last versions, so that what wanted an event is decided by the configuration of
//! its time. The entry of the journal is the message of the ledger; its outcome at an endpoint is
//! one row with its attempts, written after the first attempt. Only a row that waits is due.

mod debounce;
mod ledger;
mod ledger_lists;
pub(crate) mod listeners;
pub(crate) mod messages;
mod webhook_endpoints;

pub use debounce::Debounce;
pub use ledger::LoadedDelivery;
pub use listeners::{FEW_ENDPOINTS, channels_of};
pub use messages::{Wanted, message_id};
pub use webhook_endpoints::Receiver;
