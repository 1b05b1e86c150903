//! Adding, changing and removing the comments of a thread.

use super::{
    super::{
        AgentType, Refusal, Thread,
        numbers::{fifteen_digits, first_free},
    },
    Attachment, Comment, CommentPatch, NewComment, SentAttachment,
};
use crate::{Millis, UserId, time::Moment, user::Person};

/// The effect of an update of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentChange {
    /// The thread has no such comment.
    NoComment,
    /// The comment is as before.
    Unchanged,
    /// The comment differs.
    Changed,
}

impl Thread {
    /// A comment of the thread.
    pub fn comment(&self, id: u64) -> Option<&Comment> {
        self.comments.iter().find(|comment| comment.comment_id == id)
    }

    /// Appends a comment and returns its number. `agent` is the kind of its agent, if it is an
    /// agent of the service; generated numbers follow from `seed`.
    ///
    /// # Errors
    /// When a comment with this number exists.
    pub fn add_comment(
        &mut self,
        new: NewComment,
        agent: AgentType,
        now: Millis,
        seed: u64,
    ) -> Result<u64, Refusal> {
        let comment_id = match new.comment_id {
            Some(id) => self.free_number(id.get())?,
            None if self.archive.end == 0 => first_free(seed, |id| self.comment(id).is_some()),
            // Long enough that the archive need not be searched for a collision.
            None => fifteen_digits(seed),
        };
        let mut comment = Comment {
            comment_id,
            position: self.positions,
            created_at: now,
            added_at: None,
            last_updated: new.last_updated.map_or(now, Moment::get),
            comment_text: new.comment_text,
            comment_html: new.comment_html,
            context: new.context,
            tagged_user_contacts: new.tagged_user_contacts.map(Vec::from).unwrap_or_default(),
            attachments: self.numbered(new.attachments.map(Vec::from).unwrap_or_default(), seed),
            reactions: vec![],
            is_comment_resolver_used: new.is_comment_resolver_used,
            is_comment_text_available: new.is_comment_text_available,
            agent: new.agent.map(|sent| sent.into_agent(agent)),
            edited_at: None,
            from: new.from,
        };
        comment.date(new.created_at.map_or(now, Moment::get), now);
        for mentioned in comment.mentioned().collect::<Vec<_>>() {
            self.subscribe_automatically(mentioned);
        }
        if self.comments_count() == 0 {
            self.agent = comment.agent.clone();
        }
        self.comments.push(comment);
        self.positions += 1;
        self.last_updated = now;
        self.refresh();
        Ok(comment_id)
    }

    fn numbered(&self, sent: Vec<SentAttachment>, seed: u64) -> Vec<Attachment> {
        let mut attachments: Vec<Attachment> = Vec::with_capacity(sent.len());
        for (n, sent) in (1..).zip(sent) {
            let there = self.comments.iter().flat_map(|comment| &comment.attachments);
            let taken: Vec<u64> =
                there.chain(&attachments).map(|attachment| attachment.attachment_id).collect();
            let generated = || first_free(seed.wrapping_add(n), |number| taken.contains(&number));
            attachments.push(sent.numbered(generated));
        }
        attachments
    }

    /// Updates a comment.
    pub fn change_comment(
        &mut self,
        id: u64,
        patch: CommentPatch,
        now: Millis,
        seed: u64,
    ) -> CommentChange {
        let at = self.comments.iter().position(|comment| comment.comment_id == id);
        let Some(at) = at else { return CommentChange::NoComment };
        let before = self.comments[at].clone();
        let attachments = patch.attachments.map(|sent| self.numbered(sent.into(), seed));
        let comment = &mut self.comments[at];
        patch.comment_text.apply(&mut comment.comment_text);
        patch.comment_html.apply(&mut comment.comment_html);
        patch.context.apply(&mut comment.context);
        patch.is_comment_resolver_used.apply(&mut comment.is_comment_resolver_used);
        patch.is_comment_text_available.apply(&mut comment.is_comment_text_available);
        crate::set(&mut comment.from, patch.from);
        if let Some(sent) = patch.created_at {
            comment.date(sent.get(), now);
        }
        let tagged = patch.tagged_user_contacts.map(Vec::from);
        crate::set(&mut comment.tagged_user_contacts, tagged.or_default());
        crate::set(&mut comment.attachments, attachments.or_default());
        crate::set(&mut comment.last_updated, patch.last_updated.map(Moment::get));
        if *comment == before {
            return CommentChange::Unchanged;
        }
        if patch.last_updated.is_none() {
            comment.last_updated = now;
        }
        comment.edited_at = Some(now);
        let mentioned: Vec<Person> = comment.mentioned().collect();
        let ids: Vec<&UserId> = mentioned.iter().map(|user| &user.user_id).collect();
        let gone = before.mentioned().filter(|user| !ids.contains(&&user.user_id)).collect();
        for user in mentioned {
            self.subscribe_automatically(user);
        }
        self.unsubscribe_automatically(gone);
        self.last_updated = now;
        self.refresh();
        CommentChange::Changed
    }

    /// Removes a comment and returns it, if it exists.
    pub fn remove_comment(&mut self, id: u64, now: Millis) -> Option<Comment> {
        let at = self.comments.iter().position(|comment| comment.comment_id == id)?;
        let gone = self.comments.remove(at);
        self.unsubscribe_automatically(gone.mentioned().collect());
        self.last_updated = now;
        self.refresh();
        Some(gone)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::CommentChange::{Changed, NoComment, Unchanged};
    use crate::comment::thread::tests::thread;

    #[test]
    fn attachments_without_a_number_get_one_of_their_own() {
        let thread = thread(json!([
            { "from": { "userId": "ada" }, "attachments": [{ "name": "a" }, { "name": "b" }, { "attachmentId": 5 }] },
        ]));
        let ids: Vec<u64> =
            thread.comments[0].attachments.iter().map(|one| one.attachment_id).collect();
        assert!(ids[0] != ids[1] && ids[0] >= 100_000 && ids[2] == 5, "{ids:?}");
    }

    #[test]
    fn a_comment_changes_by_what_was_sent() {
        let mut thread = thread(json!([
            { "commentId": 1, "from": { "userId": "ada" }, "commentText": "a", "commentHtml": "<b>a</b>" },
        ]));
        let mut change = |json| thread.change_comment(1, from_value(json).unwrap(), 9, 0);
        assert_eq!(change(json!({})), Unchanged);
        assert_eq!(change(json!({ "commentText": "a" })), Unchanged);
        assert_eq!(change(json!({ "commentHtml": null, "commentText": "b" })), Changed);
        assert_eq!(change(json!({ "taggedUserContacts": [{ "userId": "bob" }] })), Changed);
        let comment = &thread.comments[0];
        assert_eq!(comment.comment_text.as_deref(), Some("b"));
        assert_eq!((&comment.comment_html, comment.edited_at), (&None, Some(9)));
        assert_eq!(thread.subscribed.len(), 2);
        let none = from_value(json!({ "taggedUserContacts": null })).unwrap();
        assert_eq!(thread.change_comment(1, none, 9, 0), Changed);
        assert_eq!(thread.subscribed.len(), 1);
        assert_eq!(thread.change_comment(2, from_value(json!({})).unwrap(), 9, 0), NoComment);
    }
}
