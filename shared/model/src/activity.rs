//! Activities: the audit log (contract `types.activity`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ActivityId, DocumentId, EntityId, Metadata, Millis, Only, Text, UserId,
    event::{Change, DomainEvent},
    people::{self, Fate, Names, Part, People, Rest},
    set_some,
    user::Person,
};

/// Feature of an activity.
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
    /// A custom feature.
    Custom,
}

/// Declares the updatable members once, for activities as stored and as sent.
macro_rules! details {
    ($($(#[$doc:meta])* $member:ident: $kind:ty,)+) => {
        /// Updatable members of an activity.
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
            /// Merges the request.
            pub fn merge(&mut self, sent: Self) {
                $(set_some(&mut self.$member, sent.$member);)+
            }
        }

        /// A new activity, as sent.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "NewActivity")]
pub struct SentActivity {
            /// Generated when absent.
            pub id: Option<ActivityId>,
            /// The feature.
            pub feature_type: FeatureType,
            /// The action, such as `comment.add`.
            pub action_type: Text,
            /// The actor.
            pub action_user: Person,
            /// The target; required for custom activities.
            pub target_entity_id: Option<EntityId>,
            /// A part of the target.
            pub target_sub_entity_id: Option<EntityId>,
            /// Whether clients render the message.
            pub is_activity_resolver_used: Option<bool>,
            $($(#[$doc])* $member: Option<$kind>,)+
        }

        impl SentActivity {
            /// The activity to store.
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

        /// An update of an activity, as sent.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "ActivityPatch")]
pub struct SentDetails {
            /// The activity.
            id: ActivityId,
            $($(#[$doc])* $member: Option<$kind>,)+
        }

        impl SentDetails {
            /// The id and the change.
            pub fn into_parts(self) -> (ActivityId, Details) {
                (self.id, Details { $($member: self.$member,)+ })
            }
        }
    };
}

details! {
    /// Changed members.
    changes: BTreeMap<String, Change>,
    /// Snapshot of the entity.
    entity_data: Value,
    /// Snapshot of the target entity.
    entity_target_data: Value,
    /// The display message, with `{{variable}}` placeholders.
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
    /// The document.
    pub document_id: DocumentId,
    /// The feature.
    pub feature_type: FeatureType,
    /// The action, such as `comment.add`.
    pub action_type: Text,
    /// The actor.
    pub action_user: Person,
    /// Time of the write.
    pub timestamp: Millis,
    /// The target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_entity_id: Option<EntityId>,
    /// A part of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_sub_entity_id: Option<EntityId>,
    /// Members that can be updated.
    #[serde(flatten)]
    pub details: Details,
    /// Whether the record cannot be changed or deleted.
    #[serde(default)]
    pub immutable: bool,
    /// Whether clients render the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_activity_resolver_used: Option<bool>,
}

impl Activity {
    /// The record of a change of a comment or its thread; none without a known actor. `immutable`
    /// is the configuration at the time of the write.
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

/// Actions of a user who leaves remain, without their content and targets, also in immutable
/// records.
impl Names for Activity {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            id: _,
            document_id: _,
            feature_type: _,
            action_type: _,
            action_user,
            timestamp: _,
            target_entity_id: _,
            target_sub_entity_id: _,
            details,
            immutable: _,
            is_activity_resolver_used: _,
        } = self;
        let Details {
            changes,
            entity_data,
            entity_target_data,
            display_message_template: _,
            display_message_template_data,
            action_icon: _,
        } = details;
        if walk.named(Part::Beside, action_user.user_id.as_str()) == Fate::Leaves {
            *action_user = Person::deleted();
            (*changes, *entity_data, *entity_target_data) = (None, None, None);
        }
        people::person(walk, Part::Beside, action_user);
        for (name, change) in changes.iter_mut().flatten() {
            let Change { from, to } = change;
            people::member(walk, name, from);
            people::member(walk, name, to);
        }
        let snapshots = entity_data.iter_mut().chain(entity_target_data);
        snapshots.for_each(|snapshot| people::snapshot(walk, snapshot));
        let data = display_message_template_data.iter_mut();
        data.for_each(|data| people::members(walk, data));
        Rest::Stays
    }
}

/// Filters of activities; absent or empty filters match everything.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ActivityFilter {
    /// Only these.
    pub ids: Only<ActivityId>,
    /// Only those of this document.
    pub document_id: Option<DocumentId>,
    /// Only those about this target.
    pub target_entity_id: Option<EntityId>,
    /// Only those of this user.
    pub user_id: Option<UserId>,
    /// Only those of these features.
    pub feature_types: Only<FeatureType>,
    /// Only those with these actions.
    pub action_types: Only<Text>,
}

impl ActivityFilter {
    /// Whether an activity matches.
    pub fn admits(&self, activity: &Activity) -> bool {
        fn is_it<T: PartialEq>(wanted: &Option<T>, value: Option<&T>) -> bool {
            wanted.as_ref().is_none_or(|wanted| value == Some(wanted))
        }
        self.ids.keeps(&activity.id)
            && is_it(&self.document_id, Some(&activity.document_id))
            && is_it(&self.target_entity_id, activity.target_entity_id.as_ref())
            && is_it(&self.user_id, Some(&activity.action_user.user_id))
            && self.feature_types.keeps(&activity.feature_type)
            && self.action_types.keeps(&activity.action_type)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::{Activity, FeatureType};
    use crate::{
        event::{Change, DomainEvent, EventType},
        people::{Forgotten, Names},
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
        let mut event = DomainEvent::new(EventType::CommentUpdate, &organization, &document);
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
