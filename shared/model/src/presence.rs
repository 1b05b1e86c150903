//! Presence (contract `types.presence-user`): the users in a document.

use marks::EndUserMembers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    DocumentId, Label, Metadata, Millis, PersonEmail, PresenceStatus, UserId,
    people::{self, Names, People, Rest},
    set, set_some,
};

/// Lifetime of a record after its last update (contract `presence.lifetime`).
const LIFETIME: Millis = 24 * 60 * 60 * 1000;

/// Maximum size of what a user says of oneself, in bytes: that of awareness in a large room.
const MAX_DATA: usize = 1024;

/// An object of at most 1 KB that pages of a user say of the user in a document, such as a choice or a
/// place on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Metadata")]
#[schemars(inline, with = "Metadata")]
pub struct PresenceData(Metadata);

impl PresenceData {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The size as JSON, in bytes.
    pub fn size(&self) -> usize {
        serde_json::to_string(&self.0).map_or(0, |text| text.len())
    }
}

impl TryFrom<Metadata> for PresenceData {
    type Error = &'static str;

    fn try_from(sent: Metadata) -> Result<Self, Self::Error> {
        let data = Self(sent);
        if data.size() > MAX_DATA {
            return Err("must be an object of at most 1024 bytes");
        }
        Ok(data)
    }
}

/// A user in a document as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// The document.
    pub document_id: DocumentId,
    /// The user, who need not exist.
    pub user_id: UserId,
    /// Display name.
    pub name: Option<Label>,
    /// E-mail address.
    pub email: Option<PersonEmail>,
    /// The user's status.
    pub status: PresenceStatus,
    /// The data that the user's pages say.
    #[serde(default, skip_serializing_if = "PresenceData::is_empty")]
    pub data: PresenceData,
    /// Time of the last update.
    pub last_updated: Millis,
}

impl Names for Presence {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            user_id,
            document_id: _,
            name: _,
            email: _,
            status: _,
            data: _,
            last_updated: _,
        } = self;
        people::owned(walk, user_id)
    }
}

/// A user as sent: complete to add, partial to update.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewPresenceUser")]
pub struct SentPresence {
    /// The caller's id.
    #[end_user(own = Id)]
    pub user_id: UserId,
    /// Display name.
    #[end_user(own = Name)]
    pub name: Option<Label>,
    /// E-mail address.
    #[end_user(own = Email)]
    pub email: Option<PersonEmail>,
    /// Status, such as `online` (the default of a new record), `away` or `offline`.
    #[end_user]
    pub status: Option<PresenceStatus>,
    /// At most 1 KB; `{}` unsets it.
    #[end_user]
    pub data: Option<PresenceData>,
}

impl SentPresence {
    /// Merges a later entry of the same user.
    pub fn merge(&mut self, later: Self) {
        set_some(&mut self.name, later.name);
        set_some(&mut self.email, later.email);
        set_some(&mut self.status, later.status);
        set_some(&mut self.data, later.data);
    }

    /// The record of a user with an id only.
    pub fn into_presence(self, document: DocumentId, now: Millis) -> Presence {
        Presence {
            document_id: document,
            user_id: self.user_id,
            name: self.name,
            email: self.email,
            status: self.status.unwrap_or_default(),
            data: self.data.unwrap_or_default(),
            last_updated: now,
        }
    }
}

impl Presence {
    /// Merges the request; omitted members stay.
    pub fn update(&mut self, sent: SentPresence, now: Millis) {
        set_some(&mut self.name, sent.name);
        set_some(&mut self.email, sent.email);
        set(&mut self.status, sent.status);
        set(&mut self.data, sent.data);
        self.last_updated = now;
    }

    /// Expiry without a further update.
    pub fn ends(&self) -> Millis {
        self.last_updated.saturating_add(LIFETIME)
    }

    /// Whether the record is still valid: expired ones may be stored for some time.
    pub fn is_there(&self, now: Millis) -> bool {
        now < self.ends()
    }
}

#[cfg(test)]
mod tests {
    use super::{LIFETIME, SentPresence};

    fn sent(json: &str) -> SentPresence {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_record_ends_a_day_after_it_was_touched() {
        let ada = sent(r#"{"userId":"ada"}"#);
        let mut ada = ada.into_presence("d".to_owned().try_into().unwrap(), 5);
        assert!(ada.is_there(5) && ada.is_there(4 + LIFETIME) && !ada.is_there(5 + LIFETIME));
        ada.update(sent(r#"{"userId":"ada"}"#), 6);
        assert!(ada.is_there(5 + LIFETIME) && !ada.is_there(6 + LIFETIME));
    }

    #[test]
    fn data_has_a_kilobyte_and_an_empty_object_unsets_it() {
        let data = |length: usize| {
            let text = format!(r#"{{"userId":"ada","data":{{"a":"{}"}}}}"#, "x".repeat(length));
            serde_json::from_str::<SentPresence>(&text)
        };
        assert!(data(1016).is_ok() && data(1017).is_err());
        for other in ["[]", "1", "\"x\""] {
            let text = format!(r#"{{"userId":"ada","data":{other}}}"#);
            assert!(serde_json::from_str::<SentPresence>(&text).is_err(), "{other}");
        }
        let document = "d".to_owned().try_into().unwrap();
        let mut ada = sent(r#"{"userId":"ada","data":{"x":1}}"#).into_presence(document, 5);
        ada.update(sent(r#"{"userId":"ada","status":"away","data":null}"#), 6);
        assert_eq!(ada.data.size(), 7);
        ada.update(sent(r#"{"userId":"ada","data":{}}"#), 7);
        assert!(ada.data.is_empty() && ada.status.to_string() == "away");
    }

    #[test]
    fn what_was_sent_later_wins_member_by_member() {
        let mut ada = sent(r#"{"userId":"ada","name":"A","status":"away"}"#);
        ada.merge(sent(r#"{"userId":"ada","status":"x","email":"a@example.com","name":null}"#));
        let expected = sent(r#"{"userId":"ada","name":"A","status":"x","email":"a@example.com"}"#);
        assert_eq!(ada, expected);
    }
}
