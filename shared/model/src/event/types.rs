//! Types of events in documents.

use serde::{Deserialize, Serialize};

/// Declares the types of events, each with its name.
macro_rules! event_types {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The type of a domain event, and some internal to delivery.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum EventType {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl EventType {
            /// Every type.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Name of the type in webhooks and triggers.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The occasion of the event, as a sentence for receivers.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

event_types! {
    /// A thread was created with its first comment.
    AnnotationAdd = "comment_annotation.add",
    /// A thread was assigned.
    AnnotationAssign = "comment_annotation.assign",
    /// The status of a thread changed.
    AnnotationStatusChange = "comment_annotation.status_change",
    /// The priority of a thread changed.
    AnnotationPriorityChange = "comment_annotation.priority_change",
    /// The visibility of a thread changed.
    AnnotationAccessModeChange = "comment_annotation.access_mode_change",
    /// A user subscribed to a thread.
    AnnotationSubscribe = "comment_annotation.subscribe",
    /// A user unsubscribed from a thread.
    AnnotationUnsubscribe = "comment_annotation.unsubscribe",
    /// A suggestion was accepted.
    SuggestionAccept = "comment_annotation.suggestion_accept",
    /// A suggestion was rejected.
    SuggestionReject = "comment_annotation.suggestion_reject",
    /// A thread was deleted. Internal: it notifies nobody, because nobody sees the thread any more.
    AnnotationDelete = "comment_annotation.delete",
    /// A comment was added to a thread.
    CommentAdd = "comment.add",
    /// A comment was edited.
    CommentUpdate = "comment.update",
    /// A comment was deleted.
    CommentDelete = "comment.delete",
    /// A user reacted to a comment.
    ReactionAdd = "comment.reaction_add",
    /// A user removed a reaction.
    ReactionDelete = "comment.reaction_delete",
    /// The data of an editor changed.
    CrdtUpdateData = "crdt.update_data",
    /// A version of an editor was added.
    CrdtVersionAdd = "crdt.version_added",
    /// An editor became an earlier version again.
    CrdtRestore = "crdt.restored",
    /// Edits of a user of an editor were undone.
    CrdtRevert = "crdt.reverted",
    /// A recording was added.
    RecorderDone = "recorder.done",
    /// A custom notification was added. Internal.
    NotificationAdd = "notification.add",
}

impl EventType {
    /// Whether webhooks can subscribe to it.
    pub const fn is_for_webhooks(self) -> bool {
        use EventType::{AnnotationAccessModeChange, AnnotationDelete, NotificationAdd};
        !matches!(self, AnnotationAccessModeChange | AnnotationDelete | NotificationAdd)
    }

    /// Source of the event in bodies of webhooks: `comment`, `crdt` or `recorder`.
    pub fn source(self) -> &'static str {
        let head = self.name().split('.').next().unwrap_or_default();
        if head == "comment_annotation" { "comment" } else { head }
    }

    /// Action of the event, without its object.
    pub fn action(self) -> &'static str {
        match self {
            Self::CrdtUpdateData => "updateData",
            other => other.name().split_once('.').map_or("", |(_, action)| action),
        }
    }
}
