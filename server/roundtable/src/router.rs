//! The composition of the server: a deployment with everything that serves it, and the gateway, whose
//! routes lead to the rooms.

mod gateway;
mod serve;
mod setup;
mod stack;

pub use serve::{serve, serve_metrics};
pub use setup::Setup;
pub use stack::Stack;
