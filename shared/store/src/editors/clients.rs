//! Owners of Yjs clients.
//!
//! Yjs takes two structs of the same client and clock for the same. An end user who sent structs
//! under the client of another one would cut the other's text, and no state vector would differ. A
//! client therefore belongs to the user who first wrote under it, until its editor is deleted. The
//! tenant's own server is trusted: it relays structs of anybody, and owns none.
//! A client that a connection has announced in the room belongs to its user already, so that nobody
//! can take it between the announcement and the first struct.
//!
//! | Row | Attribute |
//! |---|---|
//! | `crdt#D#client#E#epoch#X#id#C` | `by`, the user; none after that user's erasure |

use std::collections::{BTreeMap, BTreeSet};

use aws::{Condition, Value, Write};
use error::{Error, Result};
use futures_util::future::try_join_all;
use model::{
    EditorId, Millis, UserId,
    live::{LivePart, LivePlace},
};
use tenancy::{
    layout::{Key, Table, item},
    prelude::*,
    scopes::TimedCache,
    writing::Unit,
};

use super::{
    EditorStore,
    edits::Edits,
    former::{Former, deleted, firsts},
    head::Head,
    limits::Extent,
    log::BY,
    n,
    read::StoredEditor,
    rooms::Rooms,
    user,
};

/// Maximum number of clients that one write may bring.
const MAX_NEW: usize = 32;

/// The owners that this process knows, by epoch and client: an owner never changes.
#[derive(Default)]
struct Owned(TimedCache<(String, u64), UserId>);

/// Reads updates, which are bytes to the store.
pub trait Decoder: Sync {
    /// Whether the updates have all their dependencies.
    ///
    /// # Errors
    /// INTERNAL when the stored data cannot be read.
    fn is_ready(&self, stored: &StoredEditor, edits: &Edits) -> Result<bool>;

    /// The editor as it is now, and as it is with the updates.
    ///
    /// # Errors
    /// INTERNAL when the stored data cannot be read.
    fn extents(&self, stored: &StoredEditor, edits: &Edits) -> Result<[Extent; 2]>;

    /// Whether something of the updates can be read without others.
    ///
    /// # Errors
    /// INTERNAL when they cannot be read: they were checked before.
    fn begins(&self, edits: &Edits) -> Result<bool>;

    /// The updates without the structs of clients.
    ///
    /// # Errors
    /// INTERNAL when they cannot be read: they were checked before.
    fn without(&self, edits: &Edits, clients: &BTreeSet<u64>) -> Result<Edits>;

    /// The updates without the structs of those of `clients` whose structs are all stored.
    ///
    /// # Errors
    /// INTERNAL when the stored data cannot be read.
    fn without_known(
        &self,
        stored: &StoredEditor,
        edits: &Edits,
        clients: &BTreeSet<u64>,
    ) -> Result<Edits>;
}

/// The part of edits that their user may write.
pub(super) struct Own {
    pub(super) edits: Edits,
    /// Clients of others, whose structs were left out although they are new.
    pub(super) foreign: BTreeSet<u64>,
}

impl EditorStore {
    /// Makes the user of the call the owner of the clients that an append brings. Returns the edits
    /// without structs of others and known ones, if there are any: peers repeat what they have, and
    /// have what the service lacks after a loss of data.
    ///
    /// # Errors
    /// NOT_FOUND for structs that another user wrote into a deleted editor; RESOURCE_EXHAUSTED for
    /// too many new clients.
    pub(super) async fn owned(
        &self,
        head: &Head,
        edits: &Edits,
        peers: &(impl Decoder + Rooms),
    ) -> Result<Option<Own>> {
        let Some(user) = self.user() else { return Ok(None) };
        let clients = self.unknown(head, user, edits);
        if clients.is_empty() || self.take_quietly(head, user, edits, &clients, peers).await? {
            return Ok(None);
        }
        let stored = self.find(&head.id).await?.filter(|editor| editor.head.epoch == head.epoch);
        // Updates of a deleted editor are not read.
        let Some(stored) = stored else { return Ok(None) };
        // The user's own, too: of an update that is refused in part, they come again each time.
        let edits =
            peers.without_known(&stored, edits, &edits.clients.keys().copied().collect())?;
        drop(stored);
        let clients = self.unknown(head, user, &edits);
        check_number(&clients)?;
        let owners = self.owners(head, &clients).await?;
        let (free, mut foreign): (BTreeSet<u64>, BTreeSet<u64>) =
            clients.into_iter().partition(|client| is_free(head, user, &owners, *client));
        let new = free.into_iter().filter(|client| !owners.contains_key(client)).collect();
        foreign.extend(self.take(head, user, new, peers).await?);
        let edits = if foreign.is_empty() { edits } else { peers.without(&edits, &foreign)? };
        Ok(Some(Own { edits, foreign }))
    }

    /// Makes the user the owner without a read of the editor: if the user has all clients but one,
    /// whose first struct comes now.
    async fn take_quietly(
        &self,
        head: &Head,
        user: &UserId,
        edits: &Edits,
        clients: &BTreeSet<u64>,
        rooms: &impl Rooms,
    ) -> Result<bool> {
        if clients.len() > MAX_NEW {
            return Ok(false);
        }
        let owners = self.owners(head, clients).await?;
        let new: BTreeSet<u64> =
            clients.iter().copied().filter(|client| !owners.contains_key(client)).collect();
        let is_first = |client: &u64| head.is_owned && edits.clients.get(client) == Some(&true);
        if !clients.iter().all(|client| is_free(head, user, &owners, *client))
            || new.len() > 1
            || !new.iter().all(is_first)
        {
            return Ok(false);
        }
        Ok(self.take(head, user, new, rooms).await?.is_empty())
    }

    /// The edits of a new editor without structs of clients that other users have announced, if
    /// there are any; nothing, if the rest cannot be read without them.
    ///
    /// # Errors
    /// NOT_FOUND for structs that another user wrote into a deleted editor; RESOURCE_EXHAUSTED for
    /// too many clients.
    pub(super) async fn first_own(
        &self,
        head: &Head,
        edits: &Edits,
        peers: &(impl Decoder + Rooms),
    ) -> Result<Option<Own>> {
        let Some(user) = self.user() else { return Ok(None) };
        let clients: BTreeSet<u64> = edits.clients.keys().copied().collect();
        check_number(&clients)?;
        let foreign = self.announced(head, user, &clients, peers).await?;
        if foreign.is_empty() {
            return Ok(None);
        }
        let own = peers.without(edits, &foreign)?;
        let edits = if peers.begins(&own)? { own } else { Edits::default() };
        Ok(Some(Own { edits, foreign }))
    }

    /// A new head that knows the deleted editors of its id, and the clients of its first content; and
    /// its edits without structs of clients of others, if there are any. The tenant's own server may
    /// bring back what was deleted; end users may not.
    ///
    /// # Errors
    /// NOT_FOUND for content of a deleted editor; RESOURCE_EXHAUSTED for too many clients.
    pub(super) async fn after(
        &self,
        former: Former,
        head: &Head,
        edits: &Edits,
        peers: &(impl Decoder + Rooms),
    ) -> Result<(Head, Option<Own>)> {
        let mut head = Head { former, ..head.clone() };
        self.admits(&head, edits, peers).await?;
        let own = self.first_own(&head, edits, peers).await?;
        let edits = own.as_ref().map_or(edits, |own| &own.edits);
        head.former.give_back(edits);
        head.firsts = firsts(&head, edits);
        Ok((head, own))
    }

    /// The rows of the owners of a new editor's clients.
    pub(super) fn first_owned(&self, head: &Head, edits: &Edits) -> Vec<Write> {
        let Some(user) = self.user() else { return vec![] };
        edits.clients.keys().map(|client| self.taken(head, user, *client)).collect()
    }

    /// Remembers the owner of a new editor's clients.
    pub(super) fn note_first(&self, head: &Head, edits: &Edits) {
        if let Some(user) = self.user() {
            edits.clients.keys().for_each(|client| self.note(head, user, *client));
        }
    }

    /// The end user of the call.
    fn user(&self) -> Option<&UserId> {
        self.organization.tenant().end_user().map(|user| &user.user_id)
    }

    /// The clients of which this process does not know that they belong to the user.
    fn unknown(&self, head: &Head, user: &UserId, edits: &Edits) -> BTreeSet<u64> {
        let (owned, now) = (self.db().cache::<Owned>(), self.db().clock().real());
        let is_known = |client: &u64| {
            let at = (head.epoch.clone(), *client);
            owned.0.find(&at, now, Millis::MAX).as_ref() == Some(user)
        };
        edits.clients.keys().copied().filter(|client| !is_known(client)).collect()
    }

    /// The owners of clients that have one or had one. Owners never change, so that a moment does
    /// not matter: a later one is found by the condition of the write.
    async fn owners(
        &self,
        head: &Head,
        clients: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, Option<UserId>>> {
        if clients.is_empty() {
            return Ok(BTreeMap::new());
        }
        let partition = self.organization.partition();
        let keys = clients.iter().map(|client| self.client_key(head, *client));
        let mut found = self.db().get_lately(Table::Crdt, partition, keys).await?;
        let mut owners = BTreeMap::new();
        for client in clients {
            if let Some(row) = found.remove(self.client_key(head, *client).as_str()) {
                let owner = user(&row, BY)?;
                if let Some(owner) = &owner {
                    self.note(head, owner, *client);
                }
                owners.insert(*client, owner);
            }
        }
        Ok(owners)
    }

    /// The `clients` under which a connection of another user speaks in the room of the editor,
    /// though that user has written nothing yet. Peers announce their client when they join.
    ///
    /// # Errors
    /// NOT_FOUND for one of anybody that was there before a deleted editor ended: peers of that have the
    /// structs from it, and would bring them again and again. They may have them without its first
    /// content, which comes later than what is relayed.
    async fn announced(
        &self,
        head: &Head,
        user: &UserId,
        clients: &BTreeSet<u64>,
        rooms: &impl Rooms,
    ) -> Result<BTreeSet<u64>> {
        if clients.is_empty() {
            return Ok(BTreeSet::new());
        }
        let (tenant, room) = (self.organization.tenant(), self.room(&head.id));
        let announced = rooms.announced(tenant, &room, user, clients).await?;
        if announced.values().any(|announced| head.former.were_seen(announced.since)) {
            return Err(deleted(&head.id));
        }
        let foreign = announced.into_iter().filter(|(_, announced)| announced.is_foreign);
        Ok(foreign.map(|(client, _)| client).collect())
    }

    /// The room of an editor.
    pub fn room(&self, editor: &EditorId) -> LivePlace {
        let (document_id, editor_id) = (self.document.clone(), editor.clone());
        let part = LivePart::Editor { document_id, editor_id };
        LivePlace { organization_id: self.organization.id().clone(), part }
    }

    /// Makes the user the owner of clients; returns those that another user has announced, or took
    /// meanwhile.
    async fn take(
        &self,
        head: &Head,
        user: &UserId,
        clients: BTreeSet<u64>,
        rooms: &impl Rooms,
    ) -> Result<BTreeSet<u64>> {
        let announced = self.announced(head, user, &clients, rooms).await?;
        let takes = clients.difference(&announced).map(|client| async move {
            let client = *client;
            let write = self.taken(head, user, client);
            let unit = Unit::new(vec![write]);
            let is_taken = self.db().write_one(&unit).await.was_executed()?;
            if is_taken {
                self.note(head, user, client);
            }
            Ok((!is_taken).then_some(client))
        });
        let lost = try_join_all(takes).await?.into_iter().flatten();
        Ok(lost.chain(announced.iter().copied()).collect())
    }

    /// The write that makes the user the owner of a client, unless it has another one.
    fn taken(&self, head: &Head, user: &UserId, client: u64) -> Write {
        let mut item = self.key(&self.client_key(head, client));
        item.insert(BY.to_owned(), Value::S(user.as_str().to_owned()));
        item.insert(item::WRITTEN.to_owned(), n(self.db().clock().now()));
        let condition = Condition {
            expression: "attribute_not_exists(#key) OR #by = :by".to_owned(),
            names: [("#key", item::PK), ("#by", BY)]
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .into(),
            values: [(":by".to_owned(), Value::S(user.as_str().to_owned()))].into(),
        };
        Write::Put { table: Table::Crdt.name(), item, condition: Some(condition) }
    }

    fn client_key(&self, head: &Head, client: u64) -> Key {
        let of_epoch = self.rows_key("client", &head.id).and("epoch", &head.epoch);
        of_epoch.and("id", &client.to_string())
    }

    fn note(&self, head: &Head, owner: &UserId, client: u64) {
        let at = (head.epoch.clone(), client);
        self.db().cache::<Owned>().0.keep(at, owner.clone(), self.db().clock().real());
    }
}

/// Whether a user has a client or may take it. The service's own is nobody's.
fn is_free(
    head: &Head,
    user: &UserId,
    owners: &BTreeMap<u64, Option<UserId>>,
    client: u64,
) -> bool {
    let owner = owners.get(&client).map_or(Some(user), Option::as_ref);
    client != u64::from(head.client) && owner == Some(user)
}

fn check_number(clients: &BTreeSet<u64>) -> Result<()> {
    if clients.len() > MAX_NEW {
        return Err(Error::exhausted(format!(
            "An update may bring structs of at most {MAX_NEW} new Yjs clients."
        )));
    }
    Ok(())
}
