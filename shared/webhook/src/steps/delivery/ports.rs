//! The ports of a delivery.

use std::time::Duration;

use error::Result;
use model::{
    EndpointId, Millis, event::Event, revision::Revision, webhook_endpoint::DisableReason,
};

use crate::{
    http_client::{Attempt, Failure},
    types::{
        AttemptFailure, CurrentTarget, Delivery, DeliveryTask, DeliveryWrite, EndpointState,
        Message, Versioned,
    },
};

/// Where messages to an endpoint go.
pub trait Target: Send + Sync {
    /// Rate limit of the endpoint, per second; none when it is not needed.
    fn rate(&self) -> Option<u32>;

    /// Revision of the endpoint.
    fn revision(&self) -> Revision;
}

/// The input of an attempt.
#[derive(Clone, Debug)]
pub struct DeliveryInput<T> {
    /// The message.
    pub message: Message,
    /// Delivery of the message so far.
    pub row: Option<Versioned<Delivery>>,
    /// State of the endpoint.
    pub state: Option<Versioned<EndpointState>>,
    /// Target of the message.
    pub target: CurrentTarget<T>,
}

/// A request that was made, or could not be.
#[derive(Clone, Debug, Default)]
pub struct RequestRecord {
    /// The outcome.
    pub attempt: Attempt,
    /// The reason for not sending it.
    pub fault: Option<AttemptFailure>,
    /// URL of the request.
    pub url: String,
    /// Start time.
    pub at: Millis,
}

impl RequestRecord {
    /// The reason for a missing reply.
    pub(crate) fn failure(&self) -> Option<AttemptFailure> {
        self.fault.or_else(|| self.attempt.failure.map(Failure::listed))
    }
}

/// The ports of a delivery. All calls may return UNAVAILABLE and INTERNAL, possibly after taking
/// effect.
pub trait DeliveryPorts: Send + Sync {
    /// Receiver of a message.
    type Target: Target;

    /// The tenant's clock.
    fn now(&self) -> Millis;

    /// Epoch microseconds of real time, for rate limits.
    fn micros(&self) -> u64;

    /// A random number between 0 and 1.
    fn jitter(&self) -> f64;

    /// The id of an attempt: its time, followed by digits derived from `seed`.
    fn attempt_id(&self, at: Millis, seed: &str) -> String;

    /// Reads the input of a task, strongly consistent; none when the message has expired.
    fn load(
        &self,
        task: &DeliveryTask,
    ) -> impl Future<Output = Result<Option<DeliveryInput<Self::Target>>>> + Send;

    /// The current target of an endpoint.
    fn target(
        &self,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<CurrentTarget<Self::Target>>> + Send;

    /// The current delivery.
    fn row(
        &self,
        task: &DeliveryTask,
    ) -> impl Future<Output = Result<Option<Versioned<Delivery>>>> + Send;

    /// Writes a delivery, due at `next_at`, unless the row changed since it was read.
    fn write(
        &self,
        seen: Option<&Versioned<Delivery>>,
        delivery: Delivery,
    ) -> impl Future<Output = Result<DeliveryWrite>> + Send;

    /// Sends the first hint for a delivery with a due time. It may get lost.
    fn wake(&self, task: &DeliveryTask, at: Millis) -> impl Future<Output = Result<()>> + Send;

    /// Schedules a task. It cannot get lost.
    fn send_at(&self, task: &DeliveryTask, at: Millis) -> impl Future<Output = Result<()>> + Send;

    /// The state of an endpoint.
    fn state(
        &self,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<Option<Versioned<EndpointState>>>> + Send;

    /// Writes the state of an endpoint; false after a concurrent change.
    fn write_state(
        &self,
        endpoint: &EndpointId,
        seen: Option<&Versioned<EndpointState>>,
        state: &EndpointState,
    ) -> impl Future<Output = Result<bool>> + Send;

    /// Adds an endpoint to a message, for a manual delivery.
    fn add_endpoint(
        &self,
        message: &Message,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Disables an endpoint, unless it is missing or disabled. False, without a change, when its
    /// URL is not the one of the revision.
    fn disable(
        &self,
        endpoint: &EndpointId,
        reason: DisableReason,
        revision: Revision,
    ) -> impl Future<Output = Result<bool>> + Send;

    /// Sends an operational event to the other subscribed endpoints. Idempotent for the same `seed`
    /// and time.
    fn announce(&self, event: Event, seed: &str) -> impl Future<Output = Result<()>> + Send;

    /// Sends a request.
    fn post(
        &self,
        target: Self::Target,
        message: &Message,
        endpoint: &EndpointId,
    ) -> impl Future<Output = RequestRecord> + Send;

    /// Waits.
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send;
}
