//! Clients that are kept for the users who spoke for them. A connection breaks before its user has
//! written anything, and peers know its client: another user could take the client, and what the
//! first one wrote offline under it would be refused for good.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Condition, Failure, Value};
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
/// How long a client is kept after the end of a connection, in milliseconds.
const KEPT: Millis = 3_600_000;

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
        let by = Value::S(member.user_id.as_str().to_owned());
        let mut row = item::key(self.organization.partition(), &self.client_key(client));
        row.insert(BY.to_owned(), by.clone());
        row.insert(EXPIRES.to_owned(), second(now + KEPT));
        let condition = Condition {
            expression: "attribute_not_exists(#by) OR #by = :by OR #expires <= :now".to_owned(),
            names: [BY, EXPIRES].map(|name| (format!("#{name}"), name.to_owned())).into(),
            values: [(":by".to_owned(), by), (":now".to_owned(), second(now))].into(),
        };
        let dynamo = self.organization.tenant().db().dynamo();
        match dynamo.put(Table::Realtime.name(), row, Some(condition)).await {
            Ok(()) | Err(Failure::Condition(_)) => Ok(()),
            Err(failure) => Err(report(failure)),
        }
    }

    /// The users for whom clients are kept, as of a moment ago: they are kept before peers hear that
    /// the connection has ended. Up to 100 are asked for.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keepers(&self, clients: &BTreeSet<u64>) -> Result<BTreeMap<u64, UserId>> {
        if clients.is_empty() {
            return Ok(BTreeMap::new());
        }
        let (db, partition) = (self.organization.tenant().db(), self.organization.partition());
        let keys = clients.iter().map(|client| self.client_key(*client));
        let mut found = db.get_lately(Table::Realtime, partition, keys).await?;
        let number = |row: &aws::Item| row.get(EXPIRES)?.as_n().ok()?.parse::<Millis>().ok();
        let is_kept = |row: &aws::Item| {
            number(row).is_some_and(|end| db.clock().real().millis() < end.saturating_mul(1000))
        };
        let user = |row: aws::Item| UserId::try_from(row.get(BY)?.as_s().ok()?.clone()).ok();
        let keeper = |client: &u64| {
            let row = found.remove(self.client_key(*client).as_str()).filter(is_kept);
            Some((*client, row.and_then(user)?))
        };
        Ok(clients.iter().filter_map(keeper).collect())
    }

    fn client_key(&self, client: u64) -> Key {
        members_key(&self.place.part).and("client", &client.to_string())
    }
}
