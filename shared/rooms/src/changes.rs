//! Changes of presence and live state, read from the stream of their table.

use aws::Query;
use error::{Error, Result};
use model::{DocumentId, UserId, live_state::LiveState, presence::Presence};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tenancy::{
    layout::{Entity, Key, PK, item, live_in, present_in},
    prelude::*,
};

use crate::{
    features::{Connections, OrganizationLive},
    member::{MAX_ROWS, Member, event_subscribers_key},
    stream_record::{ItemChange, TenantMessage},
};

/// Maximum number of presence records of a document in one reply.
const MAX_PRESENT: usize = 500;
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
    /// A user is in the document.
    Present(Presence),
    /// A user has left it.
    Left {
        /// The document.
        document_id: DocumentId,
        /// The user.
        user_id: UserId,
    },
    /// Live state was written.
    State(LiveState),
}

/// What is in a document, as much as one reply shows.
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
            Self::Present(presence) => &presence.document_id,
            Self::Left { document_id, .. } => document_id,
            Self::State(state) => &state.document_id,
        }
    }
}

impl DocumentChange {
    /// The change in a record of a stream; none for records that nobody receives.
    ///
    /// # Errors
    /// INTERNAL when the record cannot be read.
    pub fn in_record(record: &Json) -> Result<Option<TenantMessage<Self>>> {
        let changed = ItemChange::in_record(record);
        let tenant = changed.tenant();
        let ItemChange { partition, sort, old, new } = changed;
        let is_of_kind = |kind: &'static str| sort.starts_with(&Key::named(kind).prefix());
        let change = match (is_of_kind(Presence::KIND), is_of_kind(LiveState::KIND), new, old) {
            (true, _, Some(new), _) => ChangedContent::Present(item::decode_plain(new)?),
            (true, _, None, Some(old)) => {
                let Presence { document_id, user_id, .. } = item::decode_plain(old)?;
                ChangedContent::Left { document_id, user_id }
            }
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
    /// Those who listen to the events of the document that changed.
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
    /// Who is in a document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn present_in(self, document: &DocumentId) -> Result<Shown<Presence>> {
        let presence = self.0.collection::<Presence>();
        let query = presence.rows().under(present_in(document).prefix());
        let items = presence.rows().first_items(query, MAX_PRESENT + 1).await?;
        let present = items.into_iter().map(|item| presence.rows().decode(item));
        let now = self.0.tenant().now();
        let present = Shown::of(present.collect::<Result<_>>()?, MAX_PRESENT);
        let there = present.items.into_iter().filter(|presence| presence.is_there(now));
        Ok(Shown { items: there.collect(), ..present })
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
        let change = present.message.change;
        assert!(matches!(change, ChangedContent::Present(ada) if ada.last_updated == 7));
        let mut left = record("presence#d#user#ada", json!(null));
        left["dynamodb"]["OldImage"] = ada;
        let change = found(&left).unwrap().message.change;
        assert!(
            matches!(change, ChangedContent::Left { user_id, .. } if user_id.as_str() == "ada")
        );
        for nothing in ["live#d#events#connection#c", "listed#d#document", "connection"] {
            assert!(found(&record(nothing, json!({}))).is_none(), "{nothing}");
        }
        assert!(DocumentChange::in_record(&record("presence#d#user#ada", json!({}))).is_err());
    }
}
