//! What a frame has to say: to others first, and then to the connection it came from.

use std::time::Duration;

use dialects::{Dialect, Message, packed};
use model::{
    Base64,
    live::{LiveRelay, LiveTask},
};
use service::Result;

use super::Room;
use crate::{audience, frames, gone};

impl Room<'_> {
    /// Something was stored that those have to be told who listen now.
    pub(crate) fn is_stored(&mut self) {
        self.members = None;
    }

    /// Tells others a message when the frame was worked on.
    pub(crate) fn tell(&mut self, message: Message) {
        self.told.push(message);
    }

    /// Says something to the connection after others were told, if its dialect can; it fetches what
    /// is too large.
    pub(crate) fn answer(&mut self, message: &Message, seen: Option<&[u8]>) {
        self.answers.extend(frames::frame(self.dialect, &self.name, message, seen));
    }

    /// The same with a frame.
    pub(crate) fn answer_frame(&mut self, frame: Vec<u8>) {
        self.answers.push(frame);
    }

    /// Tells others, and then the connection.
    pub(crate) async fn finish(&mut self) -> Result<()> {
        let mut told = std::mem::take(&mut self.told);
        if self.is_crowd() {
            // All would answer all.
            told.retain(|message| *message != Message::QueryAwareness);
        }
        if !told.is_empty() {
            self.tell_others(&told).await?;
        }
        let frames = packed(std::mem::take(&mut self.answers));
        let ended = audience::post_all(self.live(), vec![(self.id(), frames)], true).await;
        gone::forget(self.live(), ended).await
    }

    async fn tell_others(&mut self, told: &[Message]) -> Result<()> {
        if self.is_crowd() {
            return self.relay(told).await;
        }
        match self.others().await {
            Ok(others) if others.len() <= audience::MAX_DIRECT => {
                let (live, tenant, place) = (self.live(), &self.tenant, &self.place);
                audience::tell_admitted(live, tenant, place, others, told).await
            }
            // They are many; or it may be stored, so it has to be told.
            Ok(_) | Err(_) => self.relay(told).await,
        }
    }

    /// Lets a worker tell others.
    async fn relay(&self, told: &[Message]) -> Result<()> {
        let written = told.iter().filter_map(|message| Dialect::Y.write(&self.name, message));
        let messages: Vec<Base64> = written.map(Base64::from).collect();
        let (place, from) = (self.place.clone(), self.id().to_owned());
        let task = LiveTask::Relay(LiveRelay { place, from, messages });
        self.live().send(&self.tenant, &task, Duration::ZERO).await
    }
}
