//! Clients that are kept for the users who spoke for them. A connection breaks before its user has
//! written anything, and peers know its client: another user could take the client, and what the
//! first one wrote offline under it would be refused for good.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Failure, Update, Value};
use error::Result;
use model::{Millis, UserId, live::LivePart};
use tenancy::{
    layout::{EXPIRES, Key, Table, item},
    prelude::*,
    scopes::report,
};

use super::{Member, Room};
use crate::member::members_key;

const BY: &str = "by";
const SINCE: &str = "since";
/// How long a client is kept after the end of a connection, in milliseconds.
const KEPT: Millis = 3_600_000;

/// The user for whom a client is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeper {
    /// The user.
    pub user_id: UserId,
    /// When the first connection joined that spoke for the client, in epoch milliseconds.
    pub since: Millis,
}

impl Room {
    /// Keeps the client of a member for its user, unless it is kept for another one. A user who may
    /// only read writes nothing under a client.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(super) async fn keep_client(&self, member: &Member) -> Result<()> {
        let Some(client) = member.client.or(member.owned) else { return Ok(()) };
        if member.is_reader || member.left || !matches!(member.part, LivePart::Editor { .. }) {
            return Ok(());
        }
        let now = self.organization.tenant().db().clock().real().millis();
        let second = |at: Millis| Value::N(at.div_ceil(1000).to_string());
        // A state kept already is as old as when it was kept first; an expired one is kept anew.
        let kept = (
            "if_not_exists(#since, :since)",
            "attribute_not_exists(#by) OR (#by = :by AND #expires > :now)",
        );
        for (since, condition) in [kept, (":since", "#expires <= :now")] {
            let values = [
                (":by", Value::S(member.user_id.as_str().to_owned())),
                (":since", Value::N(member.joined.to_string())),
                (":expires", second(now + KEPT)),
                (":now", second(now)),
            ];
            let update = Update {
                expression: format!("SET #by = :by, #expires = :expires, #since = {since}"),
                condition: Some(condition.to_owned()),
                names: [BY, EXPIRES, SINCE]
                    .map(|name| (format!("#{name}"), name.to_owned()))
                    .into(),
                values: values.map(|(name, value)| (name.to_owned(), value)).into(),
            };
            let key = item::key(self.organization.partition(), &self.client_key(client));
            let dynamo = self.organization.tenant().db().dynamo();
            match dynamo.update(Table::Realtime.name(), key, update).await {
                Ok(_) => break,
                Err(Failure::Condition(_)) => {}
                Err(failure) => return Err(report(failure)),
            }
        }
        Ok(())
    }

    /// The users for whom clients are kept, as of a moment ago: they are kept before peers hear that
    /// the connection has ended. Up to 100 are asked for.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keepers(&self, clients: &BTreeSet<u64>) -> Result<BTreeMap<u64, Keeper>> {
        if clients.is_empty() {
            return Ok(BTreeMap::new());
        }
        let (db, partition) = (self.organization.tenant().db(), self.organization.partition());
        let keys = clients.iter().map(|client| self.client_key(*client));
        let mut found = db.get_lately(Table::Realtime, partition, keys).await?;
        let now = db.clock().real().millis();
        let keeper = |client: &u64| {
            let row = found.remove(self.client_key(*client).as_str())?;
            let end = item::number(&row, EXPIRES)?.saturating_mul(1000);
            let user_id = UserId::try_from(row.get(BY)?.as_s().ok()?.clone()).ok()?;
            // Rows of earlier versions do not say it.
            let since = item::number(&row, SINCE).unwrap_or(end.saturating_sub(KEPT));
            (now < end).then_some((*client, Keeper { user_id, since }))
        };
        Ok(clients.iter().filter_map(keeper).collect())
    }

    fn client_key(&self, client: u64) -> Key {
        members_key(&self.place.part).and("client", &client.to_string())
    }
}
