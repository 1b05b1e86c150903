//! The body of a message (siblings 14.4, in the frame of Standard Webhooks).

use model::{
    MessageId, Metadata, Timestamp, document::Document, event::DomainEvent,
    organization::Organization,
};
use serde::Serialize;
use serde_json::{Value, json};
use service::{Error, Job, Result, StoredEvent, try_join};

use crate::{content, names};

/// Largest body; a larger one tells ids only.
const MAX_BYTES: usize = 256 * 1024;

/// The frame of every body, in this order.
#[derive(Serialize)]
pub(crate) struct Frame<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    pub(crate) timestamp: Timestamp,
    pub(crate) id: &'a MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seq: Option<u64>,
    pub(crate) data: &'a Metadata,
}

impl Frame<'_> {
    pub(crate) fn text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }
}

/// What is told of an event beside the event itself.
pub(crate) struct Facts {
    /// Members that the event has, or that were read again.
    pub(crate) members: Metadata,
    /// Whether something was left out that cannot be read again.
    pub(crate) is_thin: bool,
    pub(crate) document: Option<Document>,
    pub(crate) organization: Option<Organization>,
}

/// Reads what is told of an event.
pub(crate) async fn facts(job: &Job, event: &DomainEvent) -> Result<Facts> {
    let (inside, organizations) = (job.organization(&event.organization_id), job.organizations());
    let documents = inside.documents();
    let (document, organization) =
        try_join(documents.find(&event.document_id), organizations.find(&event.organization_id))
            .await?;
    let mut members = event.data.clone();
    let mut is_thin = event.truncated;
    if event.truncated
        && let Some(id) = event.annotation_id.clone()
        && let wanted = (event.document_id.clone(), id)
        && let comments = event.comment_id.into_iter().collect()
        && let found = inside.annotations().find_with([(wanted, comments)].into()).await?
        && let Some(thread) = found.into_values().next()
    {
        let (api_key, at) = (&job.api_key().id, &event.organization_id);
        if let Some(comment) = event.comment_id {
            let comment = thread.comment(comment).cloned();
            let shown = comment.map(|comment| thread.shown_comment(comment, (api_key, at)));
            let shown = serde_json::to_value(shown).map_err(Error::internal)?;
            members.entry("targetComment").or_insert(shown);
        }
        let shown = serde_json::to_value(thread.shown(api_key, at)).map_err(Error::internal)?;
        members.insert("commentAnnotation".to_owned(), shown);
        is_thin = false;
    }
    let mut facts = Facts { members, is_thin, document, organization };
    if let Some(log) = &event.grown {
        content::add(job, event, log, &mut facts).await?;
    }
    Ok(facts)
}

/// The ids of an event, which every body has.
pub(crate) fn ids(job: &Job, event: &DomainEvent) -> Metadata {
    let mut data = Metadata::new();
    let mut set = |name: &str, value: Value| drop(data.insert(name.to_owned(), value));
    set("apiKey", json!(job.api_key().id));
    set("organizationId", json!(event.organization_id));
    set("documentId", json!(event.document_id));
    if let Some(id) = &event.annotation_id {
        set("annotationId", json!(id));
    }
    if let Some(id) = event.comment_id {
        set("commentId", json!(id));
    }
    if let Some(editor) = event.data.get(content::MEMBER) {
        set(content::MEMBER, editor.clone());
    }
    data
}

/// Status and priority before and after, as receivers know them.
pub(crate) fn changes(event: &DomainEvent, data: &mut Metadata) {
    if let Some(status) = event.changes.get("status") {
        data.insert("oldStatus".to_owned(), status.from.clone());
        data.insert("newStatus".to_owned(), status.to.clone());
    }
    if let Some(priority) = event.changes.get("priority") {
        data.insert("newPriority".to_owned(), priority.to.clone());
    }
}

fn metadata(job: &Job, event: &DomainEvent, facts: &Facts) -> Value {
    let document = facts.document.as_ref();
    let organization = facts.organization.as_ref();
    json!({
        "apiKey": job.api_key().id,
        "document": {
            "documentId": event.document_id,
            "documentName": document.and_then(|it| it.document_name.as_ref()),
        },
        "documentMetadata": document.map(|it| &it.metadata),
        "organization": {
            "organizationId": event.organization_id,
            "organizationName": organization.and_then(|it| it.organization_name.as_ref()),
        },
        "organizationMetadata": organization.map(|it| &it.metadata),
    })
}

/// The body of the message of an event.
pub(crate) fn body(
    job: &Job,
    stored: &StoredEvent,
    event: &DomainEvent,
    facts: &Facts,
    id: &MessageId,
) -> Result<String> {
    let kind = event.event.name();
    let text = |data: &Metadata| {
        Frame { kind, timestamp: Timestamp(stored.at), id, seq: stored.seq, data }.text()
    };
    let mut thin = ids(job, event);
    let mut data = thin.clone();
    data.extend(facts.members.clone());
    changes(event, &mut data);
    data.insert("actionUser".to_owned(), json!(event.actor));
    data.insert("source".to_owned(), json!(names::source(event.event)));
    data.insert("actionType".to_owned(), json!(names::action(event.event)));
    data.insert("platform".to_owned(), json!("sdk"));
    data.insert("metadata".to_owned(), metadata(job, event, facts));
    let full = text(&data)?;
    if !facts.is_thin && full.len() <= MAX_BYTES {
        return Ok(full);
    }
    thin.insert("truncated".to_owned(), json!(true));
    text(&thin)
}
