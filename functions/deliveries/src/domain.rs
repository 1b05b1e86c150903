//! What happens to what happened in a document.

use model::{
    MessageId,
    event::DomainEvent,
    ledger::{Delivery, Message},
    webhook_endpoint::WebhookEndpoint,
};
use service::{Job, Result, StoredEvent, try_join};

use crate::{basic, channels, keep, payload};

/// Who may want an event, before anything is read that is only needed to tell of it.
pub(crate) struct Wanted {
    advanced: bool,
    basic: bool,
}

impl Wanted {
    /// By the configuration as it was when the event happened.
    pub(crate) async fn of(job: &Job, stored: &StoredEvent, event: &DomainEvent) -> Result<Self> {
        let configs = job.advanced_webhook_config();
        let basic = basic::is_wanted(job, stored.at, event.event.name());
        let (advanced, basic) = try_join(configs.at(stored.at), basic).await?;
        Ok(Self { advanced: advanced.is_some_and(|config| config.is_enabled), basic })
    }

    pub(crate) fn is_nothing(&self) -> bool {
        !self.advanced && !self.basic
    }

    /// Whether somebody wants it indeed: who edits makes many events that nobody asked for.
    pub(crate) async fn is_asked_for(
        &self,
        job: &Job,
        stored: &StoredEvent,
        event: &DomainEvent,
    ) -> Result<bool> {
        if !self.advanced {
            return Ok(self.basic);
        }
        let (kind, channels) = (event.event.name(), channels::of(event)?);
        let endpoints = job.all_endpoints().await?;
        let mut wants = endpoints.iter().filter_map(|endpoint| endpoint.subscription_at(stored.at));
        Ok(self.basic || wants.any(|subscription| subscription.wants(kind, &channels)))
    }
}

/// Keeps the message and has it sent to whoever wanted it when it happened.
pub(crate) async fn deliver(job: &Job, stored: &StoredEvent, event: &DomainEvent) -> Result<()> {
    let wanted = Wanted::of(job, stored, event).await?;
    if wanted.is_nothing() {
        return Ok(());
    }
    let id = keep::message_id(stored)?;
    let endpoints = async { if wanted.advanced { job.all_endpoints().await } else { Ok(vec![]) } };
    let (facts, endpoints) = try_join(payload::facts(job, event), endpoints).await?;
    let message = message(job, stored, event, &facts, id)?;
    let mut deliveries = to_endpoints(job, &message, endpoints);
    if wanted.basic {
        deliveries.push(basic::raw(job, &message, event, &facts)?);
    }
    keep::keep(job, &message, &deliveries).await
}

fn message(
    job: &Job,
    stored: &StoredEvent,
    event: &DomainEvent,
    facts: &payload::Facts,
    id: MessageId,
) -> Result<Message> {
    let body = payload::body(job, stored, event, facts, &id)?;
    Ok(Message {
        id,
        event_type: event.event.name().to_owned(),
        at: stored.at,
        body,
        channels: channels::of(event)?,
        organization_id: Some(event.organization_id.clone()),
        document_id: Some(event.document_id.clone()),
        seq: stored.seq,
        expunged_at: None,
    })
}

/// A delivery to each endpoint that wanted the message when it happened.
fn to_endpoints(job: &Job, message: &Message, endpoints: Vec<WebhookEndpoint>) -> Vec<Delivery> {
    let wants = |endpoint: &WebhookEndpoint| {
        let subscription = endpoint.subscription_at(message.at);
        subscription.is_some_and(|it| it.wants(&message.event_type, &message.channels))
    };
    let endpoints = endpoints.into_iter().filter(wants);
    endpoints.map(|endpoint| keep::delivery(message, endpoint.id, job.now())).collect()
}
