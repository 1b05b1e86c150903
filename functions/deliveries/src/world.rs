//! The ports of a delivery, implemented by a job.

use std::time::Duration;

use model::{
    EndpointId, Millis,
    event::Event,
    ledger::{Context, Delivery, DeliveryTask, EndpointState, Message, Seen, WebhookTask},
    revision::Revision,
    webhook_endpoint::DisableReason,
};
use service::{Job, Queue, Result, TenantStore, prelude::*};
use webhook::delivery::{Loaded, Made, World};

use crate::{basic, payload, request, target};

/// The ports of a delivery, implemented by a job.
pub(crate) struct JobWorld(pub(crate) Job);

fn hint(task: &DeliveryTask) -> WebhookTask {
    WebhookTask::Deliver(task.clone())
}

impl World for JobWorld {
    type Target = target::Target;

    fn now(&self) -> Millis {
        TenantStore::now(&self.0)
    }

    fn micros(&self) -> u64 {
        self.0.real_now().millis().saturating_mul(1000)
    }

    fn jitter(&self) -> f64 {
        let random = service::random_bytes::<4>().map(u32::from_be_bytes).unwrap_or_default();
        f64::from(random) / f64::from(u32::MAX)
    }

    fn attempt_id(&self, at: Millis, seed: &str) -> String {
        self.0.webhooks().attempt_id(at, seed)
    }

    async fn load(&self, task: &DeliveryTask) -> Result<Option<Loaded<Self::Target>>> {
        let _turn = self.0.turn().await;
        let (message, endpoint) = (&task.message_id, &task.endpoint_id);
        let Some(found) = self.0.webhooks().load_delivery(message, endpoint).await? else {
            return Ok(None);
        };
        Ok(Some(Loaded {
            message: found.message,
            row: found.delivery,
            state: found.state,
            target: target::of(found.receiver, endpoint, self.now()),
        }))
    }

    async fn target(
        &self,
        endpoint: &EndpointId,
    ) -> Result<std::result::Result<Self::Target, &'static str>> {
        Ok(target::of(self.0.webhooks().receiver(endpoint).await?, endpoint, self.now()))
    }

    async fn row(&self, task: &DeliveryTask) -> Result<Option<Seen<Delivery>>> {
        self.0.webhooks().delivery(&task.endpoint_id, &task.message_id).await
    }

    async fn write(
        &self,
        seen: Option<&Seen<Delivery>>,
        delivery: Delivery,
    ) -> Result<Option<Seen<Delivery>>> {
        let (message, endpoint) = (delivery.message_id.clone(), delivery.endpoint_id.clone());
        let task = WebhookTask::deliver(message, endpoint);
        let wake = |at| self.0.waking(Queue::Deliveries, &task, at);
        let _turn = self.0.turn().await;
        self.0.webhooks().write_delivery(seen, delivery, wake).await
    }

    async fn wake(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.0.hint(Queue::Deliveries, &hint(task), at).await
    }

    async fn send_at(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.0.send_at(Queue::Deliveries, &hint(task), at).await
    }

    async fn state(&self, endpoint: &EndpointId) -> Result<Option<Seen<EndpointState>>> {
        self.0.webhooks().endpoint_state(endpoint).await
    }

    async fn write_state(
        &self,
        endpoint: &EndpointId,
        seen: Option<&Seen<EndpointState>>,
        state: &EndpointState,
    ) -> Result<bool> {
        self.0.webhooks().keep_endpoint_state(endpoint, seen, state).await
    }

    async fn add_endpoint(&self, message: &Message, endpoint: &EndpointId) -> Result<()> {
        self.0.webhooks().add_endpoint_to(&message.id, endpoint).await
    }

    async fn disable(
        &self,
        endpoint: &EndpointId,
        reason: DisableReason,
        revision: Revision,
    ) -> Result<bool> {
        self.0.webhooks().disable_endpoint(endpoint, reason, revision).await
    }

    async fn announce(&self, event: Event, seed: &str) -> Result<()> {
        let stored = self.0.webhooks().new_event(event, seed);
        let endpoints = self.0.all_subscribers(&stored).await?;
        if endpoints.is_empty() {
            return Ok(());
        }
        self.0.publish(&stored, endpoints, Context::default()).await
    }

    async fn post(&self, target: target::Target, message: &Message, endpoint: &EndpointId) -> Made {
        let api_key = &self.0.api_key().id;
        let body = match basic::is_endpoint(endpoint) {
            true => basic::body(api_key, message),
            false => payload::body(api_key, message),
        };
        request::post(&self.0, target, &message.id, body.as_deref().ok()).await
    }

    async fn wait(&self, time: Duration) {
        self.0.wait(time).await;
    }
}
