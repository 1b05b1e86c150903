//! The vocabulary of the service: ids, constrained values, resources, events.
//!
//! A type of this crate is its own validation: a value that exists is valid. A module has the word
//! of its subject in the contract, in the singular; `values` has what several share.

#![warn(missing_docs)]

// Marks name this crate in what they write, here and elsewhere.
extern crate self as model;

pub mod activity;
pub mod agent;
pub mod api_key;
pub mod comment;
pub mod configuration;
pub mod document;
pub mod editor;
pub mod event;
pub mod folder;
pub mod life;
pub mod limits;
pub mod live;
pub mod live_state;
pub mod notification;
pub mod organization;
pub mod people;
pub mod permissions;
pub mod presence;
pub mod recording;
pub mod resource;
pub mod revision;
pub mod trigger;
pub mod user;
pub mod user_data;
pub mod user_group;
mod values;
pub mod visibility;
pub mod webhook_body;
pub mod webhook_endpoint;
pub mod workspace;

pub use agent::{behavior, blocks};
pub use bytes::Base64;
pub use domain::Domain;
pub use id::{
    ActivityId, AgentId, AnnotationId, ApiKeyId, DocumentId, EditorId, EndpointId, EntityId,
    FolderId, GroupId, InvalidId, JobId, LiveStateDataId, MessageId, OrganizationId, ResourceId,
    TokenId, UserId, VersionId, WorkspaceId,
};
pub use metadata::{Custom, Extensible, Metadata};
pub use notification::{inbox, notice, preference, seen, trace};
pub use number::{Bounded, PageSize, WalkSize, number_text};
pub use only::Only;
pub use patch::Patch;
pub use permissions::rights;
pub use sequence::{AtMost, Batch, NonEmpty, UpTo};
pub use text::{
    Description, Email, Label, Line, Name, NotificationId, PageToken, PersonEmail, PresenceStatus,
    PublicKey, Secret, Sender, Text, Url,
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
