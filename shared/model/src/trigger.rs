//! Triggers of events: switches as sent, and the one table that resolves their spellings.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// A known switch.
#[derive(Clone, Copy)]
struct Known {
    group: &'static str,
    /// Key of the switch in the group.
    key: &'static str,
    /// The dotted type of its event.
    event: &'static str,
}

const fn known(group: &'static str, key: &'static str, event: &'static str) -> Known {
    Known { group, key, event }
}

/// All switches. The first 16 are the standard comment triggers, the first 18 all of them. The last
/// ones are in no defaults, which callers compare.
const KNOWN: [Known; 25] = [
    known("comment", "newlyAdded", "comment_annotation.add"),
    known("comment", "added", "comment.add"),
    known("comment", "updated", "comment.update"),
    known("comment", "deleted", "comment.delete"),
    known("comment", "approved", "comment_annotation.approve"),
    known("comment", "accepted", "comment_annotation.accept"),
    known("comment", "rejected", "comment_annotation.reject"),
    known("comment", "assigned", "comment_annotation.assign"),
    known("comment", "statusChanged", "comment_annotation.status_change"),
    known("comment", "priorityChanged", "comment_annotation.priority_change"),
    known("comment", "accessModeChanged", "comment_annotation.access_mode_change"),
    known("comment", "customListChanged", "comment_annotation.custom_list_change"),
    known("comment", "reactionAdded", "comment.reaction_add"),
    known("comment", "reactionDeleted", "comment.reaction_delete"),
    known("comment", "subscribed", "comment_annotation.subscribe"),
    known("comment", "unsubscribed", "comment_annotation.unsubscribe"),
    known("comment", "suggestionAccepted", "comment_annotation.suggestion_accept"),
    known("comment", "suggestionRejected", "comment_annotation.suggestion_reject"),
    known("huddle", "created", "huddle.create"),
    known("huddle", "join", "huddle.join"),
    known("crdt", "updateData", "crdt.update_data"),
    known("recorder", "done", "recorder.done"),
    known("crdt", "versionAdded", "crdt.version_added"),
    known("crdt", "restored", "crdt.restored"),
    known("crdt", "reverted", "crdt.reverted"),
];

const STANDARD_COMMENT: usize = 16;
const ALL_COMMENT: usize = 18;
const DEFAULT: usize = 22;

/// Longest key of a switch or group, in bytes.
const MAX_KEY_BYTES: usize = 256;

/// Switches by event, in any accepted spelling: in groups (`comment.added` as `{"comment":
/// {"added": true}}`) or flat (`comment.add`, `comment.added` or `added`). Unknown keys are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Triggers(BTreeMap<String, Switches>);

/// A switch, or a group of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "TriggerSwitch")]
enum Switches {
    One(bool),
    Group(BTreeMap<String, bool>),
}

/// The spellings of a switch, the one with the highest precedence first.
fn spellings(known: Known) -> [(Option<&'static str>, String); 5] {
    let Known { group, key, event } = known;
    [
        (Some(group), key.to_owned()),
        (Some(group), event.to_owned()),
        (None, event.to_owned()),
        (None, format!("{group}.{key}")),
        (None, key.to_owned()),
    ]
}

/// The group and key of an event, by its dotted type.
pub fn camel(event: &str) -> Option<(&'static str, &'static str)> {
    let known = KNOWN.into_iter().find(|known| known.event == event);
    known.map(|known| (known.group, known.key))
}

impl Triggers {
    /// The switch of an event, by its dotted type; none when unset.
    pub fn switch(&self, event: &str) -> Option<bool> {
        let known = KNOWN.into_iter().find(|known| known.event == event);
        let Some(known) = known else { return self.at(None, event) };
        spellings(known).iter().find_map(|(group, key)| self.at(*group, key))
    }

    /// Whether there is no switch.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|switches| matches!(switches, Switches::Group(g) if g.is_empty()))
    }

    fn at(&self, group: Option<&str>, key: &str) -> Option<bool> {
        match (self.0.get(group.unwrap_or(key))?, group) {
            (Switches::Group(group), Some(_)) => group.get(key).copied(),
            (Switches::One(on), None) => Some(*on),
            _ => None,
        }
    }

    fn at_mut(&mut self, group: Option<&str>, key: &str) -> Option<&mut bool> {
        match (self.0.get_mut(group.unwrap_or(key))?, group) {
            (Switches::Group(group), Some(_)) => group.get_mut(key),
            (Switches::One(on), None) => Some(on),
            _ => None,
        }
    }

    /// Merges sent switches in their spelling. Stored switches in another spelling take the same
    /// value, so the latest request wins.
    pub fn merge(&mut self, sent: Self) {
        for known in KNOWN {
            let Some(on) = sent.switch(known.event) else { continue };
            for (group, key) in spellings(known) {
                if let Some(stored) = self.at_mut(group, &key) {
                    *stored = on;
                }
            }
        }
        for (name, switches) in sent.0 {
            match (self.0.get_mut(&name), switches) {
                (Some(Switches::Group(stored)), Switches::Group(sent)) => stored.extend(sent),
                (_, switches) => drop(self.0.insert(name, switches)),
            }
        }
    }

    fn flat(known: &[Known], on: bool) -> impl Iterator<Item = (String, Switches)> {
        known.iter().map(move |known| (known.event.to_owned(), Switches::One(on)))
    }

    fn grouped(known: &[Known]) -> Self {
        let mut groups: BTreeMap<String, Switches> = BTreeMap::new();
        for Known { group, key, .. } in known {
            let empty = || Switches::Group(BTreeMap::new());
            let switches = groups.entry((*group).to_owned()).or_insert_with(empty);
            if let Switches::Group(switches) = switches {
                switches.insert((*key).to_owned(), true);
            }
        }
        Self(groups)
    }

    /// Default triggers of emails (contract `configuration.email_update`).
    pub fn of_email() -> Self {
        let on = [&KNOWN[..STANDARD_COMMENT], &KNOWN[ALL_COMMENT..20]].concat();
        Self(Self::flat(&on, true).collect())
    }

    /// Default triggers of webhooks, on and off (contract `configuration.webhooks_update`).
    pub fn of_webhooks() -> Self {
        let off = [&KNOWN[STANDARD_COMMENT..ALL_COMMENT], &KNOWN[20..DEFAULT]].concat();
        Self(Self::of_email().0.into_iter().chain(Self::flat(&off, false)).collect())
    }

    /// Default triggers of notifications (contract `configuration.notifications_update`).
    pub fn of_notifications() -> Self {
        Self::grouped(&[&KNOWN[..STANDARD_COMMENT], &KNOWN[ALL_COMMENT..20]].concat())
    }

    /// Default triggers of activity logs (contract `configuration.activities_update`).
    pub fn of_activities() -> Self {
        Self::grouped(&KNOWN[..ALL_COMMENT])
    }

    /// The groups of notifications, both empty (contract `configuration.notifications_get`).
    pub fn no_notifications() -> Self {
        let group = |name: &str| (name.to_owned(), Switches::Group(BTreeMap::new()));
        Self([group("comment"), group("huddle")].into())
    }
}

/// A key or group as sent; `null` counts as absent.
fn check<E: de::Error>(key: &str) -> Result<(), E> {
    let is_key = (1..=MAX_KEY_BYTES).contains(&key.len()) && !key.contains(char::is_control);
    if is_key { Ok(()) } else { Err(E::custom("must have keys of 1 to 256 bytes of text")) }
}

impl<'de> Deserialize<'de> for Triggers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = BTreeMap::<String, Option<Switches>>::deserialize(deserializer)?;
        let mut switches = BTreeMap::new();
        for (name, sent) in sent {
            check(&name)?;
            let Some(sent) = sent else { continue };
            let is_group = KNOWN.iter().any(|known| known.group == name);
            if is_group && matches!(sent, Switches::One(_)) {
                return Err(de::Error::custom("must have an object of switches for each group"));
            }
            switches.insert(name, sent);
        }
        Ok(Self(switches))
    }
}

/// Handwritten, because an untagged enum cannot name the invalid member.
impl<'de> Deserialize<'de> for Switches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Switches;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a boolean or an object of booleans")
            }

            fn visit_bool<E: de::Error>(self, on: bool) -> Result<Switches, E> {
                Ok(Switches::One(on))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Switches, A::Error> {
                let mut group = BTreeMap::new();
                while let Some((key, on)) = map.next_entry::<String, Option<bool>>()? {
                    check(&key)?;
                    group.extend(on.map(|on| (key, on)));
                }
                Ok(Switches::Group(group))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::{KNOWN, Triggers};

    fn triggers(json: Value) -> Triggers {
        from_value(json).unwrap()
    }

    #[test]
    fn a_switch_is_found_in_every_spelling() {
        for super::Known { group, key, event } in KNOWN {
            for on in [true, false] {
                for spelled in [
                    json!({ group: { key: on } }),
                    json!({ group: { event: on } }),
                    json!({ event: on }),
                    json!({ format!("{group}.{key}"): on }),
                    json!({ key: on }),
                ] {
                    assert_eq!(triggers(spelled.clone()).switch(event), Some(on), "{spelled}");
                    let silent = KNOWN
                        .iter()
                        .filter(|other| triggers(spelled.clone()).switch(other.event).is_none());
                    assert_eq!(silent.count(), KNOWN.len() - 1, "{spelled} is about one event");
                }
            }
        }
        assert_eq!(triggers(json!({ "step.failed": true })).switch("step.failed"), Some(true));
        assert_eq!(triggers(json!({})).switch("comment.add"), None);
    }

    #[test]
    fn groups_count_more_than_flat_types_and_those_more_than_flat_keys() {
        let on = |json: Value| triggers(json).switch("comment.add");
        let all = json!({ "comment": { "added": true }, "comment.add": false, "added": false });
        assert_eq!(on(all), Some(true));
        assert_eq!(on(json!({ "comment.add": true, "comment.added": false })), Some(true));
        assert_eq!(on(json!({ "comment": { "updated": false }, "comment.add": true })), Some(true));
    }

    #[test]
    fn what_was_sent_last_counts_whatever_its_spelling() {
        let mut stored = Triggers::of_notifications();
        stored.merge(triggers(json!({ "comment.add": false, "x": true })));
        assert_eq!(stored.switch("comment.add"), Some(false));
        assert_eq!(stored.switch("comment.update"), Some(true));
        let shown = to_value(&stored).unwrap();
        assert_eq!(shown["comment.add"], false, "it is kept as it was sent");
        assert_eq!(shown["x"], true);
        stored.merge(triggers(json!({ "comment": { "added": true, "y": false } })));
        assert_eq!(stored.switch("comment.add"), Some(true));
        let shown = to_value(&stored).unwrap();
        assert_eq!(shown["comment"]["y"], false);
        assert_eq!(shown["comment"]["statusChanged"], true);
    }

    #[test]
    fn defaults_are_those_of_the_interface() {
        let count = |triggers: Triggers, on| {
            KNOWN.iter().filter(|known| triggers.switch(known.event) == Some(on)).count()
        };
        assert_eq!(
            (count(Triggers::of_email(), true), count(Triggers::of_email(), false)),
            (18, 0)
        );
        let webhooks = Triggers::of_webhooks();
        assert_eq!((count(webhooks.clone(), true), count(webhooks.clone(), false)), (18, 4));
        for event in ["crdt.update_data", "recorder.done", "comment_annotation.suggestion_accept"] {
            assert_eq!(webhooks.switch(event), Some(false), "{event}");
        }
        assert_eq!(count(Triggers::of_notifications(), true), 18);
        let activities = Triggers::of_activities();
        assert_eq!(count(activities.clone(), true), 18);
        assert_eq!(activities.switch("comment_annotation.suggestion_reject"), Some(true));
        assert_eq!(activities.switch("huddle.join"), None);
        assert!(Triggers::no_notifications().is_empty() && !activities.is_empty());
    }

    #[test]
    fn null_is_not_sent_and_what_is_no_switch_is_refused() {
        assert!(triggers(json!({ "comment.add": null, "comment": { "added": null } })).is_empty());
        for json in [
            json!({ "comment.add": "true" }),
            json!({ "comment.add": 1 }),
            json!({ "comment": { "added": {} } }),
            json!({ "comment": true }),
            json!({ "": true }),
            json!({ "x".repeat(257): true }),
            json!({ "comment": { "\n": true } }),
            json!([]),
        ] {
            assert!(from_value::<Triggers>(json.clone()).is_err(), "{json}");
        }
        assert!(from_value::<Triggers>(json!({ "x".repeat(256): true })).is_ok());
    }
}
