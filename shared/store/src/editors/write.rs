//! Writes of editors: add, replace, append.

mod delete;
mod forget;
mod replace;

use std::{borrow::Cow, collections::BTreeSet};

use aws::{BatchWrite, Write};
use error::{Error, Result};
use model::{
    EditorId, Millis, Text, Timestamp, UserId,
    editor::{CONTENT_KEY, EditorType, GrownLog},
    event::{DomainEvent, Event, EventType},
    user::Person,
};
use serde_json::json;
use tenancy::{
    layout::{Key, Table, item, listed},
    prelude::*,
    reading::new_version,
    scopes::{ATTEMPTS, back_off, place_of},
    writing::{CommitOutcome, Unit, absent, settle},
};

use crate::prelude::*;

use super::{
    EditorStore,
    bounds::Full,
    clients::Decoder,
    edits::{Appended, ContentType, Edits, foreign},
    former::Former,
    head::Head,
    missing,
    rooms::Rooms,
};

pub use replace::{Replaced, Replacing};

/// An editor to be added.
pub struct NewEditor {
    head: Head,
    named: Named,
}

/// How much of an editor's type a caller chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// Type and name.
    Both,
    /// Only the type; the name is the default.
    Type,
    /// Neither; it is the type of the first update.
    Nothing,
}

impl EditorStore {
    /// A new editor of a type that a caller chose; without a name for the shared type with its
    /// content, that has the default name.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_editor(
        &self,
        id: EditorId,
        kind: EditorType,
        content_key: Option<Text>,
    ) -> Result<NewEditor> {
        let named = if content_key.is_some() { Named::Both } else { Named::Type };
        let key = content_key.map_or_else(|| CONTENT_KEY.to_owned(), String::from);
        Ok(NewEditor { head: self.new_head(id, ContentType { kind, key }, false)?, named })
    }

    /// A new editor of the type of its first update; `is_open`, until text arrives or a caller
    /// names the type.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn found_editor(
        &self,
        id: EditorId,
        found: ContentType,
        is_open: bool,
    ) -> Result<NewEditor> {
        Ok(NewEditor { head: self.new_head(id, found, is_open)?, named: Named::Nothing })
    }

    fn new_head(&self, id: EditorId, of: ContentType, is_open: bool) -> Result<Head> {
        let now = self.db().counts_from();
        Ok(Head {
            id,
            kind: of.kind,
            content_key: of.key,
            is_open,
            epoch: new_version()?,
            is_owned: true,
            client: u32::from_be_bytes(keyring::random_bytes()?),
            firsts: vec![],
            former: Former::default(),
            created_at: now,
            updated_at: now,
            updated_by: None,
            snapshot: None,
            previous: None,
            full: None,
            turn: None,
            kept_at: None,
            since_kept: 0,
            added: 0,
        })
    }

    /// Adds an editor with the updates of its client, and the client's `clock`.
    ///
    /// # Errors
    /// ALREADY_EXISTS; PERMISSION_DENIED for structs of clients of other users; RESOURCE_EXHAUSTED
    /// when it is too large.
    pub async fn add(
        &self,
        new: NewEditor,
        edits: &Edits,
        clock: u32,
        by: Option<&UserId>,
        peers: &(impl Decoder + Rooms),
    ) -> Result<()> {
        let former = self.former(&new.head.id).await?;
        let (head, own) = self.after(former, &new.head, edits, peers).await?;
        if let Some(client) = own.and_then(|own| own.foreign.first().copied()) {
            return Err(foreign(client));
        }
        let unit = self.added(head, edits, clock, by)?;
        self.take_place().await?;
        let added = settle(self.db().commit(unit).await, |write| match write {
            0 => Error::exists("CRDT data already exists for this editor ID."),
            _ => Error::aborted(),
        });
        self.give_places(usize::from(added.is_err())).await;
        added
    }

    /// The place of the document.
    pub(super) fn container(&self) -> (Key, Key) {
        let documents = self.organization.documents().all();
        documents.rows().place_of(&self.document)
    }

    fn added(&self, head: Head, edits: &Edits, clock: u32, by: Option<&UserId>) -> Result<Unit> {
        let head = Head { updated_by: by.cloned(), ..head };
        let item = head.item(self, clock);
        let put = Write::Put { table: Table::Crdt.name(), item, condition: Some(absent()) };
        let mut writes = vec![put];
        let now = head.updated_at;
        let entry = self.entry(&head.id, &head.epoch, edits, by, now)?;
        writes.extend(entry.first);
        writes.extend(self.first_owned(&head, edits));
        writes.extend(self.db().as_decided(self.container()));
        let emitted = self.emitted(self.updated(&head.id, by, edits.grown(&head.id), now));
        let row = listed(self.organization.partition(), &self.document, now);
        Ok(Unit::new(writes).emitting(emitted).linking([vec![row], entry.others].concat()))
    }

    /// Appends updates of a peer, all or none. `new` is added if the editor does not exist. The type
    /// of an open editor becomes the one that `new` names, or that of the text they begin. When too
    /// many updates wait for missing dependencies, only those are appended that have none. Returns
    /// the updates as they are stored: without structs of clients of other users.
    ///
    /// # Errors
    /// NOT_FOUND, also for an end user's content of a deleted editor; INVALID_ARGUMENT when it has
    /// another type than `new`; RESOURCE_EXHAUSTED when it is too large.
    pub async fn append(
        &self,
        id: &EditorId,
        new: Option<NewEditor>,
        edits: &Edits,
        by: Option<&UserId>,
        peers: &(impl Decoder + Rooms),
    ) -> Result<Appended> {
        for attempt in 0..ATTEMPTS {
            let (mut is_new, mut edits) = (false, Cow::Borrowed(edits));
            let (mut ahead, mut foreign) = (vec![], BTreeSet::new());
            let unit = match (self.head_or_former(id).await?, &new) {
                (Err(_), None) => return Err(missing(id)),
                (Err(former), Some(new)) => {
                    let (head, own) = self.after(former, &new.head, &edits, peers).await?;
                    if let Some(own) = own {
                        (edits, foreign) = (Cow::Owned(own.edits), own.foreign);
                        if edits.updates.is_empty() {
                            return Ok(Appended { updates: vec![], foreign });
                        }
                    }
                    let unit = self.added(head, &edits, 0, by)?;
                    self.take_place().await?;
                    is_new = true;
                    unit
                }
                (Ok(head), new) => {
                    self.admits(&head, &edits, peers).await?;
                    if head.created_at > self.db().counts_from() {
                        self.db().is_as_decided(self.container()).await?;
                    }
                    let named = new.as_ref().map_or(Ok(None), |new| new.names(&head))?;
                    if edits.updates.is_empty() {
                        return Ok(Appended::default());
                    }
                    if let Some(own) = self.owned(&head, &edits, peers).await? {
                        (edits, foreign) = (Cow::Owned(own.edits), own.foreign);
                    }
                    if edits.updates.is_empty() {
                        return Ok(Appended { updates: vec![], foreign });
                    }
                    if let Some(full) = head.full {
                        let is_open = match full {
                            Full::Waiting => match self.find(id).await? {
                                Some(stored) => peers.is_ready(&stored, &edits)?,
                                None => false,
                            },
                            Full::Large => true,
                            Full::Unmerged => false,
                        };
                        if !is_open {
                            return Err(full.error(id));
                        }
                    }
                    let turn = self.has_room(&head, &edits, peers).await?;
                    // A concurrent deletion removes all rows of the epoch.
                    let now = self.db().clock().now();
                    let entry = self.entry(id, &head.epoch, &edits, by, now)?;
                    let decided = named.or_else(|| edits.text.clone()).filter(|_| head.is_open);
                    let key = |row| {
                        BatchWrite::Delete(item::named_key(
                            self.organization.partition(),
                            &place_of(row).1,
                        ))
                    };
                    ahead.extend(entry.others.iter().map(key));
                    let mut writes: Vec<Write> = entry.first.into_iter().collect();
                    writes.extend(self.head_after(&head, decided, &edits, turn));
                    let mut grown = edits.grown(id);
                    // Only a merge says that it is not full any more.
                    grown.is_long |= head.full.is_some();
                    let emitted = self.emitted(self.updated(id, by, grown, now));
                    Unit::new(writes).emitting(emitted).linking(entry.others)
                }
            };
            let outcome = self.db().commit(unit).await;
            // A new editor is refused by another one, or by the life of its document.
            let won = match outcome {
                CommitOutcome::Refused(write) if is_new && write > 0 => Err(Error::aborted()),
                outcome => outcome.won_race(),
            };
            if matches!(won, Ok(false)) {
                // Rows that remain are swept.
                self.db().write_all(Table::Crdt, ahead).await;
            }
            match (&new, &won) {
                (Some(new), Ok(true)) if is_new => self.note_first(&new.head, &edits),
                (Some(_), _) if is_new => self.give_places(1).await,
                _ => {}
            }
            if won? {
                return Ok(Appended { updates: edits.into_owned().updates, foreign });
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The event of an update, with the time that its entry has.
    fn updated(&self, id: &EditorId, by: Option<&UserId>, grown: GrownLog, at: Millis) -> Event {
        let mut event =
            DomainEvent::new(EventType::CrdtUpdateData, self.organization.id(), &self.document);
        event.actor = by.cloned().map(Person::from_id);
        let data = json!({ "id": id, "lastUpdatedBy": by, "lastUpdate": Timestamp(at) });
        event.data.insert("crdtData".to_owned(), data);
        event.grown = Some(grown);
        event.into()
    }
}

impl NewEditor {
    /// The client that writes for callers without a document of their own.
    pub fn client(&self) -> u32 {
        self.head.client
    }

    /// The name of the shared type with the content.
    pub fn content_key(&self) -> &str {
        &self.head.content_key
    }

    /// The type that a caller names for an existing open editor.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the type of the editor is decided and is another one.
    fn names(&self, stored: &Head) -> Result<Option<ContentType>> {
        match self.named {
            Named::Both if stored.is_open => {
                let Head { kind, content_key, .. } = &self.head;
                Ok(Some(ContentType { kind: *kind, key: content_key.clone() }))
            }
            Named::Type if stored.is_open => Ok(None),
            Named::Both | Named::Type if stored.kind != self.head.kind => {
                let (stored, sent) = (stored.kind.as_str(), self.head.kind.as_str());
                let message = format!("The data of this editor has type {stored}, not {sent}.");
                Err(Error::invalid(message))
            }
            _ => Ok(None),
        }
    }
}
