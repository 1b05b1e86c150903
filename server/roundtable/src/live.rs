//! The live channel as API Gateway serves it: a function call for each connection, message and end,
//! under the limits of WebSocket APIs, so that what works here works there.

mod account;
mod bounds;
mod calls;
mod connect;
mod event;
mod farewell;
mod limits;
mod memory;
mod merge;
mod native;
mod session;
mod state;

pub use limits::LiveOptions;

pub(crate) use calls::Calls;
pub(crate) use connect::routes;
pub(crate) use state::Live;
