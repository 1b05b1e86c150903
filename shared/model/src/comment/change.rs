//! Updates of threads, and the events they cause.

use std::collections::BTreeSet;

use marks::EndUserMembers;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Context, Location, Priority, Refusal, SentSuggestion, SentVisibility, Status, SuggestionStatus,
    Thread, ThreadEvent,
};
use crate::{
    Metadata, Millis, Patch, UserId,
    event::EventType,
    people::{Names, UserReplacement},
    time::Moment,
    user::Person,
};

/// An update of threads: absent keeps, `null` clears.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentAnnotationPatch")]
pub struct ThreadPatch {
    #[serde(default)]
    #[end_user]
    location: Patch<Location>,
    #[serde(default)]
    target_element: Patch<Metadata>,
    /// The author; cannot be cleared.
    from: Option<Person>,
    /// `null` reopens the thread.
    #[serde(default)]
    #[end_user]
    status: Patch<Status>,
    /// The user who changes the status.
    #[serde(default)]
    #[end_user(own = Ignored)]
    status_updated_by_user_id: Patch<UserId>,
    /// The user who resolved the thread; cleared by a status that is not terminal.
    #[serde(default)]
    resolved_by_user_id: Patch<UserId>,
    #[serde(default)]
    #[end_user]
    assigned_to: Patch<Person>,
    #[serde(default)]
    #[end_user]
    context: Patch<Context>,
    #[serde(default)]
    #[end_user]
    priority: Patch<Priority>,
    /// `null` makes the thread public.
    #[serde(default)]
    visibility: Patch<SentVisibility>,
    /// Replaces the suggestion; a decision is final. Cannot be cleared.
    suggestion: Option<SentSuggestion>,
    /// Epoch milliseconds.
    created_at: Option<Moment>,
    /// Epoch milliseconds; now when absent.
    last_updated: Option<Moment>,
    /// The end user who sends it.
    #[serde(skip)]
    made_by: Option<UserId>,
}

impl ThreadPatch {
    /// Sets the end user who sends it: if the status changes, that user resolves or reopens the
    /// thread. Of an assignee, the user says no more than who it is.
    pub fn made_by(&mut self, user: &UserId) {
        self.made_by = Some(user.clone());
        if let Patch::Set(assignee) = &mut self.assigned_to {
            *assignee = Person::from_id(assignee.user_id.clone());
        }
    }

    /// Whether it changes more of a thread than its status, of what end users may send.
    pub const fn edits(&self) -> bool {
        let is_kept = self.location.is_keep()
            && self.context.is_keep()
            && self.priority.is_keep()
            && self.assigned_to.is_keep();
        !is_kept
    }

    /// The user to whom it assigns threads.
    pub fn assignee(&self) -> Option<&UserId> {
        self.assigned_to.value().map(|person| &person.user_id)
    }

    /// The user who makes the change, as far as the update names one.
    pub fn actor(&self) -> Option<Person> {
        let of = |sent: &Patch<UserId>| match sent {
            Patch::Set(id) => Some(Person::from_id(id.clone())),
            _ => None,
        };
        self.made_by
            .clone()
            .map(Person::from_id)
            .or_else(|| of(&self.status_updated_by_user_id))
            .or_else(|| of(&self.resolved_by_user_id))
            .or_else(|| self.from.clone())
    }
}

impl Thread {
    /// Changes the thread and returns the events.
    ///
    /// # Errors
    /// When a suggestion was decided differently, or the thread has none.
    pub fn apply(
        &mut self,
        patch: ThreadPatch,
        replaced: &[UserReplacement],
        now: Millis,
    ) -> Result<Vec<ThreadEvent>, Refusal> {
        let before = self.clone();
        if let Some(sent) = patch.suggestion {
            let suggestion = self.suggestion.as_mut();
            suggestion.ok_or("The thread is not a suggestion.")?.replace(sent, now)?;
        }
        let mentioned = if replaced.is_empty() { BTreeSet::new() } else { self.mentioned() };
        self.replace_users(replaced);
        for UserReplacement { old_user, new_user } in replaced {
            if mentioned.contains(&old_user.user_id) {
                self.vouch_for(new_user.user_id.clone());
            }
        }
        patch.location.apply(&mut self.location);
        patch.target_element.apply(&mut self.target_element);
        patch.context.apply(&mut self.context);
        patch.priority.apply(&mut self.priority);
        patch.assigned_to.apply(&mut self.assigned_to);
        patch.status_updated_by_user_id.apply(&mut self.status_updated_by_user_id);
        patch.resolved_by_user_id.apply(&mut self.resolved_by_user_id);
        crate::set(&mut self.created_at, patch.created_at.map(Moment::get));
        if let Some(status) = patch.status.or_default() {
            if let Some(user) = patch.made_by.filter(|_| status != self.status) {
                self.status_updated_by_user_id = Some(user.clone());
                self.resolved_by_user_id = Some(user);
            }
            if !status.is_terminal() {
                self.resolved_by_user_id = None;
            }
            self.status = status;
        }
        if let Some(from) = patch.from {
            self.from = from;
            self.subscribe_automatically(self.from.clone());
        }
        match patch.visibility.or_default() {
            Some(visibility) => self.visibility = visibility.for_author(&self.from.user_id),
            None if !self.visibility.user_ids.is_empty() => {
                self.visibility.user_ids.insert(self.from.user_id.clone());
            }
            None => {}
        }
        let sent = patch.last_updated.map(Moment::get);
        crate::set(&mut self.last_updated, sent);
        if *self != before && sent.is_none() {
            self.last_updated = now;
        }
        Ok(self.happened(&before))
    }

    /// The events since a previous state of the thread, without those of comments.
    pub(super) fn happened(&self, before: &Self) -> Vec<ThreadEvent> {
        let status = |of: &Self| of.suggestion.as_ref().map(|suggestion| suggestion.status);
        let decision = match status(self) {
            Some(SuggestionStatus::Accepted) => EventType::SuggestionAccept,
            _ => EventType::SuggestionReject,
        };
        let assignee = |of: &Self| of.assigned_to.as_ref().map(|user| user.user_id.clone());
        let is_reassigned = assignee(self) != assignee(before);
        let assigned = ThreadEvent::if_changed(
            EventType::AnnotationAssign,
            "assignedTo",
            &before.assigned_to,
            &self.assigned_to,
        );
        [
            assigned.filter(|_| is_reassigned),
            ThreadEvent::if_changed(
                EventType::AnnotationStatusChange,
                "status",
                &before.status,
                &self.status,
            ),
            ThreadEvent::if_changed(
                EventType::AnnotationPriorityChange,
                "priority",
                &before.priority,
                &self.priority,
            ),
            ThreadEvent::if_changed(
                EventType::AnnotationAccessModeChange,
                "visibility",
                &before.visibility,
                &self.visibility,
            ),
            ThreadEvent::if_changed(decision, "suggestionStatus", &status(before), &status(self)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::super::thread::tests::{made, thread};
    use crate::comment::Thread;

    fn apply(thread: &mut Thread, patch: Value) -> Vec<&'static str> {
        let happened = thread.apply(from_value(patch).unwrap(), &[], 9).unwrap();
        happened.into_iter().map(|one| one.event.name()).collect()
    }

    #[test]
    fn absent_keeps_and_null_clears() {
        let mut thread = made(json!({
            "commentData": [{ "from": { "userId": "ada" } }], "priority": { "id": "P1" },
            "assignedTo": { "userId": "bob" }, "location": { "id": "x" },
        }));
        let before = thread.clone();
        assert!(apply(&mut thread, json!({})).is_empty());
        assert_eq!(thread, before, "nothing changed, not even lastUpdated");
        let cleared = apply(&mut thread, json!({ "priority": null, "assignedTo": null }));
        assert_eq!(cleared, ["comment_annotation.assign", "comment_annotation.priority_change"]);
        assert_eq!((&thread.priority, thread.last_updated), (&None, 9));
        assert!(thread.location.is_some());
    }

    #[test]
    fn a_status_that_is_not_terminal_clears_who_resolved() {
        let mut thread = thread(json!([{ "from": { "userId": "ada" } }]));
        let resolved = json!({
            "status": { "id": "RESOLVED" }, "resolvedByUserId": "bob", "statusUpdatedByUserId": "bob",
        });
        assert_eq!(apply(&mut thread, resolved.clone()), ["comment_annotation.status_change"]);
        assert_eq!(thread.resolved_by_user_id.as_ref().unwrap().as_str(), "bob");
        assert!(apply(&mut thread, resolved).is_empty());
        let reopened = json!({ "status": { "id": "OPEN" }, "resolvedByUserId": "bob" });
        assert_eq!(apply(&mut thread, reopened), ["comment_annotation.status_change"]);
        assert_eq!(thread.resolved_by_user_id, None);
        assert!(thread.status_updated_by_user_id.is_some());
    }

    #[test]
    fn who_resolves_what_is_resolved_is_not_its_resolver() {
        let mut thread = thread(json!([{ "from": { "userId": "ada" } }]));
        let mut resolve = |user: &str| {
            let status = json!({ "status": { "id": "RESOLVED" } });
            let mut patch: super::ThreadPatch = from_value(status).unwrap();
            patch.made_by(&user.to_owned().try_into().unwrap());
            let events = thread.apply(patch, &[], 9).unwrap().len();
            let by = [&thread.resolved_by_user_id, &thread.status_updated_by_user_id];
            (events, by.map(|user| user.as_ref().unwrap().to_string()))
        };
        assert_eq!(resolve("ada"), (1, ["ada".to_owned(), "ada".to_owned()]));
        assert_eq!(resolve("bob"), (0, ["ada".to_owned(), "ada".to_owned()]));
    }

    #[test]
    fn a_suggestion_is_decided_once() {
        let comments = json!([{ "from": { "userId": "ada" } }]);
        let mut thread = made(json!({ "type": "suggestion", "commentData": comments }));
        let accepted = json!({ "suggestion": { "status": "accepted" } });
        assert_eq!(apply(&mut thread, accepted.clone()), ["comment_annotation.suggestion_accept"]);
        let before = thread.clone();
        assert!(apply(&mut thread, accepted).is_empty());
        assert_eq!(thread, before);
        let rejected = from_value(json!({ "suggestion": { "status": "rejected" } })).unwrap();
        assert!(thread.apply(rejected, &[], 9).is_err());
        let mut other = made(json!({ "commentData": comments }));
        let accepted = from_value(json!({ "suggestion": { "status": "accepted" } })).unwrap();
        assert!(other.apply(accepted, &[], 9).is_err());
    }

    #[test]
    fn a_new_author_sees_what_is_restricted() {
        let comments = json!([{ "from": { "userId": "ada" } }]);
        let mut thread = made(json!({
            "commentData": comments, "visibility": { "type": "restricted", "userIds": ["bob"] },
        }));
        apply(&mut thread, json!({ "from": { "userId": "eve" } }));
        assert_eq!(thread.visibility.user_ids.len(), 3);
        let events = apply(&mut thread, json!({ "visibility": null }));
        assert_eq!(events, ["comment_annotation.access_mode_change"]);
        assert!(thread.visibility.user_ids.is_empty());
    }
}
