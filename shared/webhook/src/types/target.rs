//! The facts that rows tell a delivery: its present target, and whether it was written.

use super::{Delivery, Versioned};

/// The target of an endpoint at present.
#[derive(Clone, Copy, Debug)]
pub enum CurrentTarget<T> {
    /// Messages may be sent there.
    Open(T),
    /// Nothing may be sent, for this reason.
    Closed(&'static str),
}

/// The outcome of writing a delivery.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a worker holds one")]
pub enum DeliveryWrite {
    /// The row as written.
    Written(Versioned<Delivery>),
    /// The row changed meanwhile, so it was not written.
    Conflict,
}
