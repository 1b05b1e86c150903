//! `live.fan_out`: relays events of documents, and notifications of users, to subscribers.

mod notices;

use dialects::{Message, merged};
use model::{
    event::Reading,
    live::{LiveEvent, LivePart, LivePlace, LiveTask},
};
use rooms::{Member, Room, prelude::*};
use serde_json::json;
use service::{Queue, join_all, prelude::*};

use crate::{
    broadcast,
    document_events::{EventAudience, event_view, sees, threads_of, with_thread},
    large_room_relay, lockout,
    place::events_place,
    posting::PARALLEL,
    relay, rights,
};

pub enum FanOut {}

impl Worker for FanOut {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Live);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = LiveTask;

    async fn handle(job: Job, task: LiveTask) -> Result<()> {
        match task {
            LiveTask::Relay(relay) => relay::relay_messages(&job, relay).await,
            LiveTask::Crowd { place, since, behind } => {
                large_room_relay::relay(&job, &place, since, behind).await
            }
            LiveTask::Review(review) => rights::continue_review(&job, &review).await,
            LiveTask::Gone { place, at } => lockout::expel_from_deleted(&job, &place, at).await,
            LiveTask::Event(event) if event.grown.is_some() => send_to_peers(&job, &event).await,
            LiveTask::Event(event) => notify_subscribers(&job, &event).await,
            LiveTask::Notices { organization_id, users } => {
                let notice = |user: &UserId| json!({ "type": "notification", "notificationId": users.get(user) });
                let told = users.keys().cloned().collect();
                notices::tell(&job, organization_id, &told, notice).await
            }
            LiveTask::Read(Reading { organization_id, user_ids, read }) => {
                notices::tell(&job, organization_id, &user_ids, |_| notices::read_view(&read)).await
            }
        }
    }
}

/// Sends the peers of an editor an update that came over REST.
async fn send_to_peers(job: &Job, event: &LiveEvent) -> Result<()> {
    let Some(grown) = event.grown.as_ref().filter(|grown| !grown.relayed) else { return Ok(()) };
    let (document_id, editor_id) = (event.document_id.clone(), grown.editor_id.clone());
    let part = LivePart::Editor { document_id, editor_id };
    let place = LivePlace { organization_id: event.organization_id.clone(), part };
    let room = Room::at(job.tenant(), &place);
    let members = room.members().await?;
    if members.is_empty() {
        return Ok(());
    }
    let editors = job.organization(&event.organization_id).editors().of(&event.document_id);
    let mut updates = match &grown.entry {
        Some(entry) => editors.updates_of(&grown.editor_id, entry).await?,
        None => vec![],
    };
    if updates.is_empty() {
        // The first update, or one that was merged meanwhile: the whole state has it.
        let Some(stored) = editors.find(&grown.editor_id).await? else { return Ok(()) };
        updates.push(editing::load(&stored)?.encode());
    }
    let updates = updates.into_iter().map(Message::Update).collect();
    let messages = merged(updates, editing::joined);
    broadcast::send_messages(job.live(), &room, members, &messages).await
}

/// Logs an event and sends it to the subscribers of its document, with its thread to those who want
/// it. The others read its content with their own rights.
async fn notify_subscribers(job: &Job, event: &LiveEvent) -> Result<()> {
    let organization = job.organization(&event.organization_id);
    // Before the members are read: who subscribes afterwards reads the log.
    organization.live().log_event(event).await?;
    let place = events_place(event.organization_id.clone(), event.document_id.clone());
    let room = Room::at(job.tenant(), &place);
    let members = room.members().await?;
    if members.is_empty() || organization.live().is_outlived(event).await? {
        return Ok(());
    }
    let events = std::slice::from_ref(event);
    let mut threads = threads_of(&organization, &event.document_id, events).await?;
    let audiences = EventAudience::of_each(events, &threads);
    let mut seeing = vec![];
    for members in members.chunks(PARALLEL) {
        let checks = members.iter().map(|member| sees(job.live(), &audiences, member));
        for (member, sees) in members.iter().zip(job.live().free_of_charge(join_all(checks)).await)
        {
            seeing.extend(sees?.then(|| member.clone()));
        }
    }
    let thread = event.annotation_id.as_ref().and_then(|id| threads.remove(id));
    // Of a long one, this is a part.
    let thread = thread.filter(|thread| thread.archive.count == 0);
    let wants = |member: &Member| member.wants_threads && thread.is_some();
    let (wanting, others): (Vec<Member>, Vec<Member>) = seeing.into_iter().partition(wants);
    broadcast::send_event(job.live(), &room, others, &event_view(event)).await?;
    match thread.filter(|_| !wanting.is_empty()) {
        Some(thread) => {
            let message = with_thread(event_view(event), thread, &organization);
            broadcast::send_event(job.live(), &room, wanting, &message).await
        }
        None => Ok(()),
    }
}
