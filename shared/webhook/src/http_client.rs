//! One request to a vetted address, under one deadline.

mod address;
mod attempt;
mod connector;
mod networks;
mod sender;
mod url;

pub use address::Egress;
pub use attempt::{Attempt, Failure};
pub use sender::{Limits, Sender};

pub(crate) use attempt::ResponseText;
pub(crate) use url::without_credentials;
