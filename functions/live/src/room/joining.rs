//! Joining a room.

use dialects::{Close, Message};
use rooms::Member;
use service::Status;

use super::Room;
use crate::{large_room, refusal::Refusal, states::messages};

/// Maximum number of others who are asked for their state when a client joins: each reply goes to
/// all of them.
const MAX_ASKED: usize = 10;

impl Room<'_> {
    /// Joins the room, unless the connection is in it.
    pub(crate) async fn join(&mut self) -> Result<(), Refusal> {
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        self.connection = self.connection.clone().anew().await?;
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        let user = self.user_id()?;
        if !self.live().may_join(&self.tenant, &user, &self.place) {
            return Err(Refusal::new(Close::TooMany, "The user joins too often."));
        }
        self.connection = self.connection.clone().join(&self.tenant, &self.place).await?;
        let (listening, is_crowd) = (self.listening(), self.is_crowd());
        match listening.admit(self.id(), &user, is_crowd).await {
            // The worker sends it the states of the others, with those of all who join meanwhile.
            Ok(None) => Ok(large_room::gather(self.live(), &self.tenant, &self.place).await?),
            Ok(Some(members)) => {
                self.members = Some(members);
                let others = self.others().await?;
                self.introduce(&others);
                Ok(())
            }
            Err(error) if error.status == Status::ResourceExhausted => {
                self.leave().await?;
                Err(Refusal::new(Close::TooMany, error.message))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Sends the stored states of the others, and in a small room asks them for their current ones.
    pub(crate) async fn ask(&mut self) -> Result<(), Refusal> {
        let is_new = !self.connection.is_at(&self.place);
        self.join().await?;
        if is_new || self.is_crowd() {
            // Joining asks, and the worker of a large room tells.
            return Ok(());
        }
        let others = self.others().await?;
        self.introduce(&others);
        Ok(())
    }

    /// Introduces a newcomer and the others to each other.
    fn introduce(&mut self, others: &[Member]) {
        let now = self.live().now();
        let there = others.iter().filter(|member| !member.is_silent(now));
        for message in messages(there) {
            self.answer(&message, None);
        }
        // In a small room everybody sends its current state: stored states may be 20 seconds old.
        if others.len() <= MAX_ASKED {
            self.tell(Message::QueryAwareness);
        }
    }
}
