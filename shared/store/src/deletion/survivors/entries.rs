//! Members of groups, as earlier versions recorded them: their membership in the organization, from
//! which rights and mentions follow, does not have the group.

use aws::{Item, Value};
use error::Result;
use model::life::{Fate, fate};
use tenancy::{
    layout::{belonging_of, item, stamp},
    prelude::*,
    scopes::{TenantStore, containers_around, place_of},
};

use super::{At, Containers, Lost, departed::member_of, organization_of, stand, text};
use crate::prelude::*;

/// The loss that a row proves of a member of a group whose membership lacks it.
pub(super) fn entry(row: &Item, found: &Containers) -> Option<(At, Lost)> {
    let membership = found.get(&member_of(row)?).filter(|item| item::is_there(item))?;
    let stamp = stamp(row, belonging_of(row).bond)?;
    let is_in =
        |place: At| found.get(&place).is_some_and(|it| fate(stamp, &stand(it)) == Fate::Here);
    let is_listed = match membership.get("groups") {
        Some(Value::M(groups)) => groups.contains_key(text(row, "groupId")),
        _ => false,
    };
    let lacks = item::is_there(row) && !is_listed && containers_around(row).into_iter().all(is_in);
    lacks.then(|| (place_of(row), Lost::Entry(row.clone())))
}

/// Writes the entry; returns whether the organization is known.
pub(super) async fn list(
    tenant: &TenantStore,
    partition: &str,
    row: Item,
    found: &Containers,
) -> Result<bool> {
    let Some(id) = organization_of(partition, found) else { return Ok(false) };
    let organization = tenant.organization(&id);
    let joined = item::number(&row, item::WRITTEN).unwrap_or(0);
    let member = organization.user_groups().members().rows().decode(row)?;
    organization.user_groups().list_in_membership(member, joined).await?;
    Ok(true)
}
