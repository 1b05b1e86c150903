//! Joining a room.

use dialects::{Close, Dialect, Message, Scope};
use rooms::{Admission, Joining, Member};
use service::{Status, prelude::*};

use super::EditorSession;
use crate::{large_room, refusal::Refusal, states::state_messages};

/// Maximum number of others who are asked for their state when a client joins: each reply goes to
/// all of them.
const MAX_ASKED: usize = 10;

impl EditorSession<'_> {
    /// Joins the room without a look at the editor, unless the connection is in it; returns whether it
    /// has joined now.
    pub(crate) async fn join(&mut self) -> Result<bool, Refusal> {
        self.join_as(true).await
    }

    async fn join_as(&mut self, unread: bool) -> Result<bool, Refusal> {
        if self.connection.is_subscribed(self.room.place()) {
            return Ok(false);
        }
        self.connection = self.connection.clone().reread().await?;
        if self.connection.is_subscribed(self.room.place()) {
            return Ok(false);
        }
        let user = self.user_id()?;
        if !self.live().may_join(&self.tenant, &user, self.room.place()) {
            return Err(Refusal::new(Close::TooMany, "The user joins too often."));
        }
        let connection = self.connection.clone();
        let joining = Joining { unread, wants_threads: false };
        (self.connection, self.role) =
            connection.join(&self.tenant, self.room.place(), joining).await?;
        self.correct_scope();
        match self.room.admit(self.id(), &user).await {
            // The worker sends it the states of the others, with those of all who join meanwhile.
            Ok(Admission::Unread) => {
                large_room::schedule_relay(self.live(), &self.room).await?;
                Ok(true)
            }
            Ok(Admission::Read(members)) => {
                self.members = Some(members);
                let others = self.others().await?;
                self.introduce(&others);
                Ok(true)
            }
            Err(error) if error.status == Status::ResourceExhausted => {
                self.leave().await?;
                Err(Refusal::new(Close::TooMany, error.message))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tells the client its scope, unless it was told the same with its token: a change in between
    /// found no subscription.
    fn correct_scope(&mut self) {
        let is_reader = self.scope() == Scope::ReadOnly;
        if self.dialect == Dialect::Hocuspocus
            && !self.connection.was_told(self.room.place(), is_reader)
        {
            self.tell_scope();
        }
    }

    /// Joins the room to read the editor, and makes sure that the row of the connection is there:
    /// another frame may be about to write it, or another process may have removed it. Returns the row
    /// that says that it has not read yet, if it does.
    pub(crate) async fn join_to_read(&mut self) -> Result<Option<Member>, Refusal> {
        if self.join_as(false).await? {
            return Ok(None);
        }
        if let Some(own) = self.own_row().await? {
            return Ok(Some(own).filter(|own| own.unread));
        }
        self.connection = self.connection.clone().reread().await?;
        match self.join_as(false).await? {
            true => Ok(None),
            false => {
                Err(Refusal::new(Close::Unavailable, "The connection is not in the room yet."))
            }
        }
    }

    /// The row of the connection, which has joined. Another frame of it may be about to write it.
    pub(crate) async fn own_row(&mut self) -> Result<Option<Member>> {
        let own = self.room.member_soon(self.id()).await?;
        self.forget_members();
        Ok(own)
    }

    /// Sends the stored states of the others, and in a small room asks them for their current ones.
    pub(crate) async fn ask_for_states(&mut self) -> Result<(), Refusal> {
        if self.join().await? || self.room.is_large() {
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
        let present = others.iter().filter(|member| !member.is_silent(now));
        for message in state_messages(present) {
            self.queue_for_sender(&message, None);
        }
        // In a small room everybody sends its current state: stored states may be 20 seconds old.
        if others.len() <= MAX_ASKED {
            self.queue_for_others(Message::QueryAwareness);
        }
    }
}
