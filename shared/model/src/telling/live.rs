//! What those who are connected to the live channel are told, as it travels on a queue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnnotationId, Base64, DocumentId, EditorId, Millis, OrganizationId, UserId, editor::GrownLog,
    event::DomainEvent, visibility::Visibility,
};

/// Something that connections listen to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LivePlace {
    /// Where.
    pub organization_id: OrganizationId,
    /// What there.
    pub part: LivePart,
}

/// A part of an organization that connections listen to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LivePart {
    /// An editor.
    Editor {
        /// Its document.
        document_id: DocumentId,
        /// The editor.
        editor_id: EditorId,
    },
    /// What happens in a document.
    Events {
        /// The document.
        document_id: DocumentId,
    },
    /// The notifications of a user.
    User {
        /// The user.
        user_id: UserId,
    },
}

impl LivePart {
    /// The document it belongs to.
    pub fn document(&self) -> Option<&DocumentId> {
        match self {
            Self::Editor { document_id, .. } | Self::Events { document_id } => Some(document_id),
            Self::User { .. } => None,
        }
    }
}

/// What is to be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LiveTask {
    /// Something happened in a document.
    Event(Box<LiveEvent>),
    /// Users were notified.
    Notices {
        /// Where.
        organization_id: OrganizationId,
        /// The id of the notification of each.
        users: BTreeMap<UserId, String>,
    },
    /// Somebody said something in a room that is too large to tell all of it at once.
    Relay(LiveRelay),
    /// Members of a large room said something of themselves.
    Crowd {
        /// The room.
        place: LivePlace,
        /// Since when, in epoch milliseconds.
        since: Millis,
    },
}

/// What happened in a document: enough to find it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// Its number in the document.
    pub position: Option<u64>,
    /// Its name, such as `comment.add`.
    pub name: String,
    /// The thread or the recording it happened to.
    pub annotation_id: Option<AnnotationId>,
    /// The comment it happened to.
    pub comment_id: Option<u64>,
    /// Who saw the thread when it happened, as far as the event tells.
    pub visibility: Option<Visibility>,
    /// Who did it.
    pub actor_user_id: Option<UserId>,
    /// The log of updates that grew with it.
    pub grown: Option<GrownLog>,
}

/// Messages of an editor, for everybody in its room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveRelay {
    /// The room.
    pub place: LivePlace,
    /// The connection that said it.
    pub from: String,
    /// The messages, in the encoding of y-websocket.
    pub messages: Vec<Base64>,
}

impl LiveEvent {
    /// What is told of an event with its number.
    pub fn new(event: &DomainEvent, position: Option<u64>) -> Self {
        let visibility = event.data.get("commentAnnotation").map(|it| &it["visibility"]);
        let visibility = visibility.filter(|it| !it.is_null());
        Self {
            organization_id: event.organization_id.clone(),
            document_id: event.document_id.clone(),
            position,
            name: event.event.name().to_owned(),
            annotation_id: event.annotation_id.clone(),
            comment_id: event.comment_id,
            visibility: visibility.and_then(|it| Visibility::deserialize(it).ok()),
            actor_user_id: event.actor.as_ref().map(|actor| actor.user_id.clone()),
            grown: event.grown.clone(),
        }
    }

    /// Whether somebody has to be told: the peers of an editor may know already.
    pub fn is_news(event: &DomainEvent) -> bool {
        event.grown.as_ref().is_none_or(|grown| !grown.told)
    }

    /// The ids of what it happened to.
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
