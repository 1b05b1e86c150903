//! `live.fan_out`: tells those who are connected what happened in a document, or to them.

use dialects::{Dialect, Message};
use model::live::{LiveEvent, LivePart, LivePlace, LiveRelay, LiveTask};
use service::{Job, Listening, Member, Queue, Result, Trigger, Worker};

use crate::audience;

/// The worker.
pub enum FanOut {}

impl Worker for FanOut {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Live);
    type Job = Job;
    type Message = LiveTask;

    async fn handle(job: Job, task: LiveTask) -> Result<()> {
        match task {
            LiveTask::Relay(relay) => say_on(&job, relay).await,
            LiveTask::Event(event) => tell_peers(&job, &event).await,
        }
    }
}

/// Says on what a member of a large room said.
async fn say_on(job: &Job, LiveRelay { place, from, message }: LiveRelay) -> Result<()> {
    let Ok(received) = Dialect::Y.read(message.as_ref()) else { return Ok(()) };
    let members = Listening::at(job, &place).members().await?;
    let others: Vec<Member> =
        members.into_iter().filter(|member| member.connection_id != from).collect();
    audience::tell_admitted(job.live(), &place, others, &received.message).await
}

/// Tells the peers of an editor what was changed over REST.
async fn tell_peers(job: &Job, event: &LiveEvent) -> Result<()> {
    let Some(grown) = event.grown.as_ref().filter(|grown| !grown.told) else { return Ok(()) };
    let (document_id, editor_id) = (event.document_id.clone(), grown.editor_id.clone());
    let part = LivePart::Editor { document_id, editor_id };
    let place = LivePlace { organization_id: event.organization_id.clone(), part };
    let members = Listening::at(job, &place).members().await?;
    if members.is_empty() {
        return Ok(());
    }
    let editors = job.organization(&event.organization_id).editors(&event.document_id);
    let mut updates = match &grown.entry {
        Some(entry) => editors.updates_of(&grown.editor_id, entry).await?,
        None => return Ok(()),
    };
    if updates.is_empty() {
        // It was merged meanwhile: it is in the whole.
        let Some(stored) = editors.find(&grown.editor_id).await? else { return Ok(()) };
        updates.push(editing::load(&stored)?.encode());
    }
    for update in updates {
        let message = Message::Update(update);
        audience::tell_admitted(job.live(), &place, members.clone(), &message).await?;
    }
    Ok(())
}
