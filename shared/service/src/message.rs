//! Messages of queues: their tenant, and their time of arrival.

use std::time::Duration;

use error::Result;
use model::{Millis, clock::ClockOffset};
use queue::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{TenantRef, TenantStore};

/// Maximum delay of a queue; longer delays are rows of the schedule, whose timer looks two minutes
/// ahead.
pub(crate) const MAX_DELAY: Millis = 14 * 60 * 1000;

/// A delay in the units of a queue, rounded up.
pub(crate) fn whole_seconds(wait: Millis) -> Duration {
    Duration::from_secs(wait.div_ceil(1000))
}

/// One message with its tenant, whatever source it came from.
pub struct Incoming {
    pub(crate) sender: Option<Sender>,
    pub(crate) message: Value,
}

/// The tenant of a message.
#[derive(Clone, Debug, Deserialize)]
pub struct Sender {
    pub(crate) tenant: TenantRef,
    /// Offset of the tenant's clock at that time.
    #[serde(default)]
    pub(crate) ahead: ClockOffset,
}

/// A message in the name of a tenant, to be received after `delay`.
pub(crate) fn outgoing<M: Serialize>(
    tenant: &TenantStore,
    message: &M,
    delay: Duration,
) -> Result<Message> {
    let group = tenant.api_key().id.as_str().to_owned();
    Ok(Message { body: tenant.envelope(message)?, delay, group })
}
