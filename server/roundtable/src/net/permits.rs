//! Permits: who pays for a call or a connection, and how much each payer gets.

mod account_limits;
mod bounds;
mod large;
mod payers;
mod rates;
mod shares;

pub use bounds::GatewayOptions;

pub(crate) use account_limits::{AccountLimits, processors};
pub(crate) use bounds::Bounds;
pub(crate) use large::Large;
pub(crate) use payers::{Payer, Payers};
pub(crate) use rates::Rates;
pub(crate) use shares::{Parts, SharePermit, Shares};
