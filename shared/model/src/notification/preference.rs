//! Notification preferences of users (contract `types.notification-preference`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    DocumentId, Millis, UserId,
    people::{self, Names, People, Rest},
};

/// Maximum number of past values of a channel.
const MAX_PAST: usize = 5;

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

impl Wanted {
    /// The setting that delivers no more than either value. An unset value stands for any of them.
    fn least(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(Self::All), least) | (least, Some(Self::All)) => least,
            (one, other) if one == other => one,
            (Some(Self::Mine), Some(Self::Mine)) => Some(Self::Mine),
            _ => Some(Self::None),
        }
    }
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
    /// Past values of each channel.
    #[serde(default)]
    past: PastChannels,
}

/// Past values of each channel, the oldest first. Channels are independent: a change of one says
/// nothing about another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct PastChannels {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inbox: Vec<Past>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    email: Vec<Past>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chat: Vec<Past>,
}

/// A past value: the time of its end, and what was set until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Past(Millis, Option<Wanted>);

/// One channel, now and before.
struct History<'a> {
    now: &'a mut Option<Wanted>,
    past: &'a mut Vec<Past>,
}

impl History<'_> {
    /// Sets the channel. Beyond the maximum, the two oldest values become one: the least of them,
    /// so that what is not known exactly any more is delivered to nobody who had muted it.
    fn set(self, wanted: Option<Wanted>, at: Millis) {
        if wanted.is_none() || wanted == *self.now {
            return;
        }
        self.past.push(Past(at, *self.now));
        *self.now = wanted;
        if self.past.len() > MAX_PAST {
            let Past(_, oldest) = self.past.remove(0);
            let next = self.past.first_mut();
            next.into_iter().for_each(|Past(_, next)| *next = Wanted::least(oldest, *next));
        }
    }

    /// Goes back to a time.
    fn rewind(self, then: Millis) {
        let ended_later = self.past.iter().find(|Past(until, _)| *until > then);
        if let Some(Past(_, was)) = ended_later {
            *self.now = *was;
        }
    }
}

impl Names for Preference {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { user_id, document_id: _, channels: _, past: _ } = self;
        people::owned(walk, user_id)
    }
}

impl Preference {
    /// A preference that says nothing.
    pub fn unset(user_id: UserId, document_id: Option<DocumentId>) -> Self {
        let (channels, past) = Default::default();
        Self { user_id, document_id, channels, past }
    }

    /// Sets channels at a time; those that `sent` omits stay unchanged. False when nothing changes.
    pub fn set(&mut self, sent: Channels, at: Millis) -> bool {
        let before = self.channels;
        let Channels { inbox, email, chat } = sent;
        for (history, wanted) in self.histories().into_iter().zip([inbox, email, chat]) {
            history.set(wanted, at);
        }
        self.channels != before
    }

    /// The preference at a time, as far as it is remembered.
    #[must_use]
    pub fn as_of(mut self, then: Millis) -> Self {
        self.histories().into_iter().for_each(|history| history.rewind(then));
        self
    }

    fn histories(&mut self) -> [History<'_>; 3] {
        let (Channels { inbox, email, chat }, past) = (&mut self.channels, &mut self.past);
        [
            History { now: inbox, past: &mut past.inbox },
            History { now: email, past: &mut past.email },
            History { now: chat, past: &mut past.chat },
        ]
    }

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

    /// A preference that was set at these times.
    fn said(changes: &[(u64, serde_json::Value)]) -> Preference {
        let mut preference = Preference::unset("u".to_owned().try_into().unwrap(), None);
        for (at, sent) in changes {
            preference.set(serde_json::from_value(sent.clone()).unwrap(), *at);
        }
        preference
    }

    /// The channels at a time.
    fn at(preference: &Preference, then: u64) -> serde_json::Value {
        serde_json::to_value(preference.clone().as_of(then).channels).unwrap()
    }

    #[test]
    fn the_nearest_word_on_each_channel_holds() {
        let preference = |channels| said(&[(0, channels)]);
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
    #[test]
    fn each_channel_remembers_its_own_past() {
        let preference = said(&[
            (10, json!({ "inbox": "NONE" })),
            (20, json!({ "inbox": "ALL" })),
            (30, json!({ "email": "NONE" })),
            (40, json!({ "email": "NONE", "chat": "ALL" })),
        ]);
        for (then, expected) in [
            (9, json!({})),
            (10, json!({ "inbox": "NONE" })),
            (19, json!({ "inbox": "NONE" })),
            (20, json!({ "inbox": "ALL" })),
            (35, json!({ "inbox": "ALL", "email": "NONE" })),
            (40, json!({ "inbox": "ALL", "email": "NONE", "chat": "ALL" })),
        ] {
            assert_eq!(at(&preference, then), expected, "{then}");
        }
    }

    #[test]
    fn what_is_repeated_changes_nothing() {
        let mut preference = said(&[(10, json!({ "inbox": "NONE" }))]);
        let channels = |sent| serde_json::from_value(sent).unwrap();
        assert!(!preference.set(channels(json!({ "inbox": "NONE" })), 20));
        assert!(!preference.set(Channels::default(), 30));
        assert!(preference.set(channels(json!({ "inbox": "MINE" })), 40));
        assert_eq!(at(&preference, 39), json!({ "inbox": "NONE" }));
    }

    #[test]
    fn what_is_forgotten_counts_as_the_least_that_it_was() {
        let wanted = |n: u64| match n % 3 {
            0 => "MINE",
            1 => "NONE",
            _ => "ALL",
        };
        let changes: Vec<_> = (1..=40).map(|n| (n * 10, json!({ "inbox": wanted(n) }))).collect();
        let preference = said(&changes);
        for n in 36..=40 {
            assert_eq!(at(&preference, n * 10), json!({ "inbox": wanted(n) }), "{n}");
        }
        // Before that at most what was wanted then.
        for n in 1..=34 {
            assert_eq!(at(&preference, n * 10), json!({ "inbox": "NONE" }), "{n}");
        }
        let stored = serde_json::to_string(&preference).unwrap();
        assert!(stored.len() < 250, "{stored}");
    }
}
