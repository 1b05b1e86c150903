//! Bodies of webhooks, for the OpenAPI document.

use std::collections::BTreeSet;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::{
    AnnotationId, ApiKeyId, DocumentId, EditorId, EndpointId, MessageId, Metadata, OrganizationId,
    Timestamp, VersionId,
    comment::{CommentView, Priority, Status, ThreadView},
    event::{DeliveryChange, EndpointChange, EventType},
    recording::Asset,
    user::Person,
    visibility::Visibility,
    webhook_endpoint::DisableReason,
};

/// A kind of body: events with the same members.
pub trait WebhookEvent: JsonSchema {
    /// The types of its events, each with its occasion.
    fn types() -> Vec<(&'static str, &'static str)>;
}

/// The common members of every body. A body of more than 256 KiB has only ids in `data`, and
/// `truncated`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Webhook", bound = "T: WebhookEvent")]
#[expect(missing_docs, reason = "its members are documented for receivers")]
pub struct Body<T> {
    #[serde(rename = "type")]
    #[schemars(schema_with = "types::<T>")]
    pub kind: String,
    /// Time of the event.
    pub timestamp: Timestamp,
    /// The id of the message: the same in every attempt.
    pub id: MessageId,
    /// The number of the event in its document, from 1 without gaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Absent after the erasure of a user it named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<T>,
    /// True after the erasure of a user that `data` named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expunged: Option<bool>,
}

fn types<T: WebhookEvent>(_: &mut SchemaGenerator) -> Schema {
    one_of(T::types().into_iter().map(|(name, _)| name))
}

fn sources(_: &mut SchemaGenerator) -> Schema {
    one_of(for_webhooks().map(|event| event.source()))
}

fn actions(_: &mut SchemaGenerator) -> Schema {
    one_of(for_webhooks().map(|event| event.action()))
}

fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> Schema {
    let names: BTreeSet<&str> = names.collect();
    json_schema!({ "type": "string", "enum": names })
}

fn for_webhooks() -> impl Iterator<Item = &'static EventType> {
    EventType::ALL.iter().filter(|event| event.is_for_webhooks())
}

/// Declares the members of bodies.
macro_rules! webhook_bodies {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$member:meta])* $field:ident: $type:ty,)+
    } $types:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Serialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[expect(missing_docs, reason = "its members are documented for receivers")]
        pub struct $name { $($(#[$member])* pub $field: $type,)+ }

        impl WebhookEvent for $name {
            fn types() -> Vec<(&'static str, &'static str)> {
                $types
            }
        }
    )+};
}

webhook_bodies! {
    /// An event of a thread of comments.
    CommentEvent {
        api_key: ApiKeyId,
        organization_id: OrganizationId,
        document_id: DocumentId,
        annotation_id: AnnotationId,
        /// Absent for an event of the thread itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        comment_id: Option<u64>,
        /// The thread; for a deletion its state before.
        #[serde(skip_serializing_if = "Option::is_none")]
        comment_annotation: Option<ThreadView>,
        /// The comment; for a deletion its state before.
        #[serde(skip_serializing_if = "Option::is_none")]
        target_comment: Option<CommentView>,
        #[serde(skip_serializing_if = "Option::is_none")]
        old_status: Option<Status>,
        #[serde(skip_serializing_if = "Option::is_none")]
        new_status: Option<Status>,
        #[serde(skip_serializing_if = "Option::is_none")]
        new_priority: Option<Priority>,
        /// Users who see the thread, unless everybody with access to the document does.
        #[serde(skip_serializing_if = "Option::is_none")]
        visibility: Option<Visibility>,
        #[serde(flatten)]
        about: About,
    } of_domain("comment");

    /// The content of a shared editor changed, of which changes less than 5 seconds apart are one
    /// event; or a version of it was added, or it became an earlier version again.
    EditorEvent {
        api_key: ApiKeyId,
        organization_id: OrganizationId,
        document_id: DocumentId,
        /// The editor with its content.
        crdt_data: EditorContent,
        #[serde(flatten)]
        about: About,
    } of_domain("crdt");

    /// A recording was added.
    RecordingEvent {
        api_key: ApiKeyId,
        organization_id: OrganizationId,
        document_id: DocumentId,
        annotation_id: AnnotationId,
        /// Id of the recording, as in `annotationId`.
        #[serde(skip_serializing_if = "Option::is_none")]
        recorder_id: Option<AnnotationId>,
        /// The author of the recording.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<Person>,
        /// Files of the latest version.
        #[serde(skip_serializing_if = "Option::is_none")]
        assets: Option<Vec<Asset<'static>>>,
        /// Files of all versions.
        #[serde(skip_serializing_if = "Option::is_none")]
        assets_all_versions: Option<Vec<Asset<'static>>>,
        #[serde(flatten)]
        about: About,
    } of_domain("recorder");

    /// A webhook endpoint was added, changed, deleted or disabled, or soon will be.
    EndpointEvent {
        api_key: ApiKeyId,
        endpoint_id: EndpointId,
        /// The reason, in `endpoint.disabled`.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<DisableReason>,
        /// Elapsed share of the time after which it is disabled, in `endpoint.failing`.
        #[serde(skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
    } EndpointChange::ALL.iter().map(|change| (change.name(), change.meaning())).collect();

    /// Deliveries of a webhook message fail, or succeed after failures.
    MessageEvent {
        api_key: ApiKeyId,
        endpoint_id: EndpointId,
        message_id: MessageId,
        /// The type of its event.
        message_type: String,
        /// Attempts so far.
        attempts: u32,
        /// The last HTTP status of the endpoint; null without a reply.
        status_code: Option<u16>,
    } DeliveryChange::ALL.iter().map(|change| (change.name(), change.meaning())).collect();
}

/// Common members of events in documents, besides ids. Absent from a truncated body.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The actor; null when unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "person_or_null")]
    pub action_user: Option<Person>,
    /// The feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "sources", title = "EventSource")]
    pub source: Option<String>,
    /// The type without its target.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "actions", title = "EventAction")]
    pub action_type: Option<String>,
    /// Always the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("const" = "sdk"), description = "")]
    pub platform: Option<String>,
    /// Names and metadata of the document and the organization, at the time of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// True when members were omitted because of the size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
}

/// A shared editor at the time of sending, or a version of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "its members are documented for receivers")]
pub struct EditorContent {
    pub id: EditorId,
    /// The content, as returned by `crdt/get`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
    /// The last author, as far as known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_updated_by: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_update: Option<Timestamp>,
    /// The version, unless the event is a change of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_id: Option<VersionId>,
    /// The name of the version, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Always null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "()")]
    pub session_id: Option<String>,
}

fn person_or_null(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "oneOf": [generator.subschema_for::<Person>(), { "type": "null" }] })
}

fn of_domain(source: &str) -> Vec<(&'static str, &'static str)> {
    let events = for_webhooks().filter(|event| event.name().starts_with(source));
    events.map(|event| (event.name(), event.meaning())).collect()
}
