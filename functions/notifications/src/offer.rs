//! An event with its recipients and the configuration at its time, as the scheduler of
//! notifications needs it (rules N2, N5, N6).

use model::{
    event::{DomainEvent, Event, EventRef, EventType},
    notification::NotificationSource,
};
use notification::{NotifiableEvent, intake};
use serde_json::Value;
use service::prelude::*;

use crate::tenant_data::JobTenant;

/// Accepts an event of the journal.
pub(crate) async fn offer(job: &Job, place: &EventRef) -> Result<()> {
    // The tenant is gone: the runtime logs that and drops the message.
    let gone = || Error::not_found(format!("the event {} is not kept any more", place.event_id));
    let stored = job.tenant().events().get(place).await?.ok_or_else(gone)?;
    let Event::Domain(domain_event) = &stored.event else { return Ok(()) };
    let policy =
        job.tenant().notifications().configured(domain_event.event, stored.at).await?.policy();
    if policy.channels.is_empty() {
        return Ok(());
    }
    let organization = job.organization(&domain_event.organization_id);
    let id = match domain_event.event {
        EventType::NotificationAdd => {
            let id = domain_event.data.get("id").and_then(Value::as_str);
            let id = id.ok_or_else(|| Error::internal("a custom notification without its id"))?;
            organization.notifications().custom_event_id(id)
        }
        _ => stored.id.clone(),
    };
    // The thread was deleted, so there is nothing to notify of.
    let Some(facts) = organization.notifications().facts(domain_event).await? else {
        return Ok(());
    };
    let event = NotifiableEvent {
        id,
        organization_id: domain_event.organization_id.clone(),
        document_id: domain_event.document_id.clone(),
        annotation_id: domain_event.annotation_id.clone(),
        comment_id: domain_event.comment_id,
        kind: domain_event.event,
        source: source(domain_event),
        actor_id: domain_event.actor.as_ref().map(|actor| actor.user_id.clone()),
        t0: stored.at,
        facts: serde_json::to_value(facts).map_err(Error::internal)?,
    };
    intake(job, &JobTenant(job), event, policy).await
}

fn source(domain_event: &DomainEvent) -> NotificationSource {
    match domain_event.event {
        EventType::NotificationAdd => NotificationSource::Custom,
        EventType::CrdtUpdateData
        | EventType::CrdtVersionAdd
        | EventType::CrdtRestore
        | EventType::CrdtRevert => NotificationSource::Crdt,
        EventType::RecorderDone => NotificationSource::Recorder,
        _ => NotificationSource::Comment,
    }
}
