//! Checks of rights beyond those of the call: of authors, and in threads of others.

use std::collections::BTreeSet;

use model::{
    comment::{Thread, ThreadPatch},
    rights::{By, Decision, Right},
};
use service::{OrganizationStore, prelude::*};

/// The users without a right to the document, if the request verifies that.
pub(crate) async fn denied(
    organization: &OrganizationStore,
    document: &DocumentId,
    users: BTreeSet<UserId>,
    is_to_verify: Option<bool>,
) -> Result<BTreeSet<UserId>> {
    if is_to_verify != Some(true) {
        return Ok(BTreeSet::new());
    }
    let (folders, documents) = (BTreeSet::new(), [document.clone()].into());
    let facts = organization.permissions().facts(&users, &folders, &documents).await?;
    // A document that the call creates exists by now; without one, each thread is refused.
    if facts.document(document).is_none() {
        return Ok(BTreeSet::new());
    }
    let is_allowed = |user: &UserId| matches!(facts.of_document(user, document), Decision::Open(_));
    Ok(users.into_iter().filter(|user| !is_allowed(user)).collect())
}

/// The error for a user without a right to the document.
pub(crate) fn refusal(user: &UserId, document: &DocumentId) -> Error {
    Error::denied(format!("The user {user} has no access to the document {document}."))
}

/// Refuses a commenter the threads that others began.
///
/// # Errors
/// PERMISSION_DENIED.
pub(crate) fn refuse_thread_of_other(cx: &Cx<ApiKey>, thread: &Thread) -> Result<()> {
    let Some(user) = cx.tenant().end_user() else { return Ok(()) };
    if cx.role().allows(Need::Edit) || thread.from.user_id == user.user_id {
        return Ok(());
    }
    Err(Error::denied("A commenter changes the threads that they began."))
}

/// Refuses an end user to change more than the status of threads, unless the API key allows it, and
/// to assign them to somebody whom the organization does not have: an assignee is notified.
///
/// # Errors
/// PERMISSION_DENIED.
pub(crate) async fn check_edits(
    cx: &Cx<ApiKey>,
    organization: &OrganizationStore,
    document: &DocumentId,
    patch: &ThreadPatch,
) -> Result<()> {
    let Some(user) = cx.tenant().end_user().filter(|_| patch.edits()) else { return Ok(()) };
    if !cx.tenant().api_key().settings.thread_editing {
        let message = "The API key does not allow end users to edit threads, but for their status.";
        return Err(Error::denied(message));
    }
    let other = patch.assignee().filter(|assignee| **assignee != user.user_id);
    let Some(assignee) = other else { return Ok(()) };
    let (users, documents) = ([assignee.clone()].into(), [document.clone()].into());
    let facts = organization.permissions().facts(&users, &BTreeSet::new(), &documents).await?;
    let is_there = match facts.of_document(assignee, document) {
        Decision::Open(Right { by: By::Level(..), .. }) => true,
        // A public document is open to everybody, also to whom nobody knows.
        Decision::Open(_) => matches!(facts.of_organization(assignee), Decision::Open(_)),
        Decision::Absent | Decision::Closed(_) | Decision::LockedOut(_) => false,
    };
    if is_there { Ok(()) } else { Err(refusal(assignee, document)) }
}

/// Refuses an end user to delete a thread that others began or commented in.
///
/// # Errors
/// PERMISSION_DENIED.
pub(crate) fn refuse_thread_with_others(cx: &Cx<ApiKey>, thread: &Thread) -> Result<()> {
    match cx.tenant().end_user() {
        Some(user) if !thread.is_by_alone(&user.user_id) => Err(Error::denied(
            "An end user deletes threads that they began and in which nobody else commented.",
        )),
        Some(_) | None => Ok(()),
    }
}
