//! Checks that authors have a right to the document.

use std::collections::BTreeSet;

use model::{DocumentId, UserId};
use service::{Error, OrganizationStore, Result, Right, prelude::*};

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
    let rights =
        organization.access().rights(&users, &BTreeSet::new(), &[document.clone()].into()).await?;
    let is_denied = |user: &UserId| matches!(rights.of_document(user, document), Right::Denied(_));
    Ok(users.into_iter().filter(is_denied).collect())
}

/// The error for a user without a right to the document.
pub(crate) fn refusal(user: &UserId, document: &DocumentId) -> Error {
    Error::denied(format!("The user {user} has no access to the document {document}."))
}
