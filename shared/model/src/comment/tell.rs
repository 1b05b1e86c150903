//! What is told of a change of a thread.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Annotation, Comment};
use crate::{
    ApiKeyId, OrganizationId,
    event::{Change, DomainEvent, EventType},
    user::Person,
};

/// Something that happened to a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// What.
    pub event: EventType,
    /// What changed by it, member by member.
    pub changes: BTreeMap<String, Change>,
    actor: Option<Person>,
    comment: Option<Comment>,
}

impl Happening {
    /// That something happened.
    pub fn new(event: EventType) -> Self {
        Self { event, changes: BTreeMap::new(), actor: None, comment: None }
    }

    /// That a member changed, if it did.
    pub(super) fn of<T: Serialize + PartialEq>(
        event: EventType,
        member: &str,
        (from, to): (&T, &T),
    ) -> Option<Self> {
        (from != to).then(|| Self::new(event).with(member, (from, to)))
    }

    fn with<T: Serialize>(mut self, member: &str, (from, to): (&T, &T)) -> Self {
        let value = |value: &T| serde_json::to_value(value).unwrap_or(Value::Null);
        self.changes.insert(member.to_owned(), Change { from: value(from), to: value(to) });
        self
    }

    /// Who did it.
    #[must_use]
    pub fn by(self, actor: Option<Person>) -> Self {
        Self { actor, ..self }
    }

    /// Which comment it happened to.
    #[must_use]
    pub fn to(self, comment: Comment) -> Self {
        Self { comment: Some(comment), ..self }
    }

    /// How its text changed.
    #[must_use]
    pub fn edited(self, before: &Comment) -> Self {
        let Some(after) = self.comment.clone() else { return self };
        let mut edited = self;
        for (member, from, to) in [
            ("commentText", &before.comment_text, &after.comment_text),
            ("commentHtml", &before.comment_html, &after.comment_html),
        ] {
            if from != to {
                edited = edited.with(member, (from, to));
            }
        }
        edited
    }
}

/// Bytes that the events of one change may take for showing the thread.
const MAX_SHOWN_BYTES: usize = 2_000_000;

impl Annotation {
    /// The events that tell of what happened to the thread, as it is now. When many things
    /// happened to a large thread it is left out of them: it can be read again.
    pub fn tells(
        &self,
        happened: Vec<Happening>,
        at: (&ApiKeyId, &OrganizationId),
    ) -> Vec<DomainEvent> {
        let shown = serde_json::to_value(self.clone().shown(at.0, at.1)).ok();
        let bytes = |shown: &Value| shown.to_string().len();
        let fits = |shown: &Value| happened.len() * bytes(shown) <= MAX_SHOWN_BYTES;
        let shown = shown.filter(|shown| happened.len() == 1 || fits(shown));
        let tell = |happening| self.tell(happening, at, shown.clone());
        happened.into_iter().map(tell).collect()
    }

    fn tell(
        &self,
        happening: Happening,
        (api_key, organization): (&ApiKeyId, &OrganizationId),
        shown: Option<Value>,
    ) -> DomainEvent {
        let mut event = DomainEvent::new(happening.event, (organization, &self.document_id));
        event.truncated = shown.is_none();
        event.data.extend(shown.map(|shown| ("commentAnnotation".to_owned(), shown)));
        if let Some(comment) = happening.comment {
            event.comment_id = Some(comment.comment_id);
            let at = self.whereabouts(api_key, organization);
            let shown = serde_json::to_value(comment.shown(&self.annotation_id, &at)).ok();
            event.data.extend(shown.map(|shown| ("targetComment".to_owned(), shown)));
        }
        event.annotation_id = Some(self.annotation_id.clone());
        event.actor = happening.actor;
        event.changes = happening.changes;
        event
    }
}
