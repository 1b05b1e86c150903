//! Erasing users from the ledger of webhooks: bodies that name them, and what was answered to those.
//! What is done is not found again. Messages stay, so that their numbers have no gaps.

use std::collections::{BTreeMap, BTreeSet};

use aws::{BatchWrite, Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{
    EndpointId, MessageId, Millis,
    erasure::{ErasureTask, is_named_in},
    ledger::{AttemptRecord, BASIC_PROCESSED, BASIC_RAW, Delivery, Message, expunged},
};

use crate::{
    collection::new_version,
    commit::{Fate, Unit, present},
    entity::{Entity, Table},
    item::{self, VERSION, WRITTEN},
    key::Key,
    ledger_lists::{attempt_of, of_endpoint},
    purge::Progress,
    scope::TenantStore,
};

/// Messages looked at at a time, each of up to 256 KiB.
const STEP: i32 = 25;
/// Attempts looked at at a time, each with up to 16 KiB of an answer.
const ATTEMPTS: i32 = 100;

impl TenantStore {
    /// Takes the user of a task out of what webhooks told, the oldest first, from where the task
    /// stands; stops at `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: some of it is gone, the rest goes with the next call.
    pub async fn expunge(&self, task: &mut ErasureTask, deadline: Millis) -> Result<Progress> {
        let all = self.messages();
        loop {
            if self.db.clock.now() >= deadline {
                return Ok(Progress::More);
            }
            let after = task.message.as_ref();
            let start = after.map(|id| item::key(&all.partition, &Message::place(id).0));
            let query = all.under(Key::named(Message::KIND).prefix());
            let found = self.db.query(Query { start, limit: STEP, ..query }).await?;
            let messages = found.items.into_iter().map(|item| all.decode(item));
            let messages = messages.collect::<Result<Vec<Message>>>()?;
            let last = messages.last().map(|message| message.id.clone());
            self.expunge_all(task, messages).await?;
            match found.next {
                Some(_) => task.message = last.or(task.message.take()),
                None => return Ok(Progress::Done),
            }
        }
    }

    async fn expunge_all(&self, task: &ErasureTask, mut messages: Vec<Message>) -> Result<()> {
        let is_meant = |message: &Message| match (&task.organization_ids, &message.organization_id)
        {
            (Some(wanted), Some(id)) => wanted.contains(id),
            (wanted, _) => wanted.is_none(),
        };
        messages.retain(is_meant);
        let mut basic = self.basic_bodies(&messages).await?;
        for message in messages {
            let mut bodies = basic.remove(&message.id).unwrap_or_default();
            bodies
                .push((item::key(&self.partition(), &Message::place(&message.id).0), message.body));
            let is_named = bodies.iter().any(|(_, body)| is_named_in(body, &task.user_id));
            // An attempt that was under way then may have been answered since.
            if is_named || message.expunged_at.is_some_and(|at| at >= task.at) {
                self.forget_answers(&message.id).await?;
            }
            if is_named {
                let units = bodies.into_iter().map(|(key, body)| self.expunged(key, &body));
                let fates = self.db.commit_all(units.collect::<Result<_>>()?).await;
                let failed = |fate| if let Fate::Failed(error) = fate { Some(error) } else { None };
                fates.into_iter().find_map(failed).map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    }

    /// The bodies that were made for basic webhooks alone, with their keys.
    async fn basic_bodies(
        &self,
        messages: &[Message],
    ) -> Result<BTreeMap<MessageId, Vec<(Item, String)>>> {
        let mut places = BTreeSet::new();
        for name in [BASIC_RAW, BASIC_PROCESSED] {
            let id = EndpointId::try_from(name.to_owned());
            let id = id.map_err(|error| Error::internal(error.to_string()))?;
            let partition = self.at_endpoint::<Delivery>(&id).partition;
            let place = |message: &Message| (partition.clone(), Delivery::place(&message.id).0);
            places.extend(messages.iter().map(place));
        }
        let mut bodies: BTreeMap<MessageId, Vec<(Item, String)>> = BTreeMap::new();
        for (_, mut item) in self.db.get_across(Delivery::TABLE, places).await? {
            let delivery: Delivery = self.of().decode(item.clone())?;
            item.retain(|name, _| [item::PK, item::SK].contains(&name.as_str()));
            let own = bodies.entry(delivery.message_id).or_default();
            own.extend(delivery.body.map(|body| (item, body)));
        }
        Ok(bodies)
    }

    /// Exchanges a body, and leaves what wakes a delivery. Who sends it meanwhile has to look at it
    /// again; what is gone by now stays so.
    fn expunged(&self, key: Item, body: &str) -> Result<Unit> {
        let version = new_version()?;
        let now = self.db.clock.now().to_string();
        let names = [
            ("#body", "body"),
            ("#expunged", "expungedAt"),
            ("#version", VERSION),
            ("#written", WRITTEN),
        ];
        let values = [
            (":body", Value::S(expunged(body))),
            (":now", Value::N(now)),
            (":version", Value::S(version.clone())),
        ];
        let expression =
            "SET #body = :body, #expunged = :now, #version = :version, #written = :now";
        let update = Update {
            expression: expression.to_owned(),
            condition: Some(present().expression),
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        let write = Write::Update { table: Table::Schedule.name(), key, update };
        Ok(Unit { writes: vec![write], version: Some(version), ..Unit::default() })
    }

    /// What receivers answered to a message may repeat it.
    async fn forget_answers(&self, message: &MessageId) -> Result<()> {
        let near = self.of_message(message);
        let mut rest = Some(near.under(Key::named(AttemptRecord::KIND).prefix()));
        while let Some(query) = rest.take() {
            let rows = self.db.query(Query { limit: ATTEMPTS, ..query.clone() }).await?;
            let id = |row: &Item| Some((of_endpoint(row)?, attempt_of(row)?));
            let mut attempts = self.attempts(rows.items.iter().filter_map(id).collect()).await?;
            attempts.retain(|attempt| !attempt.response.is_empty());
            let emptied = |mut attempt: AttemptRecord| {
                attempt.response.clear();
                let at = self.at_endpoint(&attempt.endpoint_id);
                Ok(BatchWrite::Put(at.encode(&attempt, &new_version()?)?))
            };
            let writes = attempts.into_iter().map(emptied).collect::<Result<_>>()?;
            self.db.write_all(Table::Schedule, writes).await.into_iter().collect::<Result<()>>()?;
            rest = rows.next.map(|start| Query { start: Some(start), ..query });
        }
        Ok(())
    }
}
