//! Replacing users in archived comments.

use std::time::Duration;

use model::{
    AnnotationId, Millis,
    comment::{ArchivedComment, Thread},
    people::{Forgotten, Names, UserReplacement},
};
use service::{
    Deadline,
    prelude::*,
    store::{comments::Comments, deletion::Progress},
};

/// How long one call rewrites archived comments of a thread.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Replaces users in the archives of the threads that were updated; one that fails is an error of its
/// thread.
pub(super) async fn replace_in_archives(
    annotations: &Comments<'_>,
    document: &DocumentId,
    results: &mut [(AnnotationId, Result<Thread>)],
    replaced: &[UserReplacement],
    now: Millis,
) {
    let is_named =
        |thread: &Thread| replaced.iter().any(|one| thread.archive.names(&one.old_user.user_id));
    for (id, result) in results {
        if !result.as_ref().is_ok_and(is_named) {
            continue;
        }
        let place = (document.clone(), id.clone());
        if let Err(error) = replace_archived(annotations, &place, replaced, now).await {
            *result = Err(error);
        }
    }
}

/// Replaces users in the archived comments of a thread.
///
/// # Errors
/// ABORTED when the time does not suffice for all of them.
async fn replace_archived(
    annotations: &Comments<'_>,
    place: &(DocumentId, AnnotationId),
    replaced: &[UserReplacement],
    now: Millis,
) -> Result<()> {
    let rewrite = |comment: &mut ArchivedComment| match comment.replace_users(replaced) {
        true => Forgotten::Changed,
        false => Forgotten::Unchanged,
    };
    let same = |_: &mut Thread| Forgotten::Unchanged;
    match annotations.rewrite(place, Deadline::after(now, MAX_TIME), rewrite, same).await? {
        Progress::Done => Ok(()),
        Progress::More => Err(Error::aborted()),
    }
}
