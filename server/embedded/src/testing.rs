//! The means of tests between clients and services: the log of calls, faults, and ports.

mod calls;
mod faults;
mod hold;
mod port;

pub use calls::{Call, MAX_CALLS, Service};
pub use faults::{Effect, Fault};
pub use hold::Hold;
pub use port::Port;

pub(crate) use calls::{Calls, Items, table_of, target};
pub(crate) use faults::{Faults, internal, refusal, spoil};
pub(crate) use port::Ports;
