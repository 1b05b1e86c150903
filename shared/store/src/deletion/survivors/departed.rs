//! Users who have left an organization, as earlier versions recorded it.

use aws::{Item, Write};
use error::Result;
use model::{
    event::Event,
    permissions::{Grant, Level},
};
use tenancy::{
    layout::{Entity, PK, SK, WRITTEN, item},
    prelude::*,
    reading::new_version,
    scopes::{TenantStore, place_of},
    writing::{Unit, absent, unchanged},
};

use super::{At, Containers, Lost, commit, organization_of, text};
use crate::prelude::*;

/// Whether an item records in the form of earlier versions that rights ended. It would expire.
pub(super) fn is_record(item: &Item) -> bool {
    item::is_there(item) && item.contains_key("revoked")
}

/// The membership of the organization that a membership of a group needs.
pub(super) fn member_of(row: &Item) -> Option<At> {
    let (partition, sort) = (text(row, PK), text(row, SK));
    let (group, user) = sort.split_once("#user#")?;
    group.starts_with("group#").then(|| (partition.to_owned(), format!("user#{user}")))
}

/// The loss that a row proves of a user who has left.
pub(super) fn departure(row: &Item, found: &Containers) -> Option<(At, Lost)> {
    if is_record(row) {
        let place = place_of(row);
        let record = found.get(&place).filter(|record| is_record(record))?.clone();
        return Some((place, Lost::Rights(record)));
    }
    let place = member_of(row).filter(|_| item::is_there(row))?;
    let is_member = found.get(&place).is_some_and(item::is_there);
    (!is_member).then(|| (place, Lost::Member(row.clone())))
}

/// Repeats the departure that a record of an earlier version has, and gives it the form in which it
/// does not expire; returns whether the organization is known.
pub(super) async fn repeat_departure(
    tenant: &TenantStore,
    partition: &str,
    record: Item,
    found: &Containers,
) -> Result<bool> {
    let Some(id) = organization_of(partition, found) else { return Ok(false) };
    let (condition, version) = (unchanged(&item::version(&record)?), new_version()?);
    let organization = tenant.organization(&id);
    let grants = organization.permissions().grants();
    let grant = grants.rows().decode(record)?;
    let (user_id, since) = (grant.user_id.clone(), Some(grant.left));
    let event = Event::UserDeleted { organization_id: id, user_id, since };
    let item = grants.rows().encode(&grant, &version)?;
    let write = Write::Put { table: Grant::TABLE.name(), item, condition: Some(condition) };
    let event = (grant.left > 0).then_some(event);
    commit(tenant, Unit::new(vec![write]).versioned(version), event).await?;
    Ok(true)
}

/// Repeats the departure of somebody who is in a group and not in its organization: it was later than
/// the addition to the group. Returns whether the organization is known.
pub(super) async fn expel(
    tenant: &TenantStore,
    partition: &str,
    member: Item,
    found: &Containers,
) -> Result<bool> {
    let Some(id) = organization_of(partition, found) else { return Ok(false) };
    let organization = tenant.organization(&id);
    let added = item::number(&member, WRITTEN).unwrap_or(0);
    let user = organization.user_groups().members().rows().decode(member)?.user_id;
    let (grants, version) = (organization.permissions().grants(), new_version()?);
    let key = (Level::Organization, user.clone());
    let stored = grants.rows().read(std::slice::from_ref(&key)).await?.remove(&key);
    let condition = stored.as_ref().map(item::version).transpose()?;
    let condition = condition.as_deref().map_or_else(absent, unchanged);
    let mut grant = match stored {
        Some(stored) => grants.rows().decode(stored)?,
        None => Grant::none(user.clone(), Level::Organization),
    };
    grant.left = grant.left.max(added);
    let event = Event::UserDeleted { organization_id: id, user_id: user, since: Some(grant.left) };
    let item = grants.rows().encode(&grant, &version)?;
    let write = Write::Put { table: Grant::TABLE.name(), item, condition: Some(condition) };
    commit(tenant, Unit::new(vec![write]).versioned(version), Some(event)).await?;
    Ok(true)
}
