//! The doors of the server: connections and who is behind them, and how much each of them gets.

mod addresses;
mod lifted;
pub(crate) mod listener;
mod origin;
mod permits;
mod public_url;

pub use listener::ConnectionLimits;
pub use origin::{Proxies, ProxyHeader};
pub use permits::GatewayOptions;
pub use public_url::PublicUrl;

pub(crate) use lifted::is_lifted;
pub(crate) use origin::{HERE, Origin};
pub(crate) use permits::{
    AccountLimits, Bounds, Large, Parts, Payer, Payers, Rates, SharePermit, Shares, processors,
};
pub(crate) use public_url::{require_host, require_this_machine};
