//! Changing several comments of one thread.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    AnnotationId,
    comment::{Comment, Thread, ThreadEvent},
};
use service::{Edit, Status, prelude::*, store::comments::Comments};

use crate::{
    one_write::AT_ONCE,
    publish::{Publisher, Triggers, no_thread, put_if_document_exists},
};

fn no_comment(id: u64) -> Error {
    Error::not_found(format!("There is no comment {id}."))
}

/// The effect of a change of one comment.
pub(crate) enum CommentEffect {
    /// The thread has no such comment.
    NoComment,
    /// The comment is as before.
    Unchanged,
    /// The comment differs, which causes this event.
    Changed(Box<ThreadEvent>),
}

/// The context of changes of the comments of one thread.
pub(crate) struct ThreadChange<'a> {
    pub(crate) annotations: &'a Comments<'a>,
    pub(crate) place: (DocumentId, AnnotationId),
    /// The only author whose comments may be changed, if any.
    pub(crate) author: Option<&'a UserId>,
    pub(crate) publisher: &'a Publisher,
    pub(crate) triggers: Triggers,
}

/// Changes comments of one thread, several per write; returns an outcome for each.
///
/// # Errors
/// UNAVAILABLE, ABORTED: some comments may be changed.
pub(crate) async fn each_comment(
    thread: &ThreadChange<'_>,
    ids: impl Iterator<Item = u64>,
    change: impl Fn(&mut Thread, u64) -> CommentEffect + Send + Sync,
) -> Result<BTreeMap<u64, Result<()>>> {
    let ThreadChange { annotations, place, author, publisher, triggers } = thread;
    let ids: Vec<u64> = ids.collect::<BTreeSet<u64>>().into_iter().collect();
    let mut results = BTreeMap::new();
    for some in ids.chunks(AT_ONCE) {
        let mut refused = BTreeMap::new();
        let edit = |stored: Option<Thread>| {
            let before = stored.ok_or_else(|| no_thread(&place.1))?;
            let mut thread = before.clone();
            let mut happened = Vec::new();
            refused.clear();
            for id in some {
                let is_foreign = |comment: &Comment| *author != Some(&comment.from.user_id);
                if author.is_some() && thread.comment(*id).is_some_and(is_foreign) {
                    refused.insert(*id, Error::denied("The comment belongs to another user."));
                    continue;
                }
                match change(&mut thread, *id) {
                    CommentEffect::NoComment => drop(refused.insert(*id, no_comment(*id))),
                    CommentEffect::Unchanged => {}
                    CommentEffect::Changed(event) => happened.push((*event, *triggers)),
                }
            }
            if thread == before {
                return Ok(Edit::keep(before));
            }
            Ok(publisher.publish(put_if_document_exists(&thread), &thread, happened))
        };
        let result = annotations.edit_comments(place, some, edit).await;
        match result {
            Ok(_) => {
                results.extend(some.iter().map(|id| (*id, refused.remove(id).map_or(Ok(()), Err))))
            }
            Err(error) if error.status == Status::NotFound => {
                results.extend(some.iter().map(|id| (*id, Err(no_thread(&place.1)))));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(results)
}

/// The reply about each comment, keyed by its number as text.
pub(crate) fn replies(
    results: BTreeMap<u64, Result<()>>,
    done: &'static str,
) -> Items<String, Entry<u64>> {
    let entry = |(id, result): (u64, _)| (id.to_string(), Entry::new(id, &result, done));
    results.into_iter().map(entry).collect()
}
