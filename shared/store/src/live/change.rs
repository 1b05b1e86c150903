//! Changes of presence and live state, read from the stream of their table.

use aws::Query;
use error::{Error, Result};
use model::{DocumentId, UserId, live_state::LiveState, presence::Presence};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tenancy::{
    layout::{Entity, Key, PK, item, live_in, present_in},
    prelude::*,
    scopes::TenantRef,
};

use super::{
    member::{MAX_ROWS, Member, events_in},
    record::ItemChange,
};
use crate::features::{Connections, Live};

/// Maximum number of presence records of a document in one reply.
const MAX_PRESENT: usize = 500;
/// Maximum number of its live states in one reply.
const MAX_STATES: usize = 200;

/// A change in a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveChange {
    /// The partition of the document.
    place: String,
    /// The change.
    pub change: LiveChanged,
}

/// The change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LiveChanged {
    /// A user is in the document.
    Present(Presence),
    /// A user has left it.
    Left(DocumentId, UserId),
    /// Live state was written.
    State(LiveState),
}

impl LiveChanged {
    /// The document.
    pub fn document(&self) -> &DocumentId {
        match self {
            Self::Present(presence) => &presence.document_id,
            Self::Left(document, _) => document,
            Self::State(state) => &state.document_id,
        }
    }
}

/// The change in a record of a stream, with its tenant; none for records that nobody receives.
///
/// # Errors
/// INTERNAL when the record cannot be read.
pub fn changed(record: &Json) -> Result<Option<(TenantRef, LiveChange)>> {
    let changed = ItemChange::of(record);
    let tenant = changed.tenant();
    let ItemChange { partition, sort, old, new } = changed;
    let is_of = |kind: &'static str| sort.starts_with(&Key::named(kind).prefix());
    let change = match (is_of(Presence::KIND), is_of(LiveState::KIND), new, old) {
        (true, _, Some(new), _) => LiveChanged::Present(item::decode_plain(new)?),
        (true, _, None, Some(old)) => {
            let Presence { document_id, user_id, .. } = item::decode_plain(old)?;
            LiveChanged::Left(document_id, user_id)
        }
        (_, true, Some(new), _) if item::is_there(&new) => {
            LiveChanged::State(item::decode_plain(new)?)
        }
        _ => return Ok(None),
    };
    Ok(Some((tenant?, LiveChange { place: partition.to_owned(), change })))
}

impl Connections<'_> {
    /// Those who listen to the events of the document that changed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members_of(self, changed: &LiveChange) -> Result<Vec<Member>> {
        if !changed.place.starts_with(&self.0.partition().prefix()) {
            return Err(Error::internal("a change of another tenant"));
        }
        let members = self.0.collection::<Member>();
        let query = Query {
            partition: (PK, changed.place.clone()),
            ..members.rows().under(events_in(changed.change.document()).prefix())
        };
        let items = members.rows().first_items(query, MAX_ROWS).await?;
        items.into_iter().map(|item| members.rows().decode(item)).collect()
    }
}

impl Live<'_> {
    /// Who is in a document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn present_in(self, document: &DocumentId) -> Result<Vec<Presence>> {
        let presence = self.0.collection::<Presence>();
        let query = presence.rows().under(present_in(document).prefix());
        let items = presence.rows().first_items(query, MAX_PRESENT).await?;
        let present = items.into_iter().map(|item| presence.rows().decode(item));
        let now = self.0.tenant().now();
        let present: Vec<Presence> = present.collect::<Result<_>>()?;
        Ok(present.into_iter().filter(|presence| presence.is_there(now)).collect())
    }

    /// The live state of a document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn live_state_of(self, document: &DocumentId) -> Result<Vec<LiveState>> {
        let states = self.0.collection::<LiveState>();
        let items = states
            .rows()
            .first_items(states.rows().under(live_in(document).prefix()), MAX_STATES)
            .await?;
        items.into_iter().map(|item| states.rows().decode(item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LiveChanged, changed};

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
        let (tenant, found) =
            changed(&record("presence#d#user#ada", ada.clone())).unwrap().unwrap();
        assert_eq!(tenant.as_str(), "k");
        assert!(matches!(&found.change, LiveChanged::Present(it) if it.last_updated == 7));
        let mut left = record("presence#d#user#ada", json!(null));
        left["dynamodb"]["OldImage"] = ada;
        let (_, found) = changed(&left).unwrap().unwrap();
        assert!(matches!(&found.change, LiveChanged::Left(_, user) if user.as_str() == "ada"));
        for nothing in ["live#d#events#connection#c", "listed#d#document", "connection"] {
            assert!(changed(&record(nothing, json!({}))).unwrap().is_none(), "{nothing}");
        }
        assert!(changed(&record("presence#d#user#ada", json!({}))).is_err());
    }
}
