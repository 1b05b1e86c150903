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

impl Annotation {
    /// The event that tells of something that happened to the thread, as it is now.
    pub fn tells(&self, happening: Happening, at: (&ApiKeyId, &OrganizationId)) -> DomainEvent {
        let (api_key, organization) = at;
        let mut event = DomainEvent::new(happening.event, (organization, &self.document_id));
        let mut show = |member: &str, view: Result<Value, serde_json::Error>| {
            event.data.extend(view.ok().map(|view| (member.to_owned(), view)));
        };
        let shown = self.clone().shown(api_key, organization);
        show("commentAnnotation", serde_json::to_value(shown));
        if let Some(comment) = happening.comment {
            event.comment_id = Some(comment.comment_id);
            let at = self.whereabouts(api_key, organization);
            let shown = comment.shown(&self.annotation_id, &at);
            show("targetComment", serde_json::to_value(shown));
        }
        event.annotation_id = Some(self.annotation_id.clone());
        event.actor = happening.actor;
        event.changes = happening.changes;
        event
    }
}
