//! Grants of rights to users, and their ends, at resources anywhere in the tenant.

use std::collections::BTreeMap;

use aws::Item;
use error::{Error, Result};
use model::{
    Millis, OrganizationId, UserId,
    permissions::{AccessRole, Grant, Level},
};
use tenancy::{
    layout::{Entity, Key, Table},
    prelude::*,
    scopes::{ATTEMPTS, back_off},
    writing::{CommitOutcome, after_long},
};

use super::TenantPermissions;
use crate::prelude::*;

/// Levels of an organization, with the new right at each, or its end.
pub(super) type Changes = BTreeMap<Level, Change>;

/// A change of the right of a user or a group at a level.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// This role, until this time in epoch **seconds**.
    Give(AccessRole, Option<u64>),
    End,
}

impl TenantPermissions<'_> {
    /// Gives a user rights, or changes them; of two at one level the later one counts.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED when not all of them were given.
    pub async fn grant(
        self,
        user: &UserId,
        rights: impl IntoIterator<Item = (OrganizationId, Level, AccessRole, Option<u64>)>,
    ) -> Result<()> {
        self.change(user, given(rights)).await
    }

    /// Takes rights away, whether they were granted or not: also those in tokens of the user that
    /// were issued before.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED when not all of them were taken away.
    pub async fn revoke(
        self,
        user: &UserId,
        of: impl IntoIterator<Item = (OrganizationId, Level)>,
    ) -> Result<()> {
        self.change(user, ended(of)).await
    }

    /// Changes the rights of a user. A change made now counts although the user has left before. An
    /// end that took long is recorded again: tokens issued until the call returns lose the right.
    async fn change(self, user: &UserId, changes: BTreeMap<OrganizationId, Changes>) -> Result<()> {
        let (clock, began) = (self.0.db().clock(), self.0.db().clock().now());
        let changes = changes.into_iter().flat_map(|(organization, changes)| {
            let changes = changes.into_iter();
            changes.map(move |(level, change)| (organization.clone(), level, change))
        });
        let mut open: Vec<_> = changes.collect();
        self.write(user, open.clone(), began).await?;
        open.retain(|(_, _, change)| matches!(change, Change::End));
        if open.is_empty() {
            return Ok(());
        }
        let last = match after_long(clock, began) {
            Some(now) => self.write(user, open, now).await.map(|()| now)?,
            None => began,
        };
        clock.pass(last).await;
        Ok(())
    }

    /// Writes what is said of a user at levels.
    async fn write(
        self,
        user: &UserId,
        mut open: Vec<(OrganizationId, Level, Change)>,
        now: Millis,
    ) -> Result<()> {
        let db = self.0.db();
        let place = |organization: &OrganizationId, level: &Level| {
            let id = (level.clone(), user.clone());
            let partition = self.0.organization(organization).partition().clone();
            (partition, Grant::place(&id).into_key())
        };
        for attempt in 0..ATTEMPTS {
            let rows = open.iter().flat_map(|(organization, level, _)| {
                [place(organization, level), place(organization, &Level::Organization)]
            });
            let found = db.get_across(Table::Resources, rows.collect()).await?;
            let read = |place: (Key, Key)| found.get(&(place.0.into(), place.1.into()));
            let mut units = Vec::new();
            for (organization, level, change) in &open {
                let grants = self.0.organization(organization).permissions().grants();
                let decode = |item: &Item| grants.rows().decode(item.clone());
                let departed = read(place(organization, &Level::Organization));
                let left = departed.map(decode).transpose()?.map_or(0, |grant| grant.left);
                let before = read(place(organization, level));
                let mut grant = match before.map(decode).transpose()? {
                    Some(stored) => stored,
                    None => Grant::none(user.clone(), level.clone()),
                };
                match change {
                    Change::Give(role, until) => grant.give(*role, *until, now, left),
                    Change::End => grant.end(now),
                }
                units.push(grants.rows().over(&grant, before)?);
            }
            let mut refused = Vec::new();
            for (outcome, changed) in db.commit_all(units).await.into_iter().zip(open) {
                match outcome {
                    CommitOutcome::Done => {}
                    CommitOutcome::Refused(_) => refused.push(changed),
                    CommitOutcome::Failed(error) => return Err(error),
                }
            }
            if refused.is_empty() {
                return Ok(());
            }
            open = refused;
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }
}

/// Rights that are given; of two at one level the later one counts.
pub(super) fn given(
    rights: impl IntoIterator<Item = (OrganizationId, Level, AccessRole, Option<u64>)>,
) -> BTreeMap<OrganizationId, Changes> {
    let mut changes: BTreeMap<OrganizationId, Changes> = BTreeMap::new();
    for (organization, level, role, until) in rights {
        changes.entry(organization).or_default().insert(level, Change::Give(role, until));
    }
    changes
}

/// Rights that are taken away.
pub(super) fn ended(
    of: impl IntoIterator<Item = (OrganizationId, Level)>,
) -> BTreeMap<OrganizationId, Changes> {
    let mut changes: BTreeMap<OrganizationId, Changes> = BTreeMap::new();
    for (organization, level) in of {
        changes.entry(organization).or_default().insert(level, Change::End);
    }
    changes
}
