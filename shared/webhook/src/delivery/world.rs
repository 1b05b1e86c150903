//! The ports of a delivery.

use std::time::Duration;

use error::Result;
use model::{
    EndpointId, Millis,
    event::Event,
    ledger::{Delivery, DeliveryTask, EndpointState, Message, Seen},
    webhook_endpoint::DisableReason,
};

use crate::attempt::{Attempt, Failure};

/// The current target of a message.
pub trait Target: Send + Sync {
    /// Requests that the endpoint takes in a second; none when that does not matter.
    fn rate(&self) -> Option<u32>;
}

/// All that a first attempt has to know.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// The message.
    pub message: Message,
    /// Its outcome at the endpoint so far.
    pub row: Option<Seen<Delivery>>,
    /// State of the endpoint.
    pub state: Option<Seen<EndpointState>>,
    /// Its target, or the reason for not sending.
    pub target: std::result::Result<T, &'static str>,
}

/// A request, which may never have been sent.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The outcome.
    pub attempt: Attempt,
    /// Why it was not sent, in the words of the ledger.
    pub fault: Option<&'static str>,
    /// URL of the request.
    pub url: String,
    /// Start time.
    pub at: Millis,
}

impl Made {
    /// The short name of what went wrong, if no answer came.
    pub(crate) fn failure(&self) -> Option<String> {
        let of_sender = || self.attempt.failure.map(Failure::as_str);
        self.fault.or_else(of_sender).map(str::to_owned)
    }
}

/// What a delivery asks of the world. Errors of every call are UNAVAILABLE and INTERNAL; what was
/// asked for may have happened all the same.
pub trait World: Send + Sync {
    /// Receiver of a message.
    type Target: Target;

    /// The time of the tenant.
    fn now(&self) -> Millis;

    /// Epoch microseconds of real time, which rate limits go by.
    fn micros(&self) -> u64;

    /// A random number between 0 and 1.
    fn jitter(&self) -> f64;

    /// The id of an attempt: it begins with its time, and the rest follows from `seed`.
    fn attempt_id(&self, at: Millis, seed: &str) -> String;

    /// Reads all that a task is about, strongly consistent; none when the message is kept no more.
    fn load(
        &self,
        task: &DeliveryTask,
    ) -> impl Future<Output = Result<Option<Loaded<Self::Target>>>> + Send;

    /// Where messages to an endpoint go at present, or why they do not.
    fn target(
        &self,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<std::result::Result<Self::Target, &'static str>>> + Send;

    /// A delivery as it is now.
    fn row(
        &self,
        task: &DeliveryTask,
    ) -> impl Future<Output = Result<Option<Seen<Delivery>>>> + Send;

    /// Writes a delivery, to be woken at `next_at`; none when it is not as it was seen any more.
    fn write(
        &self,
        seen: Option<&Seen<Delivery>>,
        delivery: Delivery,
    ) -> impl Future<Output = Result<Option<Seen<Delivery>>>> + Send;

    /// Sends the first wake-up of a delivery that was written with a time. It may get lost.
    fn wake(&self, task: &DeliveryTask, at: Millis) -> impl Future<Output = Result<()>> + Send;

    /// Has a task done at a time. It is not lost.
    fn send_at(&self, task: &DeliveryTask, at: Millis) -> impl Future<Output = Result<()>> + Send;

    /// Health of an endpoint.
    fn state(
        &self,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<Option<Seen<EndpointState>>>> + Send;

    /// Writes how an endpoint is doing; false when that is not as it was seen any more.
    fn write_state(
        &self,
        endpoint: &EndpointId,
        seen: Option<&Seen<EndpointState>>,
        state: &EndpointState,
    ) -> impl Future<Output = Result<bool>> + Send;

    /// Lists an endpoint that a message goes to by the order of a caller.
    fn add_endpoint(
        &self,
        message: &Message,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Disables an endpoint, if it is there and was not disabled yet.
    fn disable(
        &self,
        endpoint: &EndpointId,
        reason: DisableReason,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Sends an operational event to the other endpoints that listen to it. The same `seed` at the
    /// same time is the same message.
    fn announce(&self, event: Event, seed: &str) -> impl Future<Output = Result<()>> + Send;

    /// Sends a request.
    fn post(
        &self,
        target: Self::Target,
        message: &Message,
        endpoint: &EndpointId,
    ) -> impl Future<Output = Made> + Send;

    /// Does nothing for a while.
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send;
}
