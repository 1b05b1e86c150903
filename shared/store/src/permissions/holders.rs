//! Rights of groups. They stand with the container, which every decision reads anyway, and name the
//! life of the group: a right of a group that was deleted counts for nobody from then on, and needs
//! no clean-up.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result, Status};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{
    GroupId, Millis, OrganizationId,
    document::Document,
    folder::Folder,
    life::{Life, Stand},
    organization::Organization,
    permissions::{AccessRole, Level, given_after},
    rights::{Given, GroupRight, Holders},
    user_group::Group,
};
use tenancy::{
    layout::{Container, Table},
    prelude::*,
    reading::{Collection, missing},
    scopes::{Currency, Found, PARALLEL},
    writing::Edit,
};

use super::{
    grants::{Change, Changes, ended, given},
    held::Held,
};
use crate::{
    permissions::{Permissions, TenantPermissions},
    prelude::*,
};

/// Groups with a right at one level.
const MAX_HOLDERS: usize = 50;

impl TenantPermissions<'_> {
    /// Gives a group rights, or changes them; of two at one level the later one counts.
    ///
    /// # Errors
    /// NOT_FOUND when the group or one of the resources does not exist in an organization: then no
    /// right is given. RESOURCE_EXHAUSTED; UNAVAILABLE, ABORTED when not all of them were given.
    pub async fn grant_to_group(
        self,
        group: &GroupId,
        rights: impl IntoIterator<Item = (OrganizationId, Level, AccessRole, Option<u64>)>,
    ) -> Result<()> {
        self.change_of_group(group, given(rights)).await
    }

    /// Takes rights of a group away; one that it does not have is no error.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED when not all of them were taken away.
    pub async fn revoke_from_group(
        self,
        group: &GroupId,
        of: impl IntoIterator<Item = (OrganizationId, Level)>,
    ) -> Result<()> {
        self.change_of_group(group, ended(of)).await
    }

    async fn change_of_group(
        self,
        group: &GroupId,
        changes: BTreeMap<OrganizationId, Changes>,
    ) -> Result<()> {
        let known = stream::iter(changes).map(|(organization, changes)| async move {
            let store = self.0.organization(&organization);
            let known = store.permissions().known(group, &changes).await?;
            Ok::<_, Error>((organization, changes, known))
        });
        let known: Vec<_> = known.buffered(PARALLEL).try_collect().await?;
        let changed = stream::iter(known).map(|(organization, changes, known)| async move {
            let store = self.0.organization(&organization);
            store.permissions().change_of_group(group, &changes, &known).await
        });
        changed.buffered(PARALLEL).try_collect().await
    }
}

/// The facts that a change of rights of a group has read before it.
struct Known {
    /// The life of the organization.
    organization: Life,
    /// The life of the group; none if it does not exist.
    group: Option<Life>,
    /// Lives of the groups with a right to what has no room.
    others: BTreeMap<GroupId, Stand<()>>,
    now: Millis,
}

impl Permissions<'_> {
    /// Reads the facts of a change: the group and the resources have to exist if a right is given.
    async fn known(self, group: &GroupId, changes: &Changes) -> Result<Known> {
        let db = self.0.tenant().db();
        let groups = self.0.user_groups().all();
        let organizations = self.0.tenant().organizations().all();
        let gives = changes.values().any(|change| matches!(change, Change::Give(..)));
        let mut known = Known {
            organization: Life::FIRST,
            group: None,
            others: BTreeMap::new(),
            now: db.clock().now(),
        };
        if !gives {
            return Ok(known);
        }
        let places = changes.keys().map(|level| self.container(level));
        let own = [self.container(&Level::Organization), groups.rows().place_of(group)];
        let places = places.chain(own).collect();
        let mut found = db.get_across_standing(Table::Resources, places, Currency::Now).await?;
        let organization = stand(&organizations, self.0.id(), &found)?;
        if !organization.is_there() {
            return Err(missing::<Organization>(self.0.id()));
        }
        let stands = stand(&groups, group, &found)?.within(&organization);
        let Stand::There(_, life) = stands else { return Err(missing::<Group>(group)) };
        (known.organization, known.group) = (organization.life(), Some(life));
        let mut full = BTreeSet::new();
        for level in changes.keys() {
            let holders = match level {
                Level::Organization => organization.as_ref().there().map(|it| it.holders.clone()),
                Level::Folder(id) => {
                    let folder = stand(&self.0.folders().all(), id, &found)?;
                    let folder = folder.within(&organization).there();
                    Some(folder.ok_or_else(|| missing::<Folder>(id))?.holders)
                }
                Level::Document(id) => {
                    let document = stand(&self.0.documents().all(), id, &found)?;
                    let document = document.within(&organization).there();
                    Some(document.ok_or_else(|| missing::<Document>(id))?.holders)
                }
            };
            let holders = holders.unwrap_or_default();
            if holders.len() >= MAX_HOLDERS && !holders.contains_key(group) {
                full.extend(holders.into_keys());
            }
        }
        let places = full.iter().map(|id| groups.rows().place_of(id)).collect::<BTreeSet<_>>();
        if !places.is_empty() {
            found = db.get_across_standing(Table::Resources, places, Currency::Now).await?;
        }
        for id in full {
            let stand = stand(&groups, &id, &found)?.bare().within(&organization);
            known.others.insert(id, stand);
        }
        Ok(known)
    }

    async fn change_of_group(
        self,
        group: &GroupId,
        changes: &Changes,
        known: &Known,
    ) -> Result<()> {
        let (mut organizations, mut folders, mut documents) = (vec![], vec![], vec![]);
        for (level, change) in changes {
            match level {
                Level::Organization => organizations.push((self.0.id().clone(), *change)),
                Level::Folder(id) => folders.push((id.clone(), *change)),
                Level::Document(id) => documents.push((id.clone(), *change)),
            }
        }
        change_all(&self.0.tenant().organizations().all(), group, organizations, known).await?;
        change_all(&self.0.folders().all(), group, folders, known).await?;
        change_all(&self.0.documents().all(), group, documents, known).await
    }
}

fn stand<E: Container>(of: &Collection<E>, id: &E::Id, found: &Found) -> Result<Stand<E>> {
    let (partition, sort) = of.rows().place_of(id);
    of.rows().standing(found.get(&(partition.into(), sort.into())).cloned())
}

async fn change_all<E: Held>(
    of: &Collection<E>,
    group: &GroupId,
    changes: Vec<(E::Id, Change)>,
    known: &Known,
) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let (ids, changes): (Vec<E::Id>, Vec<Change>) = changes.into_iter().unzip();
    let change = |n: usize, found: Option<E>| {
        let mut entity = found.ok_or_else(|| missing::<E>(&ids[n]))?;
        let is_changed = match changes[n] {
            Change::Give(role, until) => {
                let of = known.group.ok_or_else(|| missing::<Group>(group))?;
                // A later life is of a group that was added again since this call has read it.
                if entity.holders().get(group).is_some_and(|right| right.of > of) {
                    return Ok(Edit::keep(entity));
                }
                let end = entity.life().max(known.organization).since();
                let holders = entity.holders_mut();
                let before = holders.get(group).map_or(0, |right| right.given.at);
                let given = Given { role, until, at: given_after(known.now, end).max(before) };
                holders.insert(group.clone(), GroupRight { given, of });
                make_room(holders, known);
                if holders.len() > MAX_HOLDERS {
                    return Err(full::<E>(&ids[n]));
                }
                true
            }
            Change::End => entity.holders_mut().remove(group).is_some(),
        };
        Ok(if is_changed { Edit::put(entity) } else { Edit::keep(entity) })
    };
    let is_end = |n: &usize| matches!(changes[*n], Change::End);
    let results = of.edit_all(&ids, change).await?;
    results.into_iter().enumerate().try_for_each(|(n, result)| match result {
        // A resource that is not there has no rights.
        Err(error) if error.status == Status::NotFound && is_end(&n) => Ok(()),
        result => result.map(drop),
    })
}

/// Drops rights that count for nobody any more from a level that has no room.
fn make_room(holders: &mut Holders, known: &Known) {
    if holders.len() <= MAX_HOLDERS {
        return;
    }
    holders.retain(|group, right| {
        let is_there = known
            .others
            .get(group)
            .is_none_or(|stand| matches!(stand, Stand::There((), life) if *life == right.of));
        is_there && !right.given.is_over(known.now)
    });
}

fn full<E: Container>(id: &E::Id) -> Error {
    let (noun, id) = (E::NOUN, E::shown(id));
    Error::exhausted(format!(
        "The {noun} {id} has the maximum number of user groups with a right: {MAX_HOLDERS}."
    ))
}
