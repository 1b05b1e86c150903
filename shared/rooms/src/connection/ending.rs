//! The end of connections. Its row stays for a moment: the function of the end runs at the same time as
//! those of the last frames.

use std::collections::BTreeSet;

use aws::Value;
use error::{Result, Status};
use model::{Millis, OrganizationId};
use tenancy::{
    layout::{EXPIRES, Table},
    prelude::*,
    scopes::{Store, TenantStore, report},
};

use super::{
    Cache, Connection, Departure,
    row::{ENDED, PLACES, key},
};
use crate::{prelude::*, room::Room};

/// How long the row of an ended connection is kept, in seconds.
const KEPT: Millis = 60;

impl Connection {
    /// A connection, if it is known, also if it has ended a moment ago. The end of a connection and what was sent before
    /// are handled at the same time, and nobody would be told that a change was not stored.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn find_heard(store: &Store, id: &str) -> Result<Option<Self>> {
        let now = store.db().clock().real().millis();
        Ok(Self::find_row(store, id).await?.filter(|found| found.row.is_heard(now)))
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.row.ended.is_some()
    }

    /// Ends the connection and deletes its subscriptions; returns these. Its row stays for a moment.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: then the remaining rows expire.
    pub(crate) async fn forget(store: &Store, id: &str) -> Result<Vec<Departure>> {
        let Some(connection) = Self::find_now(store, id).await? else { return Ok(vec![]) };
        let mut left = vec![];
        let tenant = connection.tenant_unchecked().await?;
        if let Some(tenant) = &tenant {
            for place in &connection.row.places {
                let room = Room::at(tenant, place);
                let member = room.remove(id).await?;
                left.extend(member.map(|member| Departure { room, member }));
            }
            let organizations = connection.row.places.iter().map(|place| &place.organization_id);
            for organization in organizations.collect::<BTreeSet<_>>() {
                connection.forget_in(tenant, organization).await?;
            }
        }
        // Last, so that a retry finds the remaining rows.
        if connection.is_anonymous() {
            // A connection without a user has sent nothing that may still be handled.
            let table = Table::Realtime.name();
            store.db().dynamo().delete(table, key(id), None).await.map_err(report)?;
            store.db().cache::<Cache>().rows.forget(&id.to_owned());
            return Ok(left);
        }
        let now = store.db().clock().real().millis();
        let change = format!("SET #{ENDED} = :now, #{EXPIRES} = :expires REMOVE #{PLACES}");
        let values = [
            (":now", Value::N(now.to_string())),
            (":expires", Value::N((now.div_ceil(1000) + KEPT).to_string())),
        ];
        match connection.change(change, None, values).await {
            // Another call has done so.
            Err(error) if error.status == Status::NotFound => {}
            ended => drop(ended?),
        }
        Ok(left)
    }

    async fn forget_in(&self, tenant: &TenantStore, organization: &OrganizationId) -> Result<()> {
        match &self.row.issued {
            Some(issued) => {
                tenant.connections().remove(organization, issued.user(), &self.id).await
            }
            None => Ok(()),
        }
    }
}
