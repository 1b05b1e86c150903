//! Changes of presence and live state, read from the stream of their table.

use std::sync::Arc;

use aws::Query;
use error::{Error, Result};
use model::{DocumentId, UserId, live_state::LiveState, presence::Presence};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tenancy::{
    Together,
    layout::{Entity, Key, PK, item, live_in, present_in},
    prelude::*,
};

use crate::{
    features::{Connections, OrganizationLive},
    member::{MAX_MEMBERS, MAX_ROWS, Member, event_subscribers_key},
    stream_record::{ItemChange, TenantMessage},
};

/// Maximum number of presence records of a document in one reply.
const MAX_PRESENT: usize = MAX_MEMBERS;
/// Maximum number of its live states in one reply.
const MAX_STATES: usize = 200;

/// A change in a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentChange {
    /// The partition of the document.
    partition: String,
    /// The change.
    pub change: ChangedContent,
}

/// The change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChangedContent {
    /// Users are in the document, or have left it.
    Presence {
        /// The document.
        document_id: DocumentId,
        /// Users in the document.
        users: Vec<Presence>,
        /// Users who have left the document.
        left: Vec<UserId>,
    },
    /// Live state was written.
    State(LiveState),
}

/// Reads of the users in documents, by the partition of the organization.
#[derive(Default)]
struct Reads(Together<(String, DocumentId), (), Arc<Shown<Presence>>>);

/// Items in a document, as many as one reply shows.
pub struct Shown<T> {
    /// The first of it.
    pub items: Vec<T>,
    /// Whether there is more.
    pub more: bool,
}

impl<T> Shown<T> {
    fn of(mut items: Vec<T>, most: usize) -> Self {
        let more = items.len() > most;
        items.truncate(most);
        Self { items, more }
    }
}

impl ChangedContent {
    /// The document.
    pub fn document(&self) -> &DocumentId {
        match self {
            Self::Presence { document_id, .. } => document_id,
            Self::State(state) => &state.document_id,
        }
    }
}

impl ChangedContent {
    fn present(presence: Presence) -> Self {
        let document_id = presence.document_id.clone();
        Self::Presence { document_id, users: vec![presence], left: vec![] }
    }

    fn left(Presence { document_id, user_id, .. }: Presence) -> Self {
        Self::Presence { document_id, users: vec![], left: vec![user_id] }
    }
}

impl DocumentChange {
    /// The changes in records of a stream, each with the position of its first record. Changes of
    /// the presence in one document become one, with the latest state of each user.
    ///
    /// # Errors
    /// INTERNAL for a record that cannot be read.
    pub fn in_records(records: &[Json]) -> Vec<(usize, Result<TenantMessage<Self>>)> {
        let mut changes: Vec<(usize, Result<TenantMessage<Self>>)> = vec![];
        for (at, record) in records.iter().enumerate() {
            let Some(next) = Self::in_record(record).transpose() else { continue };
            let next = match next {
                Ok(next) => changes.iter_mut().try_fold(next, |next, (_, known)| match known {
                    Ok(known) => known.message.absorb(next).ok_or(()),
                    Err(_) => Ok(next),
                }),
                Err(error) => {
                    changes.push((at, Err(error)));
                    continue;
                }
            };
            changes.extend(next.ok().map(|next| (at, Ok(next))));
        }
        changes
    }

    /// Takes a later change of the same presence; gives another one back.
    fn absorb(&mut self, next: TenantMessage<Self>) -> Option<TenantMessage<Self>> {
        use ChangedContent::Presence;
        match (&mut self.change, &next.message.change) {
            (
                Presence { document_id, users, left },
                Presence { document_id: of, users: came, left: went },
            ) if document_id == of && self.partition == next.message.partition => {
                let is_told = |id: &UserId| {
                    went.contains(id) || came.iter().any(|presence| presence.user_id == *id)
                };
                users.retain(|presence| !is_told(&presence.user_id));
                left.retain(|user| !is_told(user));
                users.extend(came.iter().cloned());
                left.extend(went.iter().cloned());
                None
            }
            _ => Some(next),
        }
    }

    /// The change in a record of a stream; none for records that nobody receives.
    fn in_record(record: &Json) -> Result<Option<TenantMessage<Self>>> {
        let changed = ItemChange::in_record(record);
        let tenant = changed.tenant();
        let ItemChange { partition, sort, old, new } = changed;
        let is_of_kind = |kind: &'static str| sort.starts_with(&Key::named(kind).prefix());
        let change = match (is_of_kind(Presence::KIND), is_of_kind(LiveState::KIND), new, old) {
            (true, _, Some(new), _) => ChangedContent::present(item::decode_plain(new)?),
            (true, _, None, Some(old)) => ChangedContent::left(item::decode_plain(old)?),
            (_, true, Some(new), _) if item::is_there(&new) => {
                ChangedContent::State(item::decode_plain(new)?)
            }
            _ => return Ok(None),
        };
        let message = Self { partition: partition.to_owned(), change };
        Ok(Some(TenantMessage { tenant: tenant?, message }))
    }
}

impl Connections<'_> {
    /// The members who listen to the events of the document that changed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members_of(self, changed: &DocumentChange) -> Result<Vec<Member>> {
        if !changed.partition.starts_with(&self.0.partition().prefix()) {
            return Err(Error::internal("a change of another tenant"));
        }
        let members = self.0.collection::<Member>();
        let query = Query {
            partition: (PK, changed.partition.clone()),
            ..members.rows().under(event_subscribers_key(changed.change.document()).prefix())
        };
        let items = members.rows().first_items(query, MAX_ROWS).await?;
        items.into_iter().map(|item| members.rows().decode(item)).collect()
    }
}

impl OrganizationLive<'_> {
    /// The users in a document. Callers that ask at one time share a read that begins after they
    /// have asked.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn present_in(self, document: &DocumentId) -> Result<Arc<Shown<Presence>>> {
        let presence = self.0.collection::<Presence>();
        let query = presence.rows().under(present_in(document).prefix());
        let key = (self.0.partition().as_str().to_owned(), document.clone());
        let read = async || {
            let items = presence.rows().first_items(query.clone(), MAX_PRESENT + 1).await?;
            let present = items.into_iter().map(|item| presence.rows().decode(item));
            let now = self.0.tenant().now();
            let present = Shown::of(present.collect::<Result<_>>()?, MAX_PRESENT);
            let there = present.items.into_iter().filter(|presence| presence.is_there(now));
            Ok(Arc::new(Shown { items: there.collect(), ..present }))
        };
        self.0.tenant().db().cache::<Reads>().0.read(key, read).await
    }

    /// The live state of a document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn live_state_of(self, document: &DocumentId) -> Result<Shown<LiveState>> {
        let states = self.0.collection::<LiveState>();
        let query = states.rows().under(live_in(document).prefix());
        let items = states.rows().first_items(query, MAX_STATES + 1).await?;
        let states = items.into_iter().map(|item| states.rows().decode(item));
        Ok(Shown::of(states.collect::<Result<_>>()?, MAX_STATES))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ChangedContent, DocumentChange};

    #[test]
    fn a_record_of_the_stream_is_a_change_of_its_tenant() {
        let record = |sort: &str, new: serde_json::Value| {
            let mut keys = json!({ "PK": { "S": "key#k#organization#o#document#d" } });
            keys["SK"] = json!({ "S": sort });
            let mut record = json!({ "dynamodb": { "Keys": keys } });
            if !new.is_null() {
                record["dynamodb"]["NewImage"] = new;
            }
            record
        };
        let ada = json!({
            "documentId": { "S": "d" }, "userId": { "S": "ada" }, "status": { "S": "online" },
            "lastUpdated": { "N": "7" },
        });
        let found = |record: &serde_json::Value| DocumentChange::in_record(record).unwrap();
        let present = found(&record("presence#d#user#ada", ada.clone())).unwrap();
        assert_eq!(present.tenant.as_str(), "k");
        let told = |change: &ChangedContent| match change {
            ChangedContent::Presence { users, left, .. } => {
                let users = users.iter().map(|it| (it.user_id.to_string(), it.last_updated));
                let left = left.iter().map(|user| (user.to_string(), 0));
                Some((users.collect::<Vec<_>>(), left.collect::<Vec<_>>()))
            }
            ChangedContent::State(_) => None,
        };
        let of = |name: &str, at| (name.to_owned(), at);
        assert_eq!(told(&present.message.change), Some((vec![of("ada", 7)], vec![])));
        let mut left = record("presence#d#user#ada", json!(null));
        left["dynamodb"]["OldImage"] = ada.clone();
        let gone = found(&left).unwrap().message.change;
        assert_eq!(told(&gone), Some((vec![], vec![of("ada", 0)])));
        for nothing in ["live#d#events#connection#c", "listed#d#document", "connection"] {
            assert!(found(&record(nothing, json!({}))).is_none(), "{nothing}");
        }
        let broken = record("presence#d#user#ada", json!({}));
        assert!(DocumentChange::in_record(&broken).is_err());

        let user = |name: &str, at: u64| {
            let mut image = ada.clone();
            image["userId"] = json!({ "S": name });
            image["lastUpdated"] = json!({ "N": at.to_string() });
            record(&format!("presence#d#user#{name}"), image)
        };
        let elsewhere = |mut record: serde_json::Value| {
            record["dynamodb"]["Keys"]["PK"] = json!({ "S": "key#l#organization#o#document#d" });
            record
        };
        let records = [
            record("connection", json!({})),
            user("ada", 7),
            elsewhere(user("eve", 1)),
            user("bob", 8),
            broken,
            left,
            user("bob", 9),
        ];
        let changes = DocumentChange::in_records(&records).into_iter();
        let changes = changes.map(|(at, change)| {
            let told =
                change.ok().map(|it| (it.tenant.as_str().to_owned(), told(&it.message.change)));
            (at, told)
        });
        let wanted = vec![
            (1, Some(("k".to_owned(), Some((vec![of("bob", 9)], vec![of("ada", 0)]))))),
            (2, Some(("l".to_owned(), Some((vec![of("eve", 1)], vec![]))))),
            (4, None),
        ];
        assert_eq!(changes.collect::<Vec<_>>(), wanted);
    }
}
