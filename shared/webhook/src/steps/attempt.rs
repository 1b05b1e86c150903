//! An attempt to deliver a message: the driver of deliveries on the rows of the tenant, and the
//! request as the endpoint wants it.

use std::time::Duration;

use bytes::Bytes;
use error::Result;
use model::{
    EndpointId, Millis, clock::ClockOffset, event::Event, revision::Revision,
    webhook_endpoint::DisableReason,
};

use super::{
    AttemptOutcome, Runtime,
    delivery::{
        CurrentTarget, DeliveryInput, DeliveryPorts, DeliveryWrite, RequestRecord, Target, deliver,
    },
    offer::{all_subscribers, publish},
};
use crate::{
    http_client::Attempt,
    rows::{EndpointTarget, TenantWebhooks, Webhooks, is_basic, target_of},
    rules::{Encryption, NoKey, basic_body, body, encode, encrypt},
    types::{
        AttemptFailure, Context, Delivery, DeliveryTask, EndpointState, Message, Versioned,
        WebhookTask,
    },
};

/// Makes an attempt. A process makes one at a time for a message and an endpoint: of two concurrent
/// copies of a task, the second finds what the first has done.
pub(super) async fn attempt(runtime: &impl Runtime, task: &DeliveryTask) -> Result<()> {
    let pair = format!("{}\n{}", task.message_id, task.endpoint_id);
    let _alone = runtime.alone_at(&pair).await;
    deliver(&RuntimePorts(runtime, task), task).await
}

impl Target for EndpointTarget {
    fn rate(&self) -> Option<u32> {
        self.rate
    }

    fn revision(&self) -> Revision {
        self.revision
    }
}

/// The ports of the delivery of a task, on the rows of the tenant.
struct RuntimePorts<'a, R>(&'a R, &'a DeliveryTask);

impl<R: Runtime> RuntimePorts<'_, R> {
    fn webhooks(&self) -> Webhooks<'_> {
        self.0.tenant().webhooks()
    }

    fn note(&self, message: &Message, is_success: bool) {
        let tenant = self.0.tenant();
        let is_timely = self.1.order.is_none() && tenant.clock_ahead() == ClockOffset::default();
        let delay = Duration::from_millis(tenant.now().saturating_sub(message.at));
        let delay = is_timely.then_some(delay);
        self.0.attempted(AttemptOutcome { is_success, delay });
    }
}

fn hint(task: &DeliveryTask) -> WebhookTask {
    WebhookTask::Deliver(task.clone())
}

impl<R: Runtime> DeliveryPorts for RuntimePorts<'_, R> {
    type Target = EndpointTarget;

    fn now(&self) -> Millis {
        self.0.tenant().now()
    }

    fn micros(&self) -> u64 {
        self.0.tenant().real_now().millis().saturating_mul(1000)
    }

    fn jitter(&self) -> f64 {
        let random = keyring::random_bytes::<4>().map(u32::from_be_bytes).unwrap_or_default();
        f64::from(random) / f64::from(u32::MAX)
    }

    fn attempt_id(&self, at: Millis, seed: &str) -> String {
        self.webhooks().attempt_id(at, seed)
    }

    async fn load(&self, task: &DeliveryTask) -> Result<Option<DeliveryInput<Self::Target>>> {
        let _permit = self.0.permit().await;
        let (message, endpoint) = (&task.message_id, &task.endpoint_id);
        let Some(found) = self.webhooks().load_delivery(message, endpoint).await? else {
            return Ok(None);
        };
        Ok(Some(DeliveryInput {
            message: found.message,
            row: found.delivery,
            state: found.state,
            target: target_of(found.receiver, endpoint, self.now()),
        }))
    }

    async fn target(&self, endpoint: &EndpointId) -> Result<CurrentTarget<Self::Target>> {
        Ok(target_of(self.webhooks().receiver(endpoint).await?, endpoint, self.now()))
    }

    async fn row(&self, task: &DeliveryTask) -> Result<Option<Versioned<Delivery>>> {
        self.webhooks().delivery(&task.endpoint_id, &task.message_id).await
    }

    async fn write(
        &self,
        seen: Option<&Versioned<Delivery>>,
        delivery: Delivery,
    ) -> Result<DeliveryWrite> {
        let (message, endpoint) = (delivery.message_id.clone(), delivery.endpoint_id.clone());
        let task = WebhookTask::deliver(message, endpoint);
        let wake = |at| self.0.wake_for(&task, at);
        let _permit = self.0.permit().await;
        self.webhooks().write_delivery(seen, delivery, wake).await
    }

    async fn wake(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.0.hint_task(&hint(task), at).await
    }

    async fn send_at(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.0.send_task_at(&hint(task), at).await
    }

    async fn state(&self, endpoint: &EndpointId) -> Result<Option<Versioned<EndpointState>>> {
        self.webhooks().endpoint_state(endpoint).await
    }

    async fn write_state(
        &self,
        endpoint: &EndpointId,
        seen: Option<&Versioned<EndpointState>>,
        state: &EndpointState,
    ) -> Result<bool> {
        self.webhooks().keep_endpoint_state(endpoint, seen, state).await
    }

    async fn add_endpoint(&self, message: &Message, endpoint: &EndpointId) -> Result<()> {
        self.webhooks().add_endpoint_to(&message.id, endpoint).await
    }

    async fn disable(
        &self,
        endpoint: &EndpointId,
        reason: DisableReason,
        revision: Revision,
    ) -> Result<bool> {
        self.webhooks().disable_endpoint(endpoint, reason, revision).await
    }

    async fn announce(&self, event: Event, seed: &str) -> Result<()> {
        let stored = self.webhooks().new_event(event, seed);
        let endpoints = all_subscribers(self.0, &stored).await?;
        if endpoints.is_empty() {
            return Ok(());
        }
        publish(self.0, &stored, endpoints, Context::default()).await
    }

    async fn post(
        &self,
        target: EndpointTarget,
        message: &Message,
        endpoint: &EndpointId,
    ) -> RequestRecord {
        let api_key = &self.0.tenant().api_key().id;
        let body = match is_basic(endpoint) {
            true => basic_body(api_key, message),
            false => body(api_key, message),
        };
        let at = self.now();
        let fault = |fault| (Attempt::default(), Some(fault));
        let body = body.map(|body| self.0.named(body));
        let (attempt, fault) = match body.map(|body| encoded(&target, &body)) {
            Err(_) => fault(AttemptFailure::Body),
            Ok(None) => fault(AttemptFailure::Encryption),
            Ok(Some(body)) => {
                // Real time, also for a tenant with a test clock: receivers reject other times.
                let seconds = self.0.tenant().real_now().millis() / 1000;
                match target.proof.headers(&message.id, seconds, &body) {
                    None => fault(AttemptFailure::Signature),
                    Some(headers) => {
                        let sender = self.0.sender();
                        (sender.post(&target.url, headers, Bytes::from(body)).await, None)
                    }
                }
            }
        };
        self.note(message, fault.is_none() && attempt.is_success());
        RequestRecord { attempt, fault, url: target.url, at }
    }

    async fn wait(&self, time: Duration) {
        self.0.wait(time).await;
    }
}

/// The body as the endpoint wants it; none when it cannot be encrypted. Encryption takes precedence
/// over base64 if both are configured.
fn encoded(target: &EndpointTarget, body: &str) -> Option<Vec<u8>> {
    match &target.encryption {
        Err(NoKey::Invalid { .. } | NoKey::Missing { .. }) => None,
        Ok(Encryption::With(key)) => encrypt(body.as_bytes(), key),
        Ok(Encryption::Off) if target.is_encoded => Some(encode(body.as_bytes())),
        Ok(Encryption::Off) => Some(body.as_bytes().to_vec()),
    }
}
