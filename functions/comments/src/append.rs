//! Adding comments to a thread that is there.

use std::collections::BTreeSet;

use model::{
    AnnotationId, DocumentId, Millis,
    comment::{Annotation, NewComment, ThreadEvent},
    event::EventType,
};
use service::{Collection, Edit, Error, Result};

use crate::{
    agents::Agents,
    publish::{Publisher, Triggers, no_thread, seed},
};

/// Comments written at a time: a transaction has room for a hundred writes, and each comment is
/// told of.
pub(crate) const AT_ONCE: usize = 50;

/// Who adds what when.
pub(crate) struct Adding<'a> {
    pub(crate) publisher: &'a Publisher,
    pub(crate) agents: &'a Agents,
    pub(crate) now: Millis,
}

/// What is told of one comment.
pub(crate) type Told = (ThreadEvent, Triggers);

impl Adding<'_> {
    /// Adds comments to a thread in memory; answers with their numbers, and what is told of each.
    ///
    /// # Errors
    /// ALREADY_EXISTS; NOT_FOUND when there is no such agent.
    pub(crate) fn put(
        &self,
        thread: &mut Annotation,
        comments: &[NewComment],
        seed: u64,
    ) -> Result<(Vec<u64>, Vec<Told>)> {
        let (mut ids, mut told) = (Vec::new(), Vec::new());
        for (n, new) in (0..).zip(comments) {
            let (kind, triggers) = (self.agents.kind(new)?, Triggers::of(new));
            let at = (self.now, seed.wrapping_add(1_000 * n));
            let id = thread.add_comment(new.clone(), kind, at).map_err(Error::exists)?;
            ids.push(id);
            if let Some(comment) = thread.comment(id).cloned() {
                let event = match thread.comments.len() {
                    1 => EventType::AnnotationAdd,
                    _ => EventType::CommentAdd,
                };
                let actor = Some(comment.from.clone());
                told.push((ThreadEvent::new(event).by(actor).to(comment), triggers));
            }
        }
        Ok((ids, told))
    }

    /// Adds comments to a thread that is stored, some at a time; answers with their numbers.
    ///
    /// # Errors
    /// NOT_FOUND, ALREADY_EXISTS.
    pub(crate) async fn append(
        &self,
        annotations: &Collection<Annotation>,
        (document, id): (&DocumentId, &AnnotationId),
        comments: &[NewComment],
    ) -> Result<Vec<u64>> {
        let place = (document.clone(), id.clone());
        let (mut all, mut last) = (Vec::new(), None);
        for some in comments.chunks(AT_ONCE) {
            let seed = seed()?;
            let named: Vec<u64> =
                some.iter().filter_map(|new| new.comment_id).map(|id| id.get()).collect();
            let mut added = Vec::new();
            let edit = |stored: Option<Annotation>| {
                let mut thread = stored.ok_or_else(|| no_thread(id))?;
                let (ids, mut told) = self.put(&mut thread, some, seed)?;
                for (happening, _) in &mut told {
                    // The thread is not new, though it may have been empty.
                    happening.event = EventType::CommentAdd;
                }
                added = ids;
                Ok(self.publisher.publish(Edit::put(thread.clone()), &thread, told))
            };
            last = Some(annotations.edit_comments(&place, &named, edit).await?);
            all.extend(added);
        }
        if let Some(thread) = last {
            annotations.tidy(&thread).await;
        }
        Ok(all)
    }
}

/// Comments without those whose number came before: the first one is added.
pub(crate) fn distinct(comments: Vec<NewComment>) -> Vec<NewComment> {
    let mut seen = BTreeSet::new();
    let is_new = |comment: &NewComment| comment.comment_id.is_none_or(|id| seen.insert(id.get()));
    let mut comments = comments;
    comments.retain(is_new);
    comments
}
