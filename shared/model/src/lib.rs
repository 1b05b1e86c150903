//! The vocabulary of the service: ids, constrained values, resources, events.
//!
//! A type of this crate is its own validation: a value that exists is valid.

#![warn(missing_docs)]

mod content;
mod effects;
mod tenancy;
mod values;

pub use bytes::Base64;
pub use content::{
    activity, agent, behavior, blocks, comment, editor, live_state, presence, recording,
};
pub use domain::Domain;
pub use effects::{
    erasure, event, live, notice, notification, people, preference, revision, seen, trace, trigger,
    webhook_body, webhook_endpoint,
};
pub use id::{
    ActivityId, AgentId, AnnotationId, ApiKeyId, DocumentId, EditorId, EndpointId, EntityId,
    FolderId, GroupId, InvalidId, JobId, LiveStateDataId, MessageId, OrganizationId, ResourceId,
    TokenId, UserId, WorkspaceId,
};
pub use metadata::{Custom, Extensible, Metadata};
pub use number::{Bounded, PageSize, WalkSize, number_text};
pub use only::Only;
pub use patch::Patch;
pub use sequence::{AtMost, Batch, NonEmpty, UpTo};
pub use tenancy::{
    access, api_key, config, document, folder, group, life, limits, organization, resource, rights,
    user, visibility, workspace,
};
pub use text::{
    Description, Email, Label, Line, Name, NotificationId, PageToken, PresenceStatus, PublicKey,
    Secret, Sender, Text, Url,
};
pub use timestamp::Timestamp;
pub use values::mark_name::MarkName;
pub(crate) use values::{
    bytes, domain, id, metadata, number, only, patch, sequence, text, timestamp,
};
pub use values::{clock, surrogates, template, time};

/// Milliseconds: a length, or a time since the epoch by the clock of its tenant. Real time is a
/// [`WallTime`](clock::WallTime).
pub type Millis = u64;

/// Partial update: a sent member replaces the stored one.
pub fn set<T>(stored: &mut T, sent: Option<T>) {
    if let Some(sent) = sent {
        *stored = sent;
    }
}

/// Like [`set`], for an optional member: an omitted one stays.
pub fn set_some<T>(stored: &mut Option<T>, sent: Option<T>) {
    if sent.is_some() {
        *stored = sent;
    }
}
