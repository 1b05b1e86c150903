//! What every service depends on: the clock, the account in its names, and where work of a database
//! runs.

use std::sync::Arc;

/// The current time in milliseconds since the epoch.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The region in every ARN.
pub const REGION: &str = "us-east-1";

/// The account in every ARN and queue URL.
pub const ACCOUNT: &str = "000000000000";

/// The execution of database work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// In memory, without waiting: a separate thread would cost more than the work.
    Here,
    /// On a thread that may wait for the disk.
    Aside,
}

impl Work {
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        match self {
            Self::Here => Ok(work()),
            Self::Aside => {
                tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
            }
        }
    }
}
