//! How much of the service a tenant may use.

use serde::{Deserialize, Serialize};

/// Limits of an API key; 0 is no limit, and what is absent is as the deployment has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Calls per second, on average, that only read.
    pub reads_per_second: Option<u64>,
    /// Calls per second, on average, that may write.
    pub writes_per_second: Option<u64>,
    /// Webhook deliveries per second, on average, of events that more than ten endpoints may get;
    /// what is more waits.
    pub deliveries_per_second: Option<u64>,
    /// Mails in a day of UTC that are sent by the deployment itself.
    pub mails_per_day: Option<u64>,
}

impl Limits {
    /// These, and where there are none those of `deployment`.
    #[must_use]
    pub fn or(self, deployment: Self) -> Self {
        Self {
            reads_per_second: self.reads_per_second.or(deployment.reads_per_second),
            writes_per_second: self.writes_per_second.or(deployment.writes_per_second),
            deliveries_per_second: self.deliveries_per_second.or(deployment.deliveries_per_second),
            mails_per_day: self.mails_per_day.or(deployment.mails_per_day),
        }
    }
}
