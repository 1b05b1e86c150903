//! Replacement of the content of an editor, by the client of the service.

use aws::{Update, Write};
use error::{Error, Result};
use model::{EditorId, UserId};
use tenancy::{
    layout::Table,
    scopes::{ATTEMPTS, back_off},
    writing::Unit,
};

use crate::editors::{
    EditorStore,
    edits::{ContentType, EditId, Edits},
    former::{self, FIRSTS},
    head::{CLOCK, of_epoch},
    history::event_of,
    missing, n,
    read::StoredEditor,
};

/// A replacement of an editor's content.
pub struct Replaced {
    /// The edits.
    pub edits: Edits,
    /// The client's clock in the editor that was read.
    pub seen: u32,
    /// The client's clock after the update.
    pub clock: u32,
    /// The type that the editor has from now on.
    pub decided: Option<ContentType>,
}

/// The result of a replacement.
pub struct Replacing {
    /// The edit; none when it decided the type alone.
    pub edit: Option<EditId>,
}

impl EditorStore {
    /// Reads an editor, lets `replace` make its client's update, and writes that; retries when the
    /// client wrote something else meanwhile. `replace` returns none for equal content: then
    /// nothing is written.
    ///
    /// # Errors
    /// NOT_FOUND; the errors of `replace`; ABORTED under contention.
    pub async fn replace(
        &self,
        id: &EditorId,
        by: Option<&UserId>,
        mut replace: impl FnMut(&StoredEditor) -> Result<Option<Replaced>> + Send,
    ) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            let stored = self.find(id).await?.ok_or_else(|| missing(id))?;
            let Some(replaced) = replace(&stored)? else { return Ok(()) };
            if self.write_replaced(&stored, replaced, by).await?.is_some() {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Writes a replacement of an editor that was read before, unless its client wrote something else
    /// meanwhile: then the result is none.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn write_replaced(
        &self,
        stored: &StoredEditor,
        replaced: Replaced,
        by: Option<&UserId>,
    ) -> Result<Option<Replacing>> {
        if stored.head.created_at > self.db().counts_from() {
            self.db().is_as_decided(self.container()).await?;
        }
        let (unit, replacing) = self.replacing(stored, replaced, by)?;
        let won = self.db().commit(unit).await.won_race()?;
        Ok(won.then_some(replacing))
    }

    fn replacing(
        &self,
        stored: &StoredEditor,
        replaced: Replaced,
        by: Option<&UserId>,
    ) -> Result<(Unit, Replacing)> {
        let Replaced { edits, seen, clock, decided } = replaced;
        let head = &stored.head;
        let mut condition = of_epoch(&head.epoch);
        // Uses the clock of the read state, not of the head: if an update of the client were
        // missing there, a clock would be used twice. A higher clock than the head's is forged by a
        // peer.
        condition.expression.push_str(" AND #clock <= :seen");
        condition.names.insert("#clock".to_owned(), CLOCK.to_owned());
        condition.values.extend([(":seen".to_owned(), n(seen)), (":clock".to_owned(), n(clock))]);
        let mut change = Update {
            expression: "SET #clock = :clock".to_owned(),
            condition: Some(condition.expression),
            names: condition.names,
            values: condition.values,
        };
        if let Some((name, value)) =
            head.begins(&edits).and_then(|firsts| former::written(FIRSTS, &firsts))
        {
            change.expression.push_str(&format!(", #{name} = if_not_exists(#{name}, :{name})"));
            change.names.insert(format!("#{name}"), name.clone());
            change.values.insert(format!(":{name}"), value);
        }
        if let Some(decided) = decided {
            head.decide(decided, &mut change);
        }
        let key = self.key(&self.head_key(&head.id));
        let mut writes = vec![Write::Update { table: Table::Crdt.name(), key, update: change }];
        let now = self.db().clock().now();
        let entry = self.entry(&head.id, &head.epoch, &edits, by, now)?;
        writes.extend(entry.first);
        // Another type alone is no change of the content.
        if edits.updates.is_empty() {
            return Ok((Unit::new(writes), Replacing { edit: None }));
        }
        let mut grown = edits.grown(&head.id);
        grown.is_long |= stored.is_long();
        let mut emitted = self.emitted(self.updated(&head.id, by, grown, now));
        if let Some((event, id)) = event_of(edits.kind).zip(entry.id) {
            let version = id.to_string().try_into().map_err(|_| Error::internal("an id"))?;
            emitted.extend(self.emitted(self.of_version(event, &head.id, &version, None, by)));
        }
        let unit = Unit::new(writes).emitting(emitted).linking(entry.others);
        Ok((unit, Replacing { edit: entry.id }))
    }
}
