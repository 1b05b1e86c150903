//! Changes of rights, read from the stream of their table, and the connections that they concern.
//!
//! A connection has a row in the partition of its tenant for each organization: a change finds the
//! connections of a user, of an organization or of the tenant in one range of keys.

use std::collections::BTreeSet;

use aws::{Item, Query, Value};
use error::{Error, Result};
use model::{OrganizationId, UserId, live::LiveReview};
use serde_json::Value as Json;
use tenancy::{
    layout::{EXPIRES, Entity, Key, PK, SK, Table, item},
    prelude::*,
    scopes::report,
};

use crate::{
    LIFETIME,
    features::Connections,
    member::Member,
    stream_record::{ItemChange, TenantMessage},
};

const CONNECTED: &str = "connected";
const CONNECTION: &str = "connectionId";

/// Beginnings of the sort keys of items that decide on rights, with the deciding attributes.
const DECIDING: [(&str, &[&str]); 11] = [
    (
        "key",
        &[
            "disabled",
            "deletedAt",
            "settings",
            "allowedDomains",
            "allowLocalHost",
            "clockAhead",
            "endUsersSince",
        ],
    ),
    ("organization#", &["disabled", "holders"]),
    ("document#", &["disabled", "accessType", "folderId", "holders"]),
    ("folder#", &["accessType", "parentFolderId", "inheritAccessFromParent", "holders"]),
    // Groups themselves: they decide by being there.
    ("group#", &[]),
    ("user#", &["accessRole", "groups"]),
    ("document-user#", &["accessRole"]),
    ("folder-user#", &["accessRole"]),
    (GRANTS[0], &["accessRole", "expiresAt", "ended", "left"]),
    (GRANTS[1], &["accessRole", "expiresAt", "ended", "left"]),
    (GRANTS[2], &["accessRole", "expiresAt", "ended", "left"]),
];

/// Beginnings of the sort keys of grants.
const GRANTS: &[&str; 3] = &["organization-grant#", "document-grant#", "folder-grant#"];

/// Beginnings of the sort keys of new items that may give a right, or record that one was taken away.
pub const GIVEN: &[&str; 6] =
    &["user#", "document-user#", "folder-user#", GRANTS[0], GRANTS[1], GRANTS[2]];

/// Beginnings of the sort keys of items that decide on rights.
pub const RIGHTS: &[&str] = &{
    let mut begins = [""; DECIDING.len()];
    let mut at = 0;
    while at < DECIDING.len() {
        begins[at] = DECIDING[at].0;
        at += 1;
    }
    begins
};

/// The row of a user's connection in an organization.
fn connection_key(organization: &OrganizationId, user: &UserId, connection: &str) -> Key {
    Key::pair(CONNECTED, organization.as_str())
        .and("user", user.as_str())
        .and("connection", connection)
}

/// The review of connections that a record of a stream causes: rights may be lost, or gained.
///
/// # Errors
/// INTERNAL when the record cannot be read.
pub fn review_in_record(record: &Json) -> Result<Option<TenantMessage<LiveReview>>> {
    let changed = ItemChange::in_record(record);
    let tenant = changed.tenant();
    let ItemChange { partition, sort, old, new } = changed;
    let Some((_, deciding)) = DECIDING.iter().find(|(begin, _)| sort.starts_with(begin)) else {
        return Ok(None);
    };
    let is_there = |image: &Item| item::is_there(image);
    let (old, new) = (old.filter(is_there), new.filter(is_there));
    let changes = match (old, new) {
        (None, new) => new.is_some() && GIVEN.iter().any(|begin| sort.starts_with(begin)),
        (Some(_), None) => true,
        (Some(old), Some(new)) => deciding.iter().any(|name| old.get(*name) != new.get(*name)),
    };
    if !changes {
        return Ok(None);
    }
    let tenant = tenant?;
    let key = tenant.as_str();
    let organization = match partition.split('#').collect::<Vec<_>>().as_slice() {
        [_, _, "organization", organization, ..] => Some(*organization),
        _ => None,
    };
    let parts: Vec<&str> = sort.split('#').collect();
    let connections = |begin: String| (format!("key#{key}"), begin);
    let (partition, begin) = match (organization, parts.as_slice()) {
        (None, ["key"]) => connections(format!("{CONNECTED}#")),
        (None, ["organization", id]) => connections(format!("{CONNECTED}#{id}#")),
        // Connections to a document are in its partition.
        (Some(_), ["document", id]) => {
            (format!("{partition}#document#{id}"), format!("{}#{id}#", Member::KIND))
        }
        (Some(organization), ["folder", _] | ["group", _, "group"]) => {
            connections(format!("{CONNECTED}#{organization}#"))
        }
        // The membership of the user has the group.
        (Some(_), ["group", ..]) => return Ok(None),
        (Some(organization), [_, user] | [_, _, "user", user]) => {
            connections(format!("{CONNECTED}#{organization}#user#{user}#"))
        }
        _ => return Ok(None),
    };
    Ok(Some(TenantMessage { tenant, message: LiveReview { partition, begin, after: None } }))
}

/// Connections that a change of rights concerns.
pub struct ReviewedConnections {
    /// Ids of the connections.
    pub ids: Vec<String>,
    /// The review of the others, if there are any.
    pub rest: Option<LiveReview>,
}

impl Connections<'_> {
    /// Records a connection in an organization, so that changes of rights find it.
    pub(crate) async fn record(
        self,
        organization: &OrganizationId,
        user: &UserId,
        connection: &str,
    ) -> Result<()> {
        let mut row =
            item::key(self.0.partition(), &connection_key(organization, user, connection));
        let expires = self.0.real_now().millis().saturating_add(LIFETIME).div_ceil(1000);
        row.insert(CONNECTION.to_owned(), Value::S(connection.to_owned()));
        row.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        self.0.db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }

    /// Whether a user has fewer connections than `most` in an organization.
    pub(crate) async fn has_fewer(
        self,
        organization: &OrganizationId,
        user: &UserId,
        most: usize,
    ) -> Result<bool> {
        let begin = Key::pair(CONNECTED, organization.as_str()).and("user", user.as_str()).prefix();
        let query = Query {
            partition: (PK, self.0.partition().as_str().to_owned()),
            limit: i32::try_from(most).unwrap_or(i32::MAX),
            ..self.0.collection::<Member>().rows().under(begin)
        };
        Ok(self.0.db().query(query).await?.items.len() < most)
    }

    /// Deletes that record.
    pub(crate) async fn remove(
        self,
        organization: &OrganizationId,
        user: &UserId,
        connection: &str,
    ) -> Result<()> {
        let key = item::key(self.0.partition(), &connection_key(organization, user, connection));
        self.0.db().dynamo().delete(Table::Realtime.name(), key, None).await.map_err(report)
    }

    /// The next connections that a change of rights concerns.
    ///
    /// # Errors
    /// UNAVAILABLE; INTERNAL, also for a change of another tenant.
    pub async fn concerned(self, review: &LiveReview, most: usize) -> Result<ReviewedConnections> {
        let own = self.0.partition();
        if review.partition != own.as_str() && !review.partition.starts_with(&own.prefix()) {
            return Err(Error::internal("a change of another tenant"));
        }
        // Not the cached record: it may be the one that changed.
        self.0.db().forget_key(&self.0.api_key().id);
        let text = |text: &String| Value::S(text.clone());
        let start = review.after.as_ref().map(|after| {
            let key = [(PK, text(&review.partition)), (SK, text(after))];
            key.map(|(name, value)| (name.to_owned(), value)).into()
        });
        let query = Query {
            partition: (PK, review.partition.clone()),
            start,
            limit: i32::try_from(most).unwrap_or(i32::MAX),
            ..self.0.collection::<Member>().rows().under(review.begin.clone())
        };
        let found = self.0.db().query(query).await?;
        let after = found.next.as_ref().and_then(|key| key.get(SK)?.as_s().ok().cloned());
        let rest = after.map(|after| LiveReview { after: Some(after), ..review.clone() });
        let connection = |row: Item| row.get(CONNECTION)?.as_s().ok().cloned();
        let connections: BTreeSet<String> =
            found.items.into_iter().filter_map(connection).collect();
        Ok(ReviewedConnections { ids: connections.into_iter().collect(), rest })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{RIGHTS, review_in_record};

    const ORGANIZATION: &str = "key#k#organization#o";

    fn record(place: (&str, &str), old: Json, new: Json) -> Json {
        let keys = json!({ "PK": { "S": place.0 }, "SK": { "S": place.1 } });
        let mut record = json!({ "dynamodb": { "Keys": keys } });
        for (name, image) in [("OldImage", old), ("NewImage", new)] {
            if !image.is_null() {
                record["dynamodb"][name] = image;
            }
        }
        record
    }

    #[test]
    fn a_change_concerns_the_connections_that_it_may_lock_out() {
        let cases = [
            ("key#k", "key", "key#k", "connected#"),
            ("key#k", "organization#o", "key#k", "connected#o#"),
            (ORGANIZATION, "document#d%23", "key#k#organization#o#document#d%23", "live#d%23#"),
            (ORGANIZATION, "folder#f", "key#k", "connected#o#"),
            (ORGANIZATION, "group#g#group", "key#k", "connected#o#"),
            (ORGANIZATION, "user#u", "key#k", "connected#o#user#u#"),
            (ORGANIZATION, "organization-grant#u", "key#k", "connected#o#user#u#"),
            (ORGANIZATION, "document-user#d#user#u", "key#k", "connected#o#user#u#"),
            (ORGANIZATION, "document-grant#d#user#u", "key#k", "connected#o#user#u#"),
            (ORGANIZATION, "folder-user#f#user#u", "key#k", "connected#o#user#u#"),
            (ORGANIZATION, "folder-grant#f#user#u", "key#k", "connected#o#user#u#"),
        ];
        for (partition, sort, of, begin) in cases {
            let removed = record((partition, sort), json!({ "x": { "S": "y" } }), json!(null));
            let found = review_in_record(&removed).unwrap().unwrap();
            let review = found.message;
            assert_eq!((found.tenant.as_str(), review.partition.as_str()), ("k", of), "{sort}");
            assert_eq!(review.begin, begin, "{sort}");
        }
        assert_eq!(RIGHTS.last(), Some(&"folder-grant#"));
    }

    #[test]
    fn other_changes_concern_nobody() {
        let document = (ORGANIZATION, "document#d");
        let named = |name: &str| json!({ "documentName": { "S": name } });
        let disabled = |is: bool| json!({ "disabled": { "BOOL": is } });
        let gone = json!({ "_gone": { "BOOL": true } });
        for nothing in [
            record(document, named("a"), named("b")),
            record(document, json!(null), named("b")),
            record(document, gone.clone(), json!(null)),
            record(document, gone.clone(), named("b")),
            record((ORGANIZATION, "group#g#user#u"), named("a"), json!(null)),
            record((ORGANIZATION, "group#g#group"), named("a"), named("b")),
            record((ORGANIZATION, "document-link#d"), named("a"), json!(null)),
            record(("workspace#w", "document"), named("a"), json!(null)),
        ] {
            assert!(review_in_record(&nothing).unwrap().is_none(), "{nothing}");
        }
        let held = |groups: &[(&str, &str)]| {
            let entries = groups.iter().map(|(group, role)| {
                ((*group).to_owned(), json!({ "M": { "role": { "S": role } } }))
            });
            let entries: serde_json::Map<String, Json> = entries.collect();
            json!({ "holders": { "M": entries } })
        };
        for something in [
            record(document, held(&[("g", "viewer")]), held(&[("h", "viewer")])),
            record(document, held(&[("g", "viewer")]), held(&[("g", "viewer"), ("h", "editor")])),
            record(document, held(&[("g", "editor")]), held(&[("g", "viewer")])),
            record(document, disabled(false), disabled(true)),
            record(document, disabled(true), gone),
            // A right may be given by a new item.
            record((ORGANIZATION, "document-user#d#user#u"), json!(null), named("b")),
            record((ORGANIZATION, "folder-grant#f#user#u"), json!(null), named("b")),
        ] {
            assert!(review_in_record(&something).unwrap().is_some(), "{something}");
        }
    }
}
