//! Events of a thread: the members that the writer sets, and those derived from the images of the
//! thread.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Comment, Thread};
use crate::{
    ApiKeyId, OrganizationId,
    event::{Change, DomainEvent, EventType},
    user::Person,
};

/// Members of an event that contain the thread and the comment.
const THREAD: &str = "commentAnnotation";
const TARGET: &str = "targetComment";

/// A change of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadEvent {
    /// Type of the event.
    pub event: EventType,
    /// Changed members, before and after.
    pub changes: BTreeMap<String, Change>,
    actor: Option<Person>,
    comment: Option<Comment>,
}

impl ThreadEvent {
    /// An event without changed members.
    pub fn new(event: EventType) -> Self {
        Self { event, changes: BTreeMap::new(), actor: None, comment: None }
    }

    /// An event for a member, if it changed.
    pub(super) fn if_changed<T: Serialize + PartialEq>(
        event: EventType,
        member: &str,
        from: &T,
        to: &T,
    ) -> Option<Self> {
        (from != to).then(|| Self::new(event).with(member, from, to))
    }

    fn with<T: Serialize>(mut self, member: &str, from: &T, to: &T) -> Self {
        let value = |value: &T| serde_json::to_value(value).unwrap_or(Value::Null);
        self.changes.insert(member.to_owned(), Change { from: value(from), to: value(to) });
        self
    }

    /// Sets the actor.
    #[must_use]
    pub fn by(self, actor: Option<Person>) -> Self {
        Self { actor, ..self }
    }

    /// Sets the comment.
    #[must_use]
    pub fn to(self, comment: Comment) -> Self {
        Self { comment: Some(comment), ..self }
    }

    /// The change of its text.
    #[must_use]
    pub fn edited(self, before: &Comment) -> Self {
        let Some(after) = self.comment.clone() else { return self };
        let mut edited = self;
        for (member, from, to) in [
            ("commentText", &before.comment_text, &after.comment_text),
            ("commentHtml", &before.comment_html, &after.comment_html),
        ] {
            if from != to {
                edited = edited.with(member, from, to);
            }
        }
        edited
    }
}

impl Thread {
    fn bare_event(&self, happened: &ThreadEvent, organization: &OrganizationId) -> DomainEvent {
        let mut event = DomainEvent::new(happened.event, organization, &self.document_id);
        event.annotation_id = Some(self.annotation_id.clone());
        event.comment_id = happened.comment.as_ref().map(|comment| comment.comment_id);
        event.actor.clone_from(&happened.actor);
        event
    }

    /// The event of a change, as the write of the thread carries it. It omits everything that the
    /// images of the thread before and after the write show ([`complete`]). No image contains an
    /// archived comment, so the event does.
    pub fn event_to_write(
        &self,
        happened: &ThreadEvent,
        api_key: &ApiKeyId,
        organization: &OrganizationId,
    ) -> DomainEvent {
        let mut event = self.bare_event(happened, organization);
        if let Some(comment) = happened.comment.clone().filter(|one| self.is_recalled(one)) {
            event.changes.clone_from(&happened.changes);
            self.show_target(&mut event, comment, api_key);
        }
        event
    }

    /// The event of a change with all data.
    pub fn event_with_data(
        &self,
        happened: &ThreadEvent,
        api_key: &ApiKeyId,
        organization: &OrganizationId,
    ) -> DomainEvent {
        let mut event = self.bare_event(happened, organization);
        event.changes.clone_from(&happened.changes);
        if let Some(comment) = happened.comment.clone() {
            self.show_target(&mut event, comment, api_key);
        }
        self.show_thread(&mut event, api_key);
        event
    }

    fn show_target(&self, event: &mut DomainEvent, comment: Comment, api_key: &ApiKeyId) {
        let shown = self.shown_comment(comment, api_key, &event.organization_id);
        let shown = serde_json::to_value(shown).ok();
        event.data.extend(shown.map(|shown| (TARGET.to_owned(), shown)));
    }

    fn show_thread(&self, event: &mut DomainEvent, api_key: &ApiKeyId) {
        event.visibility = Some(self.visibility.clone());
        let shown = self.clone().shown(api_key, &event.organization_id);
        let shown = serde_json::to_value(shown).ok();
        event.data.extend(shown.map(|shown| (THREAD.to_owned(), shown)));
    }
}

/// Completes an event of a thread from the images before and after the write: the thread, the
/// comment, and the change. For a deleted thread the old image is used; for a deleted comment or a
/// removed reaction, the old comment.
pub fn complete(
    mut event: DomainEvent,
    api_key: &ApiKeyId,
    old: Option<&Thread>,
    new: Option<&Thread>,
) -> DomainEvent {
    let Some(thread) = new.or(old) else { return event };
    let is_late = matches!(event.event, EventType::CommentDelete | EventType::ReactionDelete);
    let comment = |id: u64| {
        let [before, after] = [old, new].map(|thread| thread.and_then(|thread| thread.comment(id)));
        if is_late { before.or(after) } else { after.or(before) }
    };
    if let Some(comment) = event.comment_id.and_then(comment).cloned()
        && !event.data.contains_key(TARGET)
    {
        if let Some(before) = old.and_then(|old| old.comment(comment.comment_id))
            && event.event == EventType::CommentUpdate
        {
            event.changes =
                ThreadEvent::new(event.event).to(comment.clone()).edited(before).changes;
        }
        thread.show_target(&mut event, comment, api_key);
    }
    if let (Some(old), Some(new)) = (old, new)
        && event.comment_id.is_none()
    {
        let happened = new.happened(old).into_iter();
        let same = happened.filter(|happened| happened.event == event.event);
        event.changes.extend(same.flat_map(|happened| happened.changes));
    }
    thread.show_thread(&mut event, api_key);
    event.unvouched = Thread::unvouched(old, new);
    event.truncated = event.comment_id.is_some() && !event.data.contains_key(TARGET);
    event
}

#[cfg(test)]
mod tests;
