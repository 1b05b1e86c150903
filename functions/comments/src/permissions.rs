//! Whether authors may reach the document they comment on.

use std::collections::BTreeSet;

use model::{DocumentId, UserId};
use service::{Error, OrganizationStore, Result, Right};

/// Those of the users who may not reach a document, where that is to be verified.
pub(crate) async fn denied(
    organization: &OrganizationStore,
    document: &DocumentId,
    users: BTreeSet<UserId>,
    is_to_verify: Option<bool>,
) -> Result<BTreeSet<UserId>> {
    if is_to_verify != Some(true) {
        return Ok(BTreeSet::new());
    }
    let rights = organization.rights(&users, &BTreeSet::new(), &[document.clone()].into()).await?;
    let is_denied = |user: &UserId| matches!(rights.of_document(user, document), Right::Denied(_));
    Ok(users.into_iter().filter(is_denied).collect())
}

/// That a user may not reach the document.
pub(crate) fn refusal(user: &UserId, document: &DocumentId) -> Error {
    Error::denied(format!("The user {user} may not reach the document {document}."))
}
