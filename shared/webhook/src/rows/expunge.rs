//! Erasure of users from the ledger of webhooks: events that name them, and the replies to those.
//! Finished work is not found again. Messages remain, so that their numbers have no gaps.

use std::collections::BTreeSet;

use aws::{Update, Value, Write};
use error::{Error, Result};
use model::{
    EndpointId, MessageId, UserId,
    event::Event,
    people::Find,
    user_data::{ErasureWalk, people_in},
};
use store::deletion::Progress;
use tenancy::{
    layout::{Entity, Table, VERSION, item},
    prelude::*,
    reading::new_version,
    scopes::{ATTEMPTS, Deadline, back_off},
    writing::Unit,
};

use super::Webhooks;
use crate::types::{Delivery, Message, Versioned};

/// Messages processed at a time, each of up to 400 KB.
const STEP: i32 = 25;
/// Deliveries of one message processed together.
const ROWS: usize = 25;

impl Webhooks<'_> {
    /// Erases users from the messages of webhooks, the oldest first, from the position of the walk;
    /// stops at `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn expunge(
        self,
        users: &BTreeSet<UserId>,
        task: &mut ErasureWalk,
        deadline: Deadline,
    ) -> Result<Progress> {
        loop {
            if self.0.db().clock().is_past(deadline) {
                return Ok(Progress::More);
            }
            let (messages, more) = self.messages_after(task.message.as_ref(), STEP).await?;
            let last = messages.last().map(|message| message.id.clone());
            for message in messages {
                self.expunge_one(users, task, message).await?;
            }
            if !more {
                return Ok(Progress::Done);
            }
            task.message = last.or(task.message.take());
        }
    }

    async fn expunge_one(
        self,
        users: &BTreeSet<UserId>,
        task: &ErasureWalk,
        mut message: Message,
    ) -> Result<()> {
        let is_meant = match (&task.organization_ids, message.event.organization_id()) {
            (Some(wanted), Some(id)) => wanted.contains(id),
            (wanted, _) => wanted.is_none(),
        };
        if !is_meant {
            return Ok(());
        }
        let is_named = is_named(&message, users)?;
        // An attempt in progress may have a reply since.
        if is_named || message.expunged_at.is_some_and(|at| at >= task.at) {
            self.forget_answers(&message).await?;
        }
        if is_named {
            message.expunge(self.0.db().clock().now());
            self.write_expunged(&message).await?;
        }
        Ok(())
    }

    /// Replies of receivers may repeat the message.
    async fn forget_answers(self, message: &Message) -> Result<()> {
        let endpoints: Vec<EndpointId> = message.endpoints.iter().cloned().collect();
        for chunk in endpoints.chunks(ROWS) {
            for row in self.deliveries_of(&message.id, chunk).await? {
                if has_answer(&row) {
                    self.forget_answers_at(&row.endpoint_id, &message.id).await?;
                }
            }
        }
        Ok(())
    }

    /// Clears the replies of one row, and keeps its due time.
    async fn forget_answers_at(self, endpoint: &EndpointId, message: &MessageId) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            let Some(Versioned { mut entity, version }) = self.delivery(endpoint, message).await?
            else {
                return Ok(());
            };
            for made in &mut entity.attempts {
                made.response.clear();
            }
            let at = self.at_endpoint::<Delivery>(endpoint);
            let next = new_version()?;
            let mut item = at.rows().encode(&entity, &next)?;
            let attempts = item.remove("attempts").unwrap_or(Value::L(vec![]));
            let names = [("#attempts", "attempts"), ("#version", VERSION)];
            let seen = (":seen", Value::S(version));
            let values = [(":attempts", attempts), (":next", Value::S(next)), seen];
            let update = Update {
                expression: "SET #attempts = :attempts, #version = :next".to_owned(),
                condition: Some("#version = :seen".to_owned()),
                names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
                values: values.map(|(name, value)| (name.to_owned(), value)).into(),
            };
            let key = item::key(at.rows().partition(), &Delivery::place(message).into_key());
            let write = Write::Update { table: Table::Schedule.name(), key, update };
            if self.is_won(Unit::new(vec![write])).await? {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }
}

fn has_answer(row: &Delivery) -> bool {
    row.attempts.iter().any(|made| !made.response.is_empty())
}

fn is_named(message: &Message, users: &BTreeSet<UserId>) -> Result<bool> {
    let event = serde_json::to_value(&message.event).map_err(Error::internal)?;
    let context = serde_json::to_value(&message.context).map_err(Error::internal)?;
    let found = [event, context].map(people_in);
    let mut named: BTreeSet<&UserId> = found.iter().flat_map(Find::users).collect();
    // Not in the body.
    if let Event::Domain(event) = &message.event {
        named.extend(event.by_end_user.iter().chain(&event.unvouched));
    }
    Ok(named.into_iter().any(|user| users.contains(user)))
}
