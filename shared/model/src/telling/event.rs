//! What happened. The item that changed carries it, in the one write that changes it.

mod operational;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnnotationId, DocumentId, EditorId, EndpointId, FolderId, GroupId, JobId, MessageId, Metadata,
    Millis, NotificationId, OrganizationId, UserId, editor::GrownLog, user::Person,
    webhook_endpoint::DisableReason,
};

pub use operational::{AttemptChange, EndpointChange};
pub use types::EventType;

/// Something that others have to act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Event {
    /// An organization was deleted; what lies in it goes in the background.
    #[serde(rename = "organization.delete")]
    OrganizationDeleted {
        /// Which one.
        organization_id: OrganizationId,
    },
    /// A folder was deleted; what lies below it goes in the background.
    #[serde(rename = "folder.delete")]
    FolderDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        folder_id: FolderId,
    },
    /// A document was deleted; its data goes in the background (decisions 3, 4.17).
    #[serde(rename = "document.delete")]
    DocumentDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        document_id: DocumentId,
    },
    /// The data of an editor was deleted; what it was made of goes in the background.
    #[serde(rename = "editor.delete")]
    EditorDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// In which document.
        document_id: DocumentId,
        /// Which one.
        editor_id: EditorId,
        /// Tells it from one of the same id that was added since.
        epoch: String,
    },
    /// A user group was deleted; its memberships go in the background.
    #[serde(rename = "user_group.delete")]
    GroupDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Which one.
        group_id: GroupId,
    },
    /// A user left an organization; memberships and grants in it end (decisions 5, 4.21).
    #[serde(rename = "user.delete")]
    UserDeleted {
        /// Where.
        organization_id: OrganizationId,
        /// Who.
        user_id: UserId,
    },
    /// An API key was deleted; all of the tenant goes in the background (decision 22).
    #[serde(rename = "api_key.delete")]
    KeyDeleted,
    /// Users are to be erased in the background (siblings 12).
    #[serde(rename = "user.erase")]
    UserErasure {
        /// The job that does it.
        job_id: JobId,
        /// Who.
        user_ids: BTreeSet<UserId>,
        /// Where; everywhere when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        organization_ids: Option<BTreeSet<OrganizationId>>,
    },
    /// The time of a testing key was moved (decisions 4).
    #[serde(rename = "clock.advance")]
    ClockAdvanced {
        /// How far it is ahead now, in milliseconds.
        ahead: Millis,
    },
    /// Something happened in a document that webhooks, notifications and mails tell of.
    #[serde(rename = "domain")]
    Domain(Box<DomainEvent>),
    /// A webhook endpoint came, changed or went, or is about to be disabled (an operational
    /// event).
    #[serde(rename = "webhook_endpoint.change")]
    EndpointChanged {
        /// Which one.
        endpoint_id: EndpointId,
        /// Its outcome.
        change: EndpointChange,
        /// Why it was disabled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<DisableReason>,
        /// How much of the time has passed after which it is disabled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
    },
    /// A webhook message fares badly at an endpoint, or well again (an operational event).
    #[serde(rename = "webhook_message.attempt")]
    MessageFared {
        /// Where it goes.
        endpoint_id: EndpointId,
        /// Which one.
        message_id: MessageId,
        /// The type of its event.
        event_type: String,
        /// How it fares.
        change: AttemptChange,
        /// Attempts made so far.
        attempts: u32,
        /// What the endpoint answered last, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status_code: Option<u16>,
    },
    /// A notification was delivered to the inbox of a user.
    #[serde(rename = "notice.delivered")]
    NoticeDelivered(Box<DeliveredNotice>),
}

/// A notification as it was delivered, for processed webhooks (siblings 14.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveredNotice {
    /// Where.
    pub organization_id: OrganizationId,
    /// To whom.
    pub user_id: UserId,
    /// The notification.
    pub notification_id: NotificationId,
    /// Its trigger, such as `comment.add`.
    pub trigger: String,
    /// The members of the payload.
    pub data: Metadata,
}

/// What happened in a document, with all that delivery needs to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DomainEvent {
    /// What happened.
    pub event: EventType,
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// Who did it, as far as the caller said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Person>,
    /// The thread or the recording it happened to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation_id: Option<AnnotationId>,
    /// The comment it happened to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<u64>,
    /// What changed, by member.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, Change>,
    /// Members of the payload beside these (siblings 14.4): `commentAnnotation`, `targetComment`.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub data: Metadata,
    /// Whether `data` and `changes` were left out because they were too large to keep.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Whether people are notified of it, beside webhooks (decisions 5, "Comment events").
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notify: bool,
    /// The log of updates that grew with it. For compaction alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grown: Option<GrownLog>,
}

/// A member before and after; `null` where there was or is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "ValueChange")]
pub struct Change {
    /// Before.
    pub from: Value,
    /// After.
    pub to: Value,
}

/// The order to remove what hung on something deleted, as it travels on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// What tells of the deletion.
    pub event: Event,
    /// When it was deleted.
    pub at: Millis,
    /// How many times everything found was removed already.
    #[serde(default)]
    pub pass: u32,
}

/// The entry of an event by its place, as it travels on queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventRef {
    /// The organization it happened in, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Its id.
    pub event_id: String,
}

impl DomainEvent {
    /// What happened where; the rest is added by whoever knows it.
    pub fn new(event: EventType, at: (&OrganizationId, &DocumentId)) -> Self {
        Self {
            event,
            organization_id: at.0.clone(),
            document_id: at.1.clone(),
            actor: None,
            annotation_id: None,
            comment_id: None,
            changes: BTreeMap::new(),
            data: Metadata::new(),
            truncated: false,
            notify: false,
            grown: None,
        }
    }
}

impl From<DomainEvent> for Event {
    fn from(event: DomainEvent) -> Self {
        Self::Domain(Box::new(event))
    }
}

impl Event {
    /// The document that numbers it.
    pub fn sequenced_in(&self) -> Option<&DocumentId> {
        match self {
            Self::Domain(event) => Some(&event.document_id),
            _ => None,
        }
    }

    /// Whether something hung on what it is about, which goes in the background. No wildcard: a new
    /// event has to be decided, and what hangs on it is known to `store::purge`.
    pub fn is_deletion(&self) -> bool {
        match self {
            // Its archived comments.
            Self::Domain(event) => event.event == EventType::AnnotationDelete,
            Self::OrganizationDeleted { .. }
            | Self::FolderDeleted { .. }
            | Self::DocumentDeleted { .. }
            | Self::EditorDeleted { .. }
            | Self::GroupDeleted { .. }
            | Self::UserDeleted { .. }
            | Self::KeyDeleted => true,
            Self::UserErasure { .. }
            | Self::ClockAdvanced { .. }
            | Self::EndpointChanged { .. }
            | Self::MessageFared { .. }
            | Self::NoticeDelivered(_) => false,
        }
    }

    /// Whether webhooks may want it (siblings 14.1), or it is about webhooks. No wildcard: a new event
    /// has to be decided.
    pub const fn is_for_webhooks(&self) -> bool {
        match self {
            Self::Domain(event) => event.event.is_for_webhooks(),
            Self::EndpointChanged { .. } | Self::MessageFared { .. } | Self::NoticeDelivered(_) => {
                true
            }
            Self::OrganizationDeleted { .. }
            | Self::FolderDeleted { .. }
            | Self::DocumentDeleted { .. }
            | Self::EditorDeleted { .. }
            | Self::GroupDeleted { .. }
            | Self::UserDeleted { .. }
            | Self::KeyDeleted
            | Self::UserErasure { .. }
            | Self::ClockAdvanced { .. } => false,
        }
    }

    /// About how many bytes it takes as JSON.
    pub fn size(&self) -> usize {
        match self {
            Self::Domain(_) | Self::NoticeDelivered(_) | Self::UserErasure { .. } => {
                1_000 + serde_json::to_string(self).map_or(0, |text| text.len())
            }
            _ => 1_000,
        }
    }

    /// Leaves out what can be read again by the ids it tells.
    pub fn truncate(&mut self) {
        if let Self::Domain(event) = self {
            event.data = Metadata::new();
            event.changes = BTreeMap::new();
            event.truncated = true;
        }
    }

    /// The organization it happened in, if it is one.
    pub fn organization_id(&self) -> Option<&OrganizationId> {
        Some(match self {
            Self::KeyDeleted
            | Self::UserErasure { .. }
            | Self::ClockAdvanced { .. }
            | Self::EndpointChanged { .. }
            | Self::MessageFared { .. } => return None,
            Self::Domain(event) => &event.organization_id,
            Self::OrganizationDeleted { organization_id }
            | Self::FolderDeleted { organization_id, .. }
            | Self::DocumentDeleted { organization_id, .. }
            | Self::EditorDeleted { organization_id, .. }
            | Self::GroupDeleted { organization_id, .. }
            | Self::UserDeleted { organization_id, .. } => organization_id,
            Self::NoticeDelivered(notice) => &notice.organization_id,
        })
    }
}
