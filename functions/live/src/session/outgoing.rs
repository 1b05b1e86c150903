//! Outgoing messages of a handled frame: to the other members first, then to the sender.

use std::time::Duration;

use dialects::{Dialect, Message, packed};
use model::{
    Base64,
    live::{LiveRelay, LiveTask},
};
use rooms::MAX_DIRECT;
use service::prelude::*;

use super::EditorSession;
use crate::{
    broadcast, departures,
    frames::{self, AddressedFrames},
    posting,
    relay::relay_now,
};

impl EditorSession<'_> {
    /// Drops the cached members: those who joined before a write need the update.
    pub(crate) fn forget_members(&mut self) {
        self.members = None;
    }

    /// Queues a message for the other members.
    pub(crate) fn queue_for_others(&mut self, message: Message) {
        self.for_others.push(message);
    }

    /// Queues a message for the sender, if its dialect has it. The sender fetches one that is too
    /// large.
    pub(crate) fn queue_for_sender(&mut self, message: &Message, state_vector: Option<&[u8]>) {
        self.for_sender.extend(self.dialect.frame(&self.name, message, state_vector));
    }

    /// Queues a frame for the sender.
    pub(crate) fn queue_frame_for_sender(&mut self, frame: Vec<u8>) {
        self.for_sender.push(frame);
    }

    /// Sends the queued messages: to the other members, then to the sender.
    pub(crate) async fn send_queued(&mut self) -> Result<()> {
        let mut outgoing = std::mem::take(&mut self.for_others);
        if self.room.is_large() {
            // Each member would reply to all members.
            outgoing.retain(|message| *message != Message::QueryAwareness);
        }
        if !outgoing.is_empty() {
            self.send_to_others(&outgoing).await?;
        }
        let frames = frames::shared(packed(std::mem::take(&mut self.for_sender)));
        let addressed = vec![AddressedFrames { connection_id: self.id(), frames }];
        let ended = posting::post_or_close(self.live(), addressed).await;
        departures::forget(self.live(), ended).await
    }

    async fn send_to_others(&mut self, outgoing: &[Message]) -> Result<()> {
        if self.room.is_large() {
            return self.relay(outgoing).await;
        }
        match self.others().await {
            Ok(others) if others.len() <= MAX_DIRECT => {
                broadcast::send_messages(self.live(), &self.room, others, outgoing).await
            }
            // Too many members, or unknown ones: the updates are stored and must be relayed.
            Ok(_) | Err(_) => self.relay(outgoing).await,
        }
    }

    /// Relays messages to a large room: at once where this process has all connections, otherwise by
    /// the worker, whose runs have the messages of many senders.
    async fn relay(&self, outgoing: &[Message]) -> Result<()> {
        let written = outgoing.iter().filter_map(|message| Dialect::Y.write(&self.name, message));
        let messages: Vec<Base64> = written.map(Base64::from).collect();
        let bytes = messages.iter().map(|message| message.as_ref().len()).sum();
        let members = self.room.size().unwrap_or(MAX_DIRECT);
        self.live().add_relayed(members, bytes);
        let (place, from) = (self.room.place().clone(), self.id().to_owned());
        let relay = LiveRelay { place, from, messages };
        if self.live().has_all() && relay_now(self.live(), &self.room, relay.clone()).await.is_ok()
        {
            return Ok(());
        }
        // The updates are stored: the worker tries until they are relayed.
        self.live().send(&self.tenant, &LiveTask::Relay(relay), Duration::ZERO).await
    }
}
