//! New threads before they are stored.

use std::collections::BTreeSet;

use model::{
    AnnotationId,
    comment::{Anchor, NewComment, NewThread, SentThread, Thread},
    document::Document,
};
use service::{Edit, Status, prelude::*, random_text};

use crate::{
    append::{Adding, distinct},
    one_write::{in_one_write, resumption_key},
    permissions::refusal,
    publish::seed,
};

/// A new thread as sent.
pub(crate) struct Draft {
    /// Position of the draft in the request, which names it in the reply if it is denied and the
    /// caller sent no id.
    position: usize,
    is_named: bool,
    pub(crate) id: AnnotationId,
    sent: SentThread,
}

/// A new thread to store, with the comments that later writes add.
pub(crate) struct PreparedThread {
    pub(crate) comment_ids: Vec<u64>,
    pub(crate) finding_id: Option<String>,
    pub(crate) edit: Edit<Thread>,
    /// All of its comments, if they exceed one write.
    pub(crate) many: Option<Vec<NewComment>>,
}

/// The threads of a request, with ids; of duplicate ids the first one.
///
/// # Errors
/// INVALID_ARGUMENT when an id is not that of a thread.
pub(crate) fn drafts(sent: Vec<SentThread>) -> Result<Vec<Draft>> {
    let mut seen = BTreeSet::new();
    let mut drafts = Vec::with_capacity(sent.len());
    for (position, sent) in sent.into_iter().enumerate() {
        let named = sent.annotation_id.clone();
        if named.as_ref().is_some_and(|id| id.as_str().contains(':')) {
            let position = position.to_string();
            let path = ["commentAnnotations", position.as_str(), "annotationId"];
            return Err(issue(&path, "must not contain colons"));
        }
        let is_named = named.is_some();
        let id = named.map_or_else(new_id, Ok)?;
        if seen.insert(id.clone()) {
            drafts.push(Draft { position, is_named, id, sent });
        }
    }
    Ok(drafts)
}

/// An id for a thread or a reaction: 20 characters.
pub(crate) fn new_id() -> Result<AnnotationId> {
    random_text::<15>()?.try_into().map_err(|_| Error::internal("a generated id is no id"))
}

impl Draft {
    /// The name of its entry in the reply.
    pub(crate) fn key(&self, failure: Option<&Error>) -> String {
        match failure {
            Some(error) if error.status == Status::PermissionDenied && !self.is_named => {
                format!("__service_denied:{}", self.position)
            }
            _ => self.id.to_string(),
        }
    }

    /// Whether not everybody with access to the document sees it.
    pub(crate) fn is_private(&self) -> bool {
        self.sent.is_private()
    }

    /// Position of the draft in the request.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The range that is to be marked.
    pub(crate) fn anchor(&self) -> Option<&Anchor> {
        self.sent.anchor.as_ref()
    }

    /// Comments of the draft.
    pub(crate) fn comments(&self) -> impl Iterator<Item = &NewComment> {
        self.sent.comment_data.iter()
    }

    /// The thread with the comments of its first write.
    ///
    /// # Errors
    /// PERMISSION_DENIED when one of its authors is denied; NOT_FOUND when an agent does not exist.
    pub(crate) fn begin(
        &self,
        document: &DocumentId,
        denied: &BTreeSet<UserId>,
        adding: &Adding<'_>,
    ) -> Result<PreparedThread> {
        let mut authors = self.comments().map(|comment| &comment.from.user_id);
        if let Some(user) = authors.find(|user| denied.contains(*user)) {
            return Err(refusal(user, document));
        }
        for comment in self.comments() {
            adding.agents.kind(comment)?;
        }
        let sent = self.sent.clone();
        let NewThread { mut thread, last_updated, comments } =
            sent.into_thread(document.clone(), self.id.clone(), adding.now);
        if adding.is_by_server {
            thread.vouch_for_page();
        }
        let comments = distinct(comments);
        let first = &comments[..in_one_write(&comments)];
        let (comment_ids, events) = adding.put(&mut thread, first, seed()?)?;
        let many = resumption_key(&comments).map(|key| {
            thread.note_added(&key, comment_ids.clone(), comments.len());
            comments
        });
        model::set(&mut thread.last_updated, last_updated.map(|time| time.get()));
        let edit = Edit::put(thread.clone()).requires::<Document>(document);
        let edit = adding.publisher.publish(edit, &thread, events);
        let agent = thread.agent.as_ref();
        let finding_id = agent.and_then(|agent| agent.reason.finding_id.clone());
        Ok(PreparedThread { comment_ids, finding_id, edit, many })
    }
}

/// All authors of the threads.
pub(crate) fn authors(drafts: &[Draft]) -> BTreeSet<UserId> {
    let comments = drafts.iter().flat_map(Draft::comments);
    comments.map(|comment| comment.from.user_id.clone()).collect()
}
