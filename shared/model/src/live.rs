//! Tasks of the live channel, on a queue.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnnotationId, Base64, DocumentId, EditorId, Millis, OrganizationId, UserId,
    editor::GrownLog,
    event::{DomainEvent, Reading},
    visibility::Visibility,
};

/// The length of an epoch of awareness clocks in milliseconds: connections of a client that begin in
/// one epoch could not be told apart.
pub const EPOCH: Millis = 125;

/// A subscription of connections.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LivePlace {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The editor, document or user.
    pub part: LivePart,
}

/// A part of an organization that connections listen to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LivePart {
    /// An editor.
    Editor {
        /// Document of the editor.
        document_id: DocumentId,
        /// The editor.
        editor_id: EditorId,
    },
    /// Events of a document.
    Events {
        /// The document.
        document_id: DocumentId,
    },
    /// Notifications of a user.
    User {
        /// The user.
        user_id: UserId,
    },
}

impl LivePart {
    /// The document of the subscription.
    pub fn document(&self) -> Option<&DocumentId> {
        match self {
            Self::Editor { document_id, .. } | Self::Events { document_id } => Some(document_id),
            Self::User { .. } => None,
        }
    }
}

/// A task of the live channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LiveTask {
    /// An event in a document.
    Event(Box<LiveEvent>),
    /// Users were notified.
    Notices {
        /// The organization.
        organization_id: OrganizationId,
        /// The notification id of each user.
        users: BTreeMap<UserId, String>,
    },
    /// Users have read something.
    Read(Reading),
    /// The rights of many connections have changed.
    Review(LiveReview),
    /// An editor was deleted.
    Gone {
        /// Room of the editor.
        place: LivePlace,
        /// The time of the deletion, in epoch milliseconds.
        at: Millis,
    },
    /// A message in a room that is too large to relay at once.
    Relay(LiveRelay),
    /// Awareness of members of a large room has changed.
    Crowd {
        /// The room.
        place: LivePlace,
        /// Start of the changes, in epoch milliseconds.
        since: Millis,
        /// Ids of connections that missed an earlier relay.
        #[serde(default)]
        behind: BTreeSet<String>,
    },
}

/// Connections whose rights may have changed, in the order of their rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveReview {
    /// The partition of their rows.
    pub partition: String,
    /// The beginning of their sort keys.
    pub begin: String,
    /// The sort key of the last row that was checked.
    #[serde(default)]
    pub after: Option<String>,
}

/// A notice of an event in a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// Number of the event in the document.
    pub position: Option<u64>,
    /// Time of the event, in epoch milliseconds by the clock of the tenant: an event is of the life of
    /// the document at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Millis>,
    /// Name of the event, such as `comment.add`.
    pub name: String,
    /// The thread or recording concerned.
    pub annotation_id: Option<AnnotationId>,
    /// The comment concerned.
    pub comment_id: Option<u64>,
    /// Visibility of the thread at the event, as far as known.
    pub visibility: Option<Visibility>,
    /// The actor.
    pub actor_user_id: Option<UserId>,
    /// The log of updates that grew with it.
    pub grown: Option<GrownLog>,
}

/// Messages of an editor for all members of its room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveRelay {
    /// The room.
    pub place: LivePlace,
    /// The connection that sent it.
    pub from: String,
    /// The messages, in the encoding of y-websocket.
    pub messages: Vec<Base64>,
}

impl LiveEvent {
    /// The notice of an event with its number and time.
    pub fn new(event: &DomainEvent, position: Option<u64>, at: Millis) -> Self {
        Self {
            organization_id: event.organization_id.clone(),
            document_id: event.document_id.clone(),
            position,
            at: Some(at),
            name: event.event.name().to_owned(),
            annotation_id: event.annotation_id.clone(),
            comment_id: event.comment_id,
            visibility: event.visibility.clone(),
            actor_user_id: event.actor.as_ref().map(|actor| actor.user_id.clone()),
            grown: event.grown.clone(),
        }
    }

    /// Whether subscribers need it: the peers of an editor may have received it already.
    pub fn is_news(event: &DomainEvent) -> bool {
        event.grown.as_ref().is_none_or(|grown| !grown.relayed)
    }

    /// The ids of the event.
    pub fn ids(&self) -> Value {
        let mut ids = serde_json::Map::new();
        if let Some(id) = &self.annotation_id {
            ids.insert("annotationId".to_owned(), id.as_str().into());
        }
        if let Some(id) = self.comment_id {
            ids.insert("commentId".to_owned(), id.into());
        }
        if let Some(grown) = &self.grown {
            ids.insert("editorId".to_owned(), grown.editor_id.as_str().into());
        }
        ids.into()
    }
}
