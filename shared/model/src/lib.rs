//! The vocabulary of the interface: ids, constrained values, resources, events.
//!
//! A type of this crate is its own validation: a value that exists is valid.

pub mod access;
pub mod api_key;
mod bytes;
pub mod config;
pub mod document;
mod domain;
pub mod editor;
pub mod event;
pub mod folder;
pub mod group;
mod id;
mod metadata;
mod number;
pub mod organization;
pub mod resource;
mod sequence;
mod text;
mod timestamp;
pub mod user;
pub mod visibility;
pub mod workspace;

pub use bytes::Base64;
pub use domain::Domain;
pub use id::{
    ActivityId, AnnotationId, ApiKeyId, DocumentId, EditorId, FolderId, GroupId, InvalidId,
    LiveStateDataId, OrganizationId, ResourceId, TokenId, UserId, WorkspaceId,
};
pub use metadata::{Custom, Extensible, Metadata};
pub use number::{Bounded, PageSize};
pub use sequence::{AtMost, Batch, NonEmpty, UpTo};
pub use text::{Email, Name, PageToken, Secret, Text, Url};
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
