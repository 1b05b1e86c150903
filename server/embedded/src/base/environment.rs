//! Environment of every service: the clock, and the account in its names.

use std::sync::Arc;

/// The current time in milliseconds since the epoch.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The region in every ARN.
pub const REGION: &str = "us-east-1";

/// The account in every ARN and queue URL.
pub const ACCOUNT: &str = "000000000000";
