//! Headlines: a template and its variables, as in notifications (contract `types.notification`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{NoticeEntry, Part, part::DocumentNames};
use crate::{
    Metadata,
    event::EventType,
    template::{Dialect, Sink, Values, render},
    user::Person,
};

/// A headline with variables in curly brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// The text with variables.
    pub template: String,
    /// Values of the variables.
    pub data: Metadata,
}

/// Replacement for an actor without a name.
const SOMEBODY: &str = "Somebody";

impl Headline {
    /// As shown to a reader.
    pub fn text(&self, sink: Sink) -> String {
        render(&self.template, Dialect::Braces, &Values::new().then(&self.data), sink)
    }

    /// The headline of one activity.
    pub fn of_one(entry: &NoticeEntry, recipient: &Person) -> Self {
        if let Some(own) = &entry.own {
            let template = own.display_headline_message_template.clone().unwrap_or_default();
            let mut data = own.display_headline_message_template_data.clone();
            for (name, value) in people(entry.actor.as_ref(), recipient) {
                data.entry(name).or_insert(value);
            }
            return Self { template, data };
        }
        let mut data = people(entry.actor.as_ref(), recipient);
        data.insert("documentName".to_owned(), json!(entry.document_name));
        data.extend(entry.values.clone());
        let template = format!("{{actionUser}} {}", did(entry, recipient));
        Self { template, data }
    }

    /// The headline of several activities, oldest first, for any reader.
    pub(super) fn of_several(parts: &[Part], names: &DocumentNames) -> Self {
        let newest = parts.last();
        let actor = newest.and_then(|part| part.action_user.as_ref());
        let mut data = Metadata::from_iter([acting(actor)]);
        let others = parts.iter().filter_map(|part| part.action_user.as_ref());
        let others =
            others.filter(|other| Some(&other.user_id) != actor.map(|actor| &actor.user_id));
        let others: BTreeSet<_> = others.map(|other| &other.user_id).collect();
        let documents: BTreeSet<_> = parts.iter().map(|part| &part.document_id).collect();
        let name = newest.and_then(|part| names.get(&part.document_id));
        data.insert("count".to_owned(), json!(parts.len()));
        data.insert("othersCount".to_owned(), json!(others.len()));
        data.insert("documentName".to_owned(), json!(name));
        data.insert("documentsCount".to_owned(), json!(documents.len()));
        let who = match others.len() {
            0 => "{actionUser}",
            1 => "{actionUser} and {othersCount} other",
            _ => "{actionUser} and {othersCount} others",
        };
        let place = match documents.len() {
            0 | 1 => "{documentName}",
            _ => "{documentsCount} documents",
        };
        // Of a digest, all but one may be hidden from a reader.
        let what = if parts.len() == 1 { "update" } else { "updates" };
        Self { template: format!("{who} left {{count}} {what} in {place}"), data }
    }

    /// The headline with the recipient among its variables.
    pub(super) fn to(mut self, recipient: &Person) -> Self {
        self.data.insert("recipientUser".to_owned(), json!(recipient));
        self
    }
}

fn acting(actor: Option<&Person>) -> (String, Value) {
    ("actionUser".to_owned(), actor.map_or_else(|| json!(SOMEBODY), |actor| json!(actor)))
}

fn people(actor: Option<&Person>, recipient: &Person) -> Metadata {
    [acting(actor), ("recipientUser".to_owned(), json!(recipient))].into_iter().collect()
}

/// The actor's action, with variables.
fn did(entry: &NoticeEntry, recipient: &Person) -> &'static str {
    let has = |name: &str| entry.values.get(name).is_some_and(|value| !value.is_null());
    let assignee = entry.values.get("assignee").and_then(|person| person.get("userId"));
    let is_recipient = assignee.and_then(Value::as_str) == Some(recipient.user_id.as_str());
    match entry.kind {
        EventType::AnnotationAdd | EventType::CommentAdd if entry.is_mention => {
            "mentioned you in {documentName}"
        }
        EventType::AnnotationAdd => "commented in {documentName}",
        EventType::CommentAdd => "replied in {documentName}",
        EventType::CommentUpdate => "edited a comment in {documentName}",
        EventType::CommentDelete => "deleted a comment in {documentName}",
        EventType::AnnotationDelete => "deleted a thread in {documentName}",
        EventType::AnnotationAssign if is_recipient => "assigned you a thread in {documentName}",
        EventType::AnnotationAssign if has("assignee") => {
            "assigned a thread in {documentName} to {assignee}"
        }
        EventType::AnnotationAssign => "unassigned a thread in {documentName}",
        EventType::AnnotationStatusChange => "changed the status to {status} in {documentName}",
        EventType::AnnotationPriorityChange if has("priority") => {
            "changed the priority to {priority} in {documentName}"
        }
        EventType::AnnotationPriorityChange => "removed the priority in {documentName}",
        EventType::AnnotationAccessModeChange => "changed who sees a thread in {documentName}",
        EventType::AnnotationSubscribe => "subscribed to a thread in {documentName}",
        EventType::AnnotationUnsubscribe => "unsubscribed from a thread in {documentName}",
        EventType::SuggestionAccept => "accepted a suggestion in {documentName}",
        EventType::SuggestionReject => "rejected a suggestion in {documentName}",
        EventType::ReactionAdd if has("icon") => "reacted {icon} in {documentName}",
        EventType::ReactionAdd => "reacted to a comment in {documentName}",
        EventType::ReactionDelete => "took back a reaction in {documentName}",
        EventType::CrdtUpdateData => "edited {documentName}",
        EventType::CrdtVersionAdd => "added a version of {documentName}",
        EventType::CrdtRestore => "restored a version of {documentName}",
        EventType::CrdtRevert => "undid edits of {documentName}",
        EventType::RecorderDone => "recorded something in {documentName}",
        EventType::NotificationAdd => "left an update in {documentName}",
    }
}
