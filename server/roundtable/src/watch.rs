//! The state that a server tells: whether it is ready, and figures.

mod health;
mod metrics;
mod ready_client;
mod sampled;

pub use ready_client::ask_ready;

pub(crate) use health::Health;
pub(crate) use metrics::{Measured, Metrics, Scraped, measure, serve};
