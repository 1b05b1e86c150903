//! The vocabulary of the interface: ids, constrained values, resources, events.
//!
//! A type of this crate is its own validation: a value that exists is valid.

pub mod access;
pub mod activity;
pub mod agent;
pub mod api_key;
pub mod behavior;
pub mod blocks;
mod bytes;
pub mod comment;
pub mod config;
pub mod document;
mod domain;
pub mod editor;
pub mod erasure;
pub mod event;
pub mod folder;
pub mod group;
mod id;
pub mod ledger;
pub mod live_state;
mod metadata;
pub mod notice;
pub mod notification;
mod number;
pub mod organization;
mod patch;
pub mod preference;
pub mod presence;
pub mod recording;
pub mod resource;
pub mod seen;
mod sequence;
pub mod template;
mod text;
pub mod time;
mod timestamp;
pub mod trace;
pub mod trigger;
pub mod user;
pub mod visibility;
pub mod webhook_endpoint;
pub mod workspace;

pub use bytes::Base64;
pub use domain::Domain;
pub use id::{
    ActivityId, AgentId, AnnotationId, ApiKeyId, DocumentId, EditorId, EndpointId, EntityId,
    FolderId, GroupId, InvalidId, JobId, LiveStateDataId, MessageId, OrganizationId, ResourceId,
    TokenId, UserId, WorkspaceId,
};
pub use metadata::{Custom, Extensible, Metadata};
pub use number::{Bounded, PageSize, WalkSize};
pub use patch::Patch;
pub use sequence::{AtMost, Batch, NonEmpty, UpTo};
pub use text::{
    Description, Email, Label, Line, Name, NotificationId, PageToken, PresenceStatus, PublicKey,
    Secret, Sender, Text, Url,
};
pub use timestamp::Timestamp;

/// Epoch milliseconds.
pub type Millis = u64;

/// Partial update: a member that was sent replaces the stored one.
pub fn set<T>(stored: &mut T, sent: Option<T>) {
    if let Some(sent) = sent {
        *stored = sent;
    }
}

/// As [`set`], for a member that may be unset: what was not sent stays as it is.
pub fn set_some<T>(stored: &mut Option<T>, sent: Option<T>) {
    if sent.is_some() {
        *stored = sent;
    }
}

/// Reads a member that may be unset: absent is none, `null` is some none.
///
/// # Errors
/// Those of the value.
pub fn clearable<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: serde::Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    serde::Deserialize::deserialize(deserializer).map(Some)
}
