//! Notification preferences of users (contract `types.notification-preference`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, UserId};

/// The activities that a user wants to be notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "NotificationLevel")]
pub enum Wanted {
    /// Everything.
    All,
    /// Only activities that involve the user.
    Mine,
    /// Nothing.
    None,
}

/// The preference of each channel; absent when unset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NotificationChannels")]
pub struct Channels {
    /// In the product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inbox: Option<Wanted>,
    /// By mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Wanted>,
    /// By chat, where a chat integration is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<Wanted>,
}

impl Channels {
    /// The default preference.
    pub const BUILT_IN: Self =
        Self { inbox: Some(Wanted::All), email: Some(Wanted::Mine), chat: Some(Wanted::Mine) };

    /// This preference, with unset channels from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            inbox: self.inbox.or(other.inbox),
            email: self.email.or(other.email),
            chat: self.chat.or(other.chat),
        }
    }
}

/// The preference of a user for a document, or for all documents of the organization.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preference {
    /// The user.
    pub user_id: UserId,
    /// The document; absent for all documents without their own preference.
    pub document_id: Option<DocumentId>,
    /// The preference by channel.
    #[serde(flatten)]
    pub channels: Channels,
}

impl Preference {
    /// The effective preference for a document: channel by channel that of the document, else that
    /// of the organization, else the default.
    pub fn effective(document: Option<&Self>, organization: Option<&Self>) -> Channels {
        let channels_of =
            |of: Option<&Self>| of.map(|preference| preference.channels).unwrap_or_default();
        channels_of(document).or(channels_of(organization)).or(Channels::BUILT_IN)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Channels, Preference};

    #[test]
    fn the_nearest_word_on_each_channel_holds() {
        let preference = |channels: serde_json::Value| Preference {
            user_id: "u".to_owned().try_into().unwrap(),
            document_id: None,
            channels: serde_json::from_value(channels).unwrap(),
        };
        let document = preference(json!({ "inbox": "NONE" }));
        let organization = preference(json!({ "inbox": "MINE", "email": "ALL" }));
        let shown = |channels: Channels| serde_json::to_value(channels).unwrap();
        assert_eq!(
            shown(Preference::effective(Some(&document), Some(&organization))),
            json!({ "inbox": "NONE", "email": "ALL", "chat": "MINE" })
        );
        assert_eq!(
            shown(Preference::effective(None, None)),
            json!({ "inbox": "ALL", "email": "MINE", "chat": "MINE" })
        );
    }
}
