//! Events. The changed item carries its events, in the write that changes it.

mod operational;
mod reading;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AnnotationId, DocumentId, EditorId, EndpointId, FolderId, GroupId, JobId, MessageId, Metadata,
    Millis, NotificationId, OrganizationId, UserId, clock::ClockOffset, editor::GrownLog,
    revision::Revision, user::Person, visibility::Visibility, webhook_endpoint::DisableReason,
};

pub use operational::{DeliveryChange, EndpointChange};
pub use reading::{Read, Reading};
pub use types::EventType;

/// A change that other components act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Event {
    /// An organization was deleted; its data is deleted in the background.
    #[serde(rename = "organization.delete")]
    OrganizationDeleted {
        /// The organization.
        organization_id: OrganizationId,
    },
    /// A folder was deleted; its contents are deleted in the background.
    #[serde(rename = "folder.delete")]
    FolderDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The folder.
        folder_id: FolderId,
        /// The time of the deletion that takes it along, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<Millis>,
    },
    /// A document was deleted; its data is deleted in the background (contract
    /// `documents.deletion`).
    #[serde(rename = "document.delete")]
    DocumentDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The document.
        document_id: DocumentId,
        /// The time of the deletion that takes it along, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<Millis>,
    },
    /// The data of an editor was deleted; its parts are deleted in the background.
    #[serde(rename = "editor.delete")]
    EditorDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The document.
        document_id: DocumentId,
        /// The editor.
        editor_id: EditorId,
        /// Distinguishes it from a later editor with the same id.
        epoch: String,
        /// The time of its deletion by the clock of the world: who joined until then has its content.
        #[serde(default)]
        ended_at: Millis,
    },
    /// A user group was deleted; its memberships are deleted in the background.
    #[serde(rename = "user_group.delete")]
    GroupDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The group.
        group_id: GroupId,
    },
    /// A user left an organization; memberships and grants in it end (contract `users.delete`).
    #[serde(rename = "user.delete")]
    UserDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The user.
        user_id: UserId,
        /// The time of the departure, if it is not that of the event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<Millis>,
    },
    /// An API key was deleted; its tenant is deleted in the background (decision 22).
    #[serde(rename = "api_key.delete")]
    KeyDeleted,
    /// Users are to be erased in the background (contract `user-data.erasure`).
    #[serde(rename = "user.erase")]
    UserErasure {
        /// The job that does it.
        job_id: JobId,
        /// The user.
        user_ids: BTreeSet<UserId>,
        /// The organizations; all when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        organization_ids: Option<BTreeSet<OrganizationId>>,
    },
    /// The clock of a testing key was moved (contract `schedule.test_clock_advance`).
    #[serde(rename = "clock.advance")]
    ClockAdvanced {
        /// New offset of the clock.
        ahead: ClockOffset,
    },
    /// A change in a document, for webhooks, notifications and mails.
    #[serde(rename = "domain")]
    Domain(Box<DomainEvent>),
    /// A webhook endpoint was added, changed, deleted or disabled, or will be disabled (an
    /// operational event).
    #[serde(rename = "webhook_endpoint.change")]
    EndpointChanged {
        /// The endpoint.
        endpoint_id: EndpointId,
        /// The change of the endpoint.
        change: EndpointChange,
        /// The reason for disabling it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<DisableReason>,
        /// Elapsed share of the time after which it is disabled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
        /// Revision of the endpoint, if deliveries that wait because of an earlier one are to be
        /// attempted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision: Option<Revision>,
    },
    /// Deliveries of a webhook message fail, or succeed after failures (an operational event).
    #[serde(rename = "webhook_message.attempt")]
    DeliveryChanged {
        /// The endpoint.
        endpoint_id: EndpointId,
        /// The message.
        message_id: MessageId,
        /// The type of its event.
        event_type: String,
        /// Delivery state.
        change: DeliveryChange,
        /// Attempts made so far.
        attempts: u32,
        /// The last reply of the endpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status_code: Option<u16>,
    },
    /// Users have read notifications or a thread: their other connections are told.
    #[serde(rename = "user.read")]
    Read(Box<Reading>),
    /// A notification was delivered to the inbox of a user.
    #[serde(rename = "notice.delivered")]
    NoticeDelivered(Box<DeliveredNotice>),
}

/// A delivered notification, for processed webhooks (rule N19).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveredNotice {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The recipient.
    pub user_id: UserId,
    /// The notification.
    pub notification_id: NotificationId,
    /// Trigger of the notification, such as `comment.add`.
    pub trigger: String,
    /// The members of the payload.
    pub data: Metadata,
}

/// A change in a document, with all data for its delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DomainEvent {
    /// Type of the event.
    pub event: EventType,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// The actor, if the caller sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Person>,
    /// The thread or recording concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation_id: Option<AnnotationId>,
    /// The comment concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<u64>,
    /// Visibility of the thread at the event: it decides who is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Changed members.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, Change>,
    /// Further members of the payload: `commentAnnotation`, `targetComment`.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub data: Metadata,
    /// Whether `data` and `changes` were omitted because of their size.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Whether to notify people, besides webhooks (rule N2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notify: bool,
    /// The end user who caused it; absent for the tenant's server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_end_user: Option<UserId>,
    /// Users whom the thread names only by mentions of end users.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unvouched: BTreeSet<UserId>,
    /// The log of updates that grew with it; only for compaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grown: Option<GrownLog>,
}

/// A member before and after; `null` where it is unset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "ValueChange")]
pub struct Change {
    /// Before.
    pub from: Value,
    /// After.
    pub to: Value,
}

/// A task to delete dependent data, on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// The event of the deletion.
    pub event: Event,
    /// Deletion time.
    pub at: Millis,
    /// Number of completed passes.
    #[serde(default)]
    pub pass: u32,
    /// Whether the present pass has found something to delete: then it is not the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
}

/// The key of an event's entry, on queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventRef {
    /// The organization of the event, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Id of the event.
    pub event_id: String,
}

impl DomainEvent {
    /// An event with its type and document; callers add the rest.
    pub fn new(event: EventType, organization: &OrganizationId, document: &DocumentId) -> Self {
        Self {
            event,
            organization_id: organization.clone(),
            document_id: document.clone(),
            actor: None,
            annotation_id: None,
            comment_id: None,
            visibility: None,
            changes: BTreeMap::new(),
            data: Metadata::new(),
            truncated: false,
            notify: false,
            by_end_user: None,
            unvouched: BTreeSet::new(),
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
    /// The document that numbers the event.
    pub fn sequenced_in(&self) -> Option<&DocumentId> {
        match self {
            Self::Domain(event) => Some(&event.document_id),
            _ => None,
        }
    }

    /// Whether dependent data of its resource has to be deleted. No wildcard: each new event needs
    /// a decision, and `store::purge` knows the dependent data.
    pub fn is_deletion(&self) -> bool {
        match self {
            // Archived comments of the thread.
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
            | Self::DeliveryChanged { .. }
            | Self::Read(_)
            | Self::NoticeDelivered(_) => false,
        }
    }

    /// Whether webhooks can subscribe to it, or it is about webhooks. No wildcard:
    /// each new event needs a decision.
    pub const fn is_for_webhooks(&self) -> bool {
        match self {
            Self::Domain(event) => event.event.is_for_webhooks(),
            Self::EndpointChanged { .. }
            | Self::DeliveryChanged { .. }
            | Self::NoticeDelivered(_) => true,
            Self::OrganizationDeleted { .. }
            | Self::FolderDeleted { .. }
            | Self::DocumentDeleted { .. }
            | Self::EditorDeleted { .. }
            | Self::GroupDeleted { .. }
            | Self::UserDeleted { .. }
            | Self::KeyDeleted
            | Self::UserErasure { .. }
            | Self::Read(_)
            | Self::ClockAdvanced { .. } => false,
        }
    }

    /// Approximate size of the event as JSON.
    pub fn size(&self) -> usize {
        match self {
            Self::Domain(_)
            | Self::NoticeDelivered(_)
            | Self::Read(_)
            | Self::UserErasure { .. } => {
                1_000 + serde_json::to_string(self).map_or(0, |text| text.len())
            }
            _ => 1_000,
        }
    }

    /// Omits data that can be read again by its ids.
    pub fn truncate(&mut self) {
        if let Self::Domain(event) = self {
            event.data = Metadata::new();
            event.changes = BTreeMap::new();
            event.unvouched = BTreeSet::new();
            event.visibility = None;
            event.truncated = true;
        }
    }

    /// The time of the deletion that takes the resource along, or of the departure, if it is not that
    /// of the event.
    pub fn since(&self) -> Option<Millis> {
        match self {
            Self::FolderDeleted { since, .. }
            | Self::DocumentDeleted { since, .. }
            | Self::UserDeleted { since, .. } => *since,
            _ => None,
        }
    }

    /// The organization of the event, if any.
    pub fn organization_id(&self) -> Option<&OrganizationId> {
        Some(match self {
            Self::KeyDeleted
            | Self::UserErasure { .. }
            | Self::ClockAdvanced { .. }
            | Self::EndpointChanged { .. }
            | Self::DeliveryChanged { .. } => return None,
            Self::Domain(event) => &event.organization_id,
            Self::OrganizationDeleted { organization_id }
            | Self::FolderDeleted { organization_id, .. }
            | Self::DocumentDeleted { organization_id, .. }
            | Self::EditorDeleted { organization_id, .. }
            | Self::GroupDeleted { organization_id, .. }
            | Self::UserDeleted { organization_id, .. } => organization_id,
            Self::NoticeDelivered(notice) => &notice.organization_id,
            Self::Read(reading) => &reading.organization_id,
        })
    }
}
