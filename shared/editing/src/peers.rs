//! The peers of an editor, for questions of the store.

use std::collections::{BTreeMap, BTreeSet};

use crdt::Applied;
use error::{Error, Result};
use model::{Millis, UserId, live::LivePlace};
use rooms::{Connection, Room};
use store::{
    TenantStore, aside,
    editors::{Announced, Decoder, Edits, Extent, Rooms, StoredEditor, is_lifted},
};

use crate::{EMPTY, checked, extent, load, working::size_of};

/// The peers of an editor, for questions of the store.
pub(crate) struct Peers<'a> {
    /// The connection that writes.
    pub(crate) connection: Option<&'a Connection>,
}

impl Rooms for Peers<'_> {
    async fn announced(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        user: &UserId,
        clients: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, Announced>> {
        let room = Room::at(tenant, room);
        let mut members = room.members().await?;
        // A reader writes nothing under a client, and keeps nobody from it.
        members.retain(|member| !member.is_reader || is_lifted("clients of readers"));
        let keepers = room.keepers(clients).await?;
        let by = |id: &UserId, since| Announced { since, is_foreign: id != user };
        let announced = |client: &u64| match keepers.get(client) {
            Some(keeper) => Some(by(&keeper.user_id, keeper.since)),
            None => {
                let owners = members.iter().filter(|member| member.owns(*client));
                let announced = owners.map(|member| by(&member.user_id, member.joined));
                announced.min_by_key(|it| (!it.is_foreign, it.since))
            }
        };
        Ok(clients.iter().filter_map(|client| Some((*client, announced(client)?))).collect())
    }

    async fn may_have_read_before(
        &self,
        tenant: &TenantStore,
        room: &LivePlace,
        at: Millis,
    ) -> Result<bool> {
        match self.connection {
            Some(connection) => connection.may_have_read(tenant, room, at).await,
            None => Ok(false),
        }
    }
}

impl Decoder for Peers<'_> {
    fn is_ready(&self, stored: &StoredEditor, edits: &Edits) -> Result<bool> {
        let mut state = load(stored)?;
        let apply = |ready, update: &Vec<u8>| Ok(state.apply(update)? == Applied::Whole && ready);
        edits.updates.iter().try_fold(true, apply)
    }

    fn extents(&self, stored: &StoredEditor, edits: &Edits) -> Result<[Extent; 2]> {
        aside(size_of(stored) + edits.bytes(), || {
            let mut state = load(stored)?;
            let before = extent(&state)?;
            edits.updates.iter().try_for_each(|update| state.apply(update).map(drop))?;
            Ok([before, extent(&state)?])
        })
    }

    fn begins(&self, edits: &Edits) -> Result<bool> {
        let state = crdt::State::load(0, None, edits.updates.iter().map(Vec::as_slice))?;
        Ok(state.state_vector() != EMPTY)
    }

    fn without(&self, edits: &Edits, clients: &BTreeSet<u64>) -> Result<Edits> {
        let updates = edits.updates.iter().map(|update| crdt::without(update, clients));
        let updates: Vec<Vec<u8>> = updates.collect::<Result<_>>()?;
        let checked = checked(updates).map_err(|(_, error)| Error::internal(error.message))?;
        Ok(Edits { relayed: edits.relayed, ..checked })
    }

    fn without_known(
        &self,
        stored: &StoredEditor,
        edits: &Edits,
        clients: &BTreeSet<u64>,
    ) -> Result<Edits> {
        let state = load(stored)?;
        let waiting: Vec<&[u8]> = stored
            .updates()
            .enumerate()
            .filter(|(at, _)| state.waiting().contains_key(at))
            .map(|(_, update)| update)
            .collect();
        let mut removable = clients.clone();
        let mut lacking = BTreeSet::new();
        for update in &edits.updates {
            lacking.extend(state.lacking(update, waiting.iter().copied())?);
        }
        removable.retain(|client| !lacking.contains(client));
        self.without(edits, &removable)
    }
}
