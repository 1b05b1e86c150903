//! Adding comments to an existing thread.

use std::collections::BTreeSet;

use model::{
    AnnotationId, Millis,
    comment::{NewComment, Thread, ThreadEvent},
    event::EventType,
};
use service::{Edit, prelude::*, store::comments::Comments};

use crate::{
    agents::Agents,
    one_write::{in_one_write, resumption_key},
    publish::{Publisher, Triggers, no_thread, put_if_document_exists, seed},
};

/// The context of an addition.
pub(crate) struct Adding<'a> {
    pub(crate) publisher: &'a Publisher,
    pub(crate) agents: &'a Agents,
    /// Whether the tenant's server adds them, which vouches for the people it mentions.
    pub(crate) is_by_server: bool,
    pub(crate) now: Millis,
}

/// The event data of one comment.
pub(crate) type Emitted = (ThreadEvent, Triggers);

impl Adding<'_> {
    /// Adds comments to a thread in memory; returns their numbers and event data.
    ///
    /// # Errors
    /// ALREADY_EXISTS; NOT_FOUND when an agent does not exist.
    pub(crate) fn put(
        &self,
        thread: &mut Thread,
        comments: &[NewComment],
        seed: u64,
    ) -> Result<(Vec<u64>, Vec<Emitted>)> {
        let (mut ids, mut events) = (Vec::new(), Vec::new());
        for (n, new) in (0..).zip(comments) {
            let (kind, triggers) = (self.agents.kind(new)?, Triggers::of(new));
            let seed = seed.wrapping_add(1_000 * n);
            let id =
                thread.add_comment(new.clone(), kind, self.now, seed).map_err(Error::exists)?;
            if self.is_by_server {
                thread.vouch_for_mentioned(id);
            }
            ids.push(id);
            if let Some(comment) = thread.comment(id).cloned() {
                let event = match thread.comments.len() {
                    1 => EventType::AnnotationAdd,
                    _ => EventType::CommentAdd,
                };
                let actor = Some(comment.from.clone());
                events.push((ThreadEvent::new(event).by(actor).to(comment), triggers));
            }
        }
        Ok((ids, events))
    }

    /// Whether an earlier call with the same comments was interrupted.
    pub(crate) async fn is_begun(
        &self,
        annotations: &Comments<'_>,
        document: &DocumentId,
        id: &AnnotationId,
        comments: &[NewComment],
    ) -> Result<bool> {
        let thread = annotations.all().find(&(document.clone(), id.clone())).await?;
        let key = resumption_key(comments);
        Ok(key.zip(thread).is_some_and(|(key, thread)| !thread.added_by(&key).is_empty()))
    }

    /// Adds comments to a stored thread in several writes; returns their numbers. A repeated call
    /// does not add the comments of its interrupted predecessor again.
    ///
    /// # Errors
    /// NOT_FOUND, ALREADY_EXISTS; ABORTED when the same call runs concurrently.
    pub(crate) async fn append(
        &self,
        annotations: &Comments<'_>,
        document: &DocumentId,
        id: &AnnotationId,
        comments: &[NewComment],
    ) -> Result<Vec<u64>> {
        let place = (document.clone(), id.clone());
        let key = resumption_key(comments);
        let mut done = match &key {
            Some(key) => {
                let thread = annotations.all().find(&place).await?;
                thread.map_or(vec![], |thread| thread.added_by(key))
            }
            None => vec![],
        };
        loop {
            let left = &comments[done.len()..];
            let some = &left[..in_one_write(left)];
            let seed = seed()?;
            // All comments are validated before the first one is added.
            let checked = if done.is_empty() { comments } else { some };
            let named: Vec<u64> =
                checked.iter().filter_map(|new| new.comment_id).map(|id| id.get()).collect();
            let mut added = Vec::new();
            let edit = |stored: Option<Thread>| {
                let mut thread = stored.ok_or_else(|| no_thread(id))?;
                for id in &named {
                    thread.free_number(*id).map_err(Error::exists)?;
                }
                let (ids, mut events) = self.put(&mut thread, some, seed)?;
                for (happening, _) in &mut events {
                    // The thread already exists, even if it has no comments.
                    happening.event = EventType::CommentAdd;
                }
                if let Some(key) = &key {
                    if thread.added_by(key) != done {
                        return Err(Error::aborted());
                    }
                    thread.note_added(key, [done.as_slice(), &ids].concat(), comments.len());
                }
                added = ids;
                let edit = match done.as_slice() {
                    [] => put_if_document_exists(&thread),
                    _ => Edit::put(thread.clone()),
                };
                Ok(self.publisher.publish(edit, &thread, events))
            };
            let thread = annotations.edit_comments(&place, &named, edit).await?;
            done.extend(added);
            if done.len() >= comments.len() {
                annotations.tidy(&thread).await;
                return Ok(done);
            }
        }
    }
}

/// The comments without duplicate numbers: the first one is added.
pub(crate) fn distinct(mut comments: Vec<NewComment>) -> Vec<NewComment> {
    let mut seen = BTreeSet::new();
    comments.retain(|comment| comment.comment_id.is_none_or(|id| seen.insert(id.get())));
    comments
}
