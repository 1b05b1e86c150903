//! Content of deleted editors.
//!
//! A peer that was away, or whose page keeps the document, has the content of an editor that was
//! deleted, and sends it all when it is back. It would make the editor again, or be mixed with that of
//! a later one. Yjs has no generations, but each peer has the structs of the clients that wrote the
//! first content: a deletion keeps the ids of a few, in the tombstone of the head, and the next editor
//! of this id takes them over into its own. So neither a change nor a deletion costs more.

use std::collections::BTreeSet;

use aws::{Item, Update, Value, Write};
use error::{Error, Result};
use model::{EditorId, Millis};
use tenancy::{
    layout::{EXPIRES, Table, item},
    prelude::*,
    reading::new_version,
    scopes::{ATTEMPTS, back_off},
};

use super::{
    EditorStore,
    edits::{ContentType, Edits},
    head::{Head, of_epoch},
    n,
    rooms::Rooms,
    text,
};

pub(super) const FIRSTS: &str = "firsts";
const FORMER: &str = "former";
const FORMER_ENDED_AT: &str = "formerEndedAt";
const CLIENTS: &str = "clients";
const ENDED_AT: &str = "endedAt";
/// Maximum number of clients of a first content that are kept.
const MAX_FIRSTS: usize = 8;
/// Maximum number of clients of the first contents of all deleted editors of an id that are kept.
const MAX_FORMER: usize = 64;
/// How long the tombstone of an editor is kept, in seconds.
const LIFETIME: u64 = 366 * 24 * 60 * 60;

/// Deleted editors of an id.
#[derive(Clone, Debug, Default)]
pub(super) struct Former {
    /// Clients of their first contents.
    clients: Vec<u64>,
    /// When the last of them ended, in epoch milliseconds. Deletions of earlier versions do not say it.
    ended_at: Option<Millis>,
}

impl Former {
    pub(super) fn of_head(item: &Item) -> Self {
        let ended_at = item::number(item, FORMER_ENDED_AT);
        Self { clients: read(item, FORMER), ended_at }
    }

    fn of_tombstone(item: &Item) -> Self {
        Self { clients: read(item, CLIENTS), ended_at: item::number(item, ENDED_AT) }
    }

    /// The members of the head of the editor that is there now.
    pub(super) fn in_head(&self) -> impl Iterator<Item = (String, Value)> {
        let ended_at = self.ended_at.map(|at| (FORMER_ENDED_AT.to_owned(), n(at)));
        written(FORMER, &self.clients).into_iter().chain(ended_at)
    }

    /// Takes out the clients of updates, which are brought back.
    pub(super) fn give_back(&mut self, edits: &Edits) {
        self.clients.retain(|client| !edits.clients.contains_key(client));
    }

    /// Whether who was there at that time has seen one of them.
    pub(super) fn were_seen(&self, at: Millis) -> bool {
        self.ended_at.is_some_and(|ended_at| at <= ended_at)
    }

    fn are_of(&self, edits: &Edits) -> bool {
        self.clients.iter().any(|client| edits.clients.contains_key(client))
    }
}

pub(super) fn read(item: &Item, name: &str) -> Vec<u64> {
    let listed = text(item, name).unwrap_or_default();
    listed.split(',').filter_map(|client| client.parse().ok()).collect()
}

pub(super) fn written(name: &str, clients: &[u64]) -> Option<(String, Value)> {
    let clients: Vec<String> = clients.iter().map(u64::to_string).collect();
    (!clients.is_empty()).then(|| (name.to_owned(), Value::S(clients.join(","))))
}

/// The clients of a first content.
pub(super) fn firsts(head: &Head, edits: &Edits) -> Vec<u64> {
    match edits.clients.is_empty() {
        true if edits.updates.is_empty() => vec![],
        true => vec![u64::from(head.client)],
        false => edits.clients.keys().copied().take(MAX_FIRSTS).collect(),
    }
}

impl Head {
    /// Whether its first content comes with an update.
    pub(super) fn begins(&self, edits: &Edits) -> Option<Vec<u64>> {
        Some(firsts(self, edits)).filter(|firsts| self.firsts.is_empty() && !firsts.is_empty())
    }
}

impl EditorStore {
    /// The head of an editor; without one, the deleted editors with this id.
    pub(super) async fn head_or_former(&self, editor: &EditorId) -> Result<Result<Head, Former>> {
        for attempt in 0..ATTEMPTS {
            let (partition, key) = (self.organization.partition(), self.head_key(editor));
            match self.db().get_standing(Table::Crdt, partition, &key).await? {
                Some(item) if item::is_there(&item) => {
                    let head = Head::read(&item)?;
                    let organization = self.organization_life().await?;
                    let Some(life) = self.later_life(&head, organization) else {
                        return Ok(Ok(head));
                    };
                    // As the clean-up would do; the next editor knows its clients.
                    self.end(&[head], life).await?;
                }
                Some(tombstone) => return Ok(Err(Former::of_tombstone(&tombstone))),
                None => return Ok(Err(Former::default())),
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Deleted editors with this id, while there is none.
    pub(super) async fn former(&self, editor: &EditorId) -> Result<Former> {
        Ok(self.head_or_former(editor).await?.err().unwrap_or_default())
    }

    /// When the last editor with this id ended (epoch milliseconds), while there is none. A deletion
    /// that does not say it may be as late as any time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn ended_at(&self, editor: &EditorId) -> Result<Option<Millis>> {
        let former = self.former(editor).await?;
        Ok(former.ended_at.or((!former.clients.is_empty()).then_some(Millis::MAX)))
    }

    /// Size of the snapshot of an editor in bytes for a peer that has structs of `clients`; 0 without
    /// one.
    ///
    /// # Errors
    /// NOT_FOUND when the peer has content of a deleted editor.
    pub async fn snapshot_bytes_for(
        &self,
        editor: &EditorId,
        clients: &BTreeSet<u64>,
    ) -> Result<usize> {
        let found = self.head_or_former(editor).await?;
        let former = found.as_ref().map_or_else(|former| former, |head| &head.former);
        if former.clients.iter().any(|client| clients.contains(client)) {
            return Err(deleted(editor));
        }
        let snapshot = found.ok().and_then(|head| head.snapshot);
        Ok(snapshot.map_or(0, |snapshot| snapshot.bytes))
    }

    /// Refuses end users what is of a deleted editor: its content, and what is written by a connection
    /// that may have read it, because that goes on from there.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub(super) async fn admits(
        &self,
        head: &Head,
        edits: &Edits,
        rooms: &impl Rooms,
    ) -> Result<()> {
        let tenant = self.organization.tenant();
        if tenant.end_user().is_none() {
            return Ok(());
        }
        let is_of_former = head.former.are_of(edits)
            || match head.former.ended_at {
                Some(at) => rooms.may_have_read_before(tenant, &self.room(&head.id), at).await?,
                None => false,
            };
        if is_of_former { Err(deleted(&head.id)) } else { Ok(()) }
    }

    /// The write that replaces a head by a tombstone, and its version.
    pub(super) fn removed(&self, head: &Head, ended_at: Millis) -> Result<(Write, String)> {
        let mut clients = head.firsts.clone();
        // Of what the service wrote, too, in editors of earlier versions.
        clients.push(u64::from(head.client));
        clients.extend(&head.former.clients);
        clients.truncate(MAX_FORMER);
        let (key, version) = (self.key(&self.head_key(&head.id)), new_version()?);
        let mut item = item::tombstone(&key, &version, self.db().clock().now());
        item.extend(written(CLIENTS, &clients));
        item.insert(ENDED_AT.to_owned(), n(ended_at));
        item.insert(EXPIRES.to_owned(), n(self.db().clock().real().millis() / 1000 + LIFETIME));
        let condition = Some(of_epoch(&head.epoch));
        Ok((Write::Put { table: Table::Crdt.name(), item, condition }, version))
    }

    /// The change of the head that an append needs, if any: of a type that is open, with the first
    /// content, and if it takes the turn.
    pub(super) fn head_after(
        &self,
        head: &Head,
        decided: Option<ContentType>,
        edits: &Edits,
        turn: Option<String>,
    ) -> Option<Write> {
        let firsts = head.begins(edits);
        // Content that the tenant's server brings back is not of a deleted editor any more.
        let returns = head.former.are_of(edits);
        if decided.is_none() && firsts.is_none() && turn.is_none() && !returns {
            return None;
        }
        let condition = of_epoch(&head.epoch);
        let mut update = Update {
            // Sets what it has: an expression needs a first member.
            expression: "SET #epoch = :epoch".to_owned(),
            condition: Some(condition.expression),
            names: condition.names,
            values: condition.values,
        };
        let mut set = |name: &str, value: Value, expression: String| {
            update.expression.push_str(&expression);
            update.names.insert(format!("#{name}"), name.to_owned());
            update.values.insert(format!(":{name}"), value);
        };
        if let Some((name, value)) = firsts.and_then(|firsts| written(FIRSTS, &firsts)) {
            // Others may begin at the same time: each peer gets both.
            set(&name, value, format!(", #{name} = if_not_exists(#{name}, :{name})"));
        }
        if returns {
            let mut former = head.former.clients.clone();
            former.retain(|client| !edits.clients.contains_key(client));
            let former: Vec<String> = former.iter().map(u64::to_string).collect();
            set(FORMER, Value::S(former.join(",")), format!(", #{FORMER} = :{FORMER}"));
        }
        if let Some(decided) = decided {
            head.decide(decided, &mut update);
        }
        if let Some(turn) = turn {
            head.take_turn(turn, &mut update);
        }
        let key = self.key(&self.head_key(&head.id));
        Some(Write::Update { table: Table::Crdt.name(), key, update })
    }
}

/// The error for a peer with content of a deleted editor.
pub(super) fn deleted(editor: &EditorId) -> Error {
    Error::not_found(format!("The editor {editor} was deleted; load it anew."))
}
