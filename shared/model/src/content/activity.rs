//! Activities: what happened, for people to read (spec 2.12; siblings 10, 15.6).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ActivityId, DocumentId, EntityId, Metadata, Millis, Text, UserId,
    erasure::{Forgotten, forget_in, forget_in_members},
    event::{Change, DomainEvent},
    set_some,
    user::Person,
};

/// What an activity is part of.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names of features")]
#[schemars(rename = "ActivityFeature")]
pub enum FeatureType {
    Comment,
    Reaction,
    Recorder,
    Crdt,
    /// Something of the caller's own.
    Custom,
}

/// Declares the members that can be updated once, for activities as stored and as sent.
macro_rules! details {
    ($($(#[$doc:meta])* $member:ident: $kind:ty,)+) => {
        /// What can be changed of an activity (spec 2.12).
        #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "ActivityDetails")]
pub struct Details {
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $member: Option<$kind>,
            )+
        }

        impl Details {
            /// Takes over what was sent.
            pub fn merge(&mut self, sent: Self) {
                $(set_some(&mut self.$member, sent.$member);)+
            }
        }

        /// An activity as callers send it to be added.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "NewActivity")]
pub struct SentActivity {
            /// Generated when absent.
            pub id: Option<ActivityId>,
            /// What it is part of.
            pub feature_type: FeatureType,
            /// What was done, such as `comment.add`.
            pub action_type: Text,
            /// Who did it.
            pub action_user: Person,
            /// What it is about; required for custom activities.
            pub target_entity_id: Option<EntityId>,
            /// The part of it that it is about.
            pub target_sub_entity_id: Option<EntityId>,
            /// Whether clients resolve it.
            pub is_activity_resolver_used: Option<bool>,
            $($(#[$doc])* $member: Option<$kind>,)+
        }

        impl SentActivity {
            /// The activity, as it is written.
            pub fn into_activity(
                self,
                id: ActivityId,
                document_id: DocumentId,
                timestamp: Millis,
                immutable: bool,
            ) -> Activity {
                Activity {
                    id,
                    document_id,
                    feature_type: self.feature_type,
                    action_type: self.action_type,
                    action_user: self.action_user,
                    timestamp,
                    target_entity_id: self.target_entity_id,
                    target_sub_entity_id: self.target_sub_entity_id,
                    details: Details { $($member: self.$member,)+ },
                    immutable,
                    is_activity_resolver_used: self.is_activity_resolver_used,
                }
            }
        }

        /// A change of an activity as callers send it.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "ActivityPatch")]
pub struct SentDetails {
            /// Which activity.
            id: ActivityId,
            $($(#[$doc])* $member: Option<$kind>,)+
        }

        impl SentDetails {
            /// Which activity it changes, and how.
            pub fn into_parts(self) -> (ActivityId, Details) {
                (self.id, Details { $($member: self.$member,)+ })
            }
        }
    };
}

details! {
    /// What changed, by member.
    changes: BTreeMap<String, Change>,
    /// Snapshot of the entity.
    entity_data: Value,
    /// Snapshot of the target entity.
    entity_target_data: Value,
    /// The sentence people read, with `{{variable}}` where values go.
    display_message_template: String,
    /// Values of the variables.
    display_message_template_data: Metadata,
    /// URL or name of an icon.
    action_icon: String,
}

/// An activity as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// Unique in the organization.
    pub id: ActivityId,
    /// Where it happened.
    pub document_id: DocumentId,
    /// What it is part of.
    pub feature_type: FeatureType,
    /// What was done, such as `comment.add`.
    pub action_type: Text,
    /// Who did it.
    pub action_user: Person,
    /// When it was written.
    pub timestamp: Millis,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_entity_id: Option<EntityId>,
    /// The part of it that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_sub_entity_id: Option<EntityId>,
    /// What can be changed later.
    #[serde(flatten)]
    pub details: Details,
    /// Whether it can be neither changed nor deleted.
    #[serde(default)]
    pub immutable: bool,
    /// Whether clients resolve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_activity_resolver_used: Option<bool>,
}

impl Activity {
    /// The record of what happened to a comment or its thread; none when it is not known who did
    /// it. `immutable` is what the configuration says at the time of writing.
    pub fn of_comment(
        id: ActivityId,
        event: &DomainEvent,
        timestamp: Millis,
        immutable: bool,
    ) -> Option<Self> {
        let changes = Some(event.changes.clone()).filter(|changes| !changes.is_empty());
        Some(Self {
            id,
            document_id: event.document_id.clone(),
            feature_type: FeatureType::Comment,
            action_type: Text::try_from(event.event.name().to_owned()).ok()?,
            action_user: event.actor.clone()?,
            timestamp,
            target_entity_id: event.annotation_id.clone().map(EntityId::from),
            target_sub_entity_id: event
                .comment_id
                .and_then(|comment| EntityId::try_from(comment.to_string()).ok()),
            details: Details {
                changes,
                entity_data: event.data.get("commentAnnotation").cloned(),
                entity_target_data: event.data.get("targetComment").cloned(),
                ..Details::default()
            },
            immutable,
            is_activity_resolver_used: None,
        })
    }
}

impl Activity {
    /// Takes a user out who is erased (siblings 12), whether it is immutable or not. What somebody
    /// who is erased did stays, without what it was done to or with.
    pub fn forget(&mut self, user: &UserId) -> Forgotten {
        let before = serde_json::to_value(&self).unwrap_or_default();
        let details = &mut self.details;
        if self.action_user.user_id == *user {
            self.action_user = Person::deleted();
            (details.changes, details.entity_data, details.entity_target_data) = (None, None, None);
        }
        for change in details.changes.iter_mut().flat_map(BTreeMap::values_mut) {
            forget_in(&mut change.from, user);
            forget_in(&mut change.to, user);
        }
        let snapshots = details.entity_data.iter_mut().chain(&mut details.entity_target_data);
        snapshots.for_each(|snapshot| forget_in_comment(snapshot, user));
        if let Some(data) = &mut details.display_message_template_data {
            forget_in_members(data, user);
        }
        let after = serde_json::to_value(&self).unwrap_or_default();
        if after == before { Forgotten::Unchanged } else { Forgotten::Changed }
    }
}

/// A snapshot of a comment by the user goes as a whole.
fn forget_in_comment(snapshot: &mut Value, user: &UserId) {
    let mut alone = Value::Array(vec![snapshot.take()]);
    forget_in(&mut alone, user);
    *snapshot = alone.get_mut(0).map(Value::take).unwrap_or_default();
}

/// Which activities are meant; what is absent or empty filters nothing.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ActivityFilter {
    /// These only.
    pub ids: BTreeSet<ActivityId>,
    /// Those of this document.
    pub document_id: Option<DocumentId>,
    /// Those about this.
    pub target_entity_id: Option<EntityId>,
    /// What this user did.
    pub user_id: Option<UserId>,
    /// What is part of these.
    pub feature_types: BTreeSet<FeatureType>,
    /// What was done like this.
    pub action_types: BTreeSet<Text>,
}

impl ActivityFilter {
    /// Whether an activity is meant.
    pub fn admits(&self, activity: &Activity) -> bool {
        fn one<T: PartialEq>(wanted: &Option<T>, of: Option<&T>) -> bool {
            wanted.as_ref().is_none_or(|wanted| of == Some(wanted))
        }
        fn any<T: Ord>(wanted: &BTreeSet<T>, of: &T) -> bool {
            wanted.is_empty() || wanted.contains(of)
        }
        any(&self.ids, &activity.id)
            && one(&self.document_id, Some(&activity.document_id))
            && one(&self.target_entity_id, activity.target_entity_id.as_ref())
            && one(&self.user_id, Some(&activity.action_user.user_id))
            && any(&self.feature_types, &activity.feature_type)
            && any(&self.action_types, &activity.action_type)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::{Activity, FeatureType};
    use crate::{
        erasure::Forgotten,
        event::{Change, DomainEvent, EventType},
    };

    #[test]
    fn what_an_erased_user_did_stays_without_what_it_was_done_to() {
        let stored = json!({
            "id": "a", "documentId": "d", "featureType": "comment", "actionType": "comment.update",
            "actionUser": { "userId": "ada", "name": "Ada" }, "timestamp": 7, "immutable": true,
            "changes": { "commentText": { "from": "x", "to": "y" } },
            "entityData": { "from": { "userId": "bob", "name": "Bob" } },
            "entityTargetData": { "commentId": 1, "from": { "userId": "bob" }, "commentText": "y" },
        });
        let id = |user: &str| user.to_owned().try_into().unwrap();
        let mut by_another: Activity = from_value(stored.clone()).unwrap();
        assert_eq!(by_another.forget(&id("eve")), Forgotten::Unchanged);
        assert_eq!(by_another.forget(&id("bob")), Forgotten::Changed);
        assert_eq!(by_another.forget(&id("bob")), Forgotten::Unchanged);
        let shown = serde_json::to_value(&by_another).unwrap();
        assert_eq!(shown["entityTargetData"], json!(null));
        assert!(!shown.to_string().contains("ob\""), "{shown}");
        assert_eq!(shown["actionUser"]["name"], "Ada");

        let mut own: Activity = from_value(stored).unwrap();
        assert_eq!(own.forget(&id("ada")), Forgotten::Changed);
        let shown = serde_json::to_value(&own).unwrap();
        assert_eq!(shown["actionUser"]["userId"], "deleted-user");
        assert_eq!((shown.get("changes"), shown.get("entityData")), (None, None));
    }

    #[test]
    fn what_happened_to_a_comment_is_recorded_with_its_thread() {
        let (organization, document) = ("o".to_owned().try_into(), "d".to_owned().try_into());
        let (organization, document) = (organization.unwrap(), document.unwrap());
        let mut event = DomainEvent::new(EventType::CommentUpdate, (&organization, &document));
        let id = || "a".to_owned().try_into().unwrap();
        assert!(Activity::of_comment(id(), &event, 7, true).is_none(), "nobody did it");

        event.actor = Some(from_value(json!({ "userId": "ada" })).unwrap());
        event.annotation_id = Some("t".to_owned().try_into().unwrap());
        event.comment_id = Some(123_456);
        let change = Change { from: json!("x"), to: json!("y") };
        event.changes.insert("commentText".to_owned(), change);
        event.data.insert("commentAnnotation".to_owned(), json!({ "annotationId": "t" }));
        let activity = Activity::of_comment(id(), &event, 7, true).unwrap();
        assert_eq!(activity.feature_type, FeatureType::Comment);
        assert_eq!(
            serde_json::to_value(activity).unwrap(),
            json!({
                "id": "a", "documentId": "d", "featureType": "comment",
                "actionType": "comment.update", "actionUser": { "userId": "ada" },
                "timestamp": 7, "targetEntityId": "t", "targetSubEntityId": "123456",
                "changes": { "commentText": { "from": "x", "to": "y" } },
                "entityData": { "annotationId": "t" }, "immutable": true,
            })
        );
    }
}
