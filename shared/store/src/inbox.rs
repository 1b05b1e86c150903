//! Who is notified of an event, how, and with which outcome.
//!
//! It is decided once for each event, for all of its recipients: `facts.rs` says whom the event involves,
//! `recipients.rs` who may be notified and by which channels, `eligibility.rs` whether that still holds
//! when a delay or a window is over, and `notices.rs` writes what the inbox shows. Rights, threads,
//! preferences and seen marks are read for a hundred recipients at a time.
//!
//! `notifications.rs` has the inbox and its lists, `preferences.rs` what users want, `seen.rs` what they have
//! seen, `trace*.rs` the outcome of events, `unlisted.rs` takes an erased user out of rows that recipients
//! share. The drivers of delays and windows are in the crate `delivery`; their rows in the room `waiting`.

mod crowd;
mod eligibility;
mod facts;
mod notices;
mod notifications;
mod preferences;
mod recipients;
mod seen;
mod trace;
mod trace_list;
mod trace_mails;
mod unlisted;

pub(crate) use crowd::FEW;
pub(crate) use notices::{RECIPIENT, person};
pub use notifications::Create;
pub use preferences::Preferences;
