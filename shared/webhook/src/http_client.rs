//! One request to a vetted address, under one deadline.

mod address;
mod attempt;
mod connector;
mod networks;
mod sender;
mod url;

pub use address::{Egress, Forbidden};
pub use attempt::{Attempt, Failure, Outcome};
pub use networks::Networks;
pub use sender::{Limits, Sender};

pub(crate) use url::without_credentials;
