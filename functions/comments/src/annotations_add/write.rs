//! Writes of new threads.

use std::collections::BTreeMap;

use service::{OrganizationStore, Status, prelude::*};

use super::anchors::Anchors;
use crate::{
    agents::Agents,
    append::Adding,
    mentions::check_groups_in,
    permissions,
    publish::{Publisher, Triggers},
    results::in_order,
    thread::{Draft, PreparedThread, authors},
};

/// Numbers of comments, and the agent's name for its finding.
pub(super) type Added = (Vec<u64>, Option<String>);

/// Adds the threads, and marks their anchors.
///
/// # Errors
/// As of the store; those of a thread are its result.
pub(super) async fn add(
    cx: &Cx<ApiKey>,
    organization: &OrganizationStore,
    document: &DocumentId,
    drafts: &[Draft],
    is_to_verify: Option<bool>,
) -> Result<Vec<Result<Added>>> {
    let denied = permissions::denied(organization, document, authors(drafts), is_to_verify).await?;
    let comments: Vec<_> = drafts.iter().flat_map(Draft::comments).collect();
    let agents = Agents::of(cx.tenant(), &comments).await?;
    let triggers = comments.iter().map(|comment| Triggers::of(comment));
    let publisher = Publisher::new(cx, organization.id(), triggers).await?;
    let is_by_server = cx.tenant().end_user().is_none();
    let adding = Adding { publisher: &publisher, agents: &agents, is_by_server, now: cx.now() };
    let anchors = Anchors::new(cx, organization, document);
    let (mut failed, mut edits, mut begun) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (n, draft) in drafts.iter().enumerate() {
        let thread = draft.begin(document, &denied, &adding);
        let thread = match check_groups_in(organization, draft.comments().collect::<Vec<_>>()).await
        {
            Ok(()) => thread,
            Err(refused) => Err(refused),
        };
        let anchored = anchors.check(draft).await;
        match thread.and_then(|thread| anchored.map(|()| thread)) {
            Err(error) => drop(failed.insert(n, error)),
            Ok(PreparedThread { comment_ids, finding_id, edit, many }) => {
                edits.push(edit);
                begun.push((draft, comment_ids, finding_id, many));
            }
        }
    }
    let annotations = organization.comments();
    let written = annotations.all().create_all(edits).await;
    let mut done = Vec::new();
    for (result, (draft, ids, finding_id, many)) in written.into_iter().zip(begun) {
        let id = &draft.id;
        let added = match (result, many) {
            (Ok(thread), None) => {
                annotations.tidy(&thread).await;
                Ok(ids)
            }
            (Ok(_), Some(comments)) => adding.append(&annotations, document, id, &comments).await,
            (Err(error), Some(comments)) if error.status == Status::AlreadyExists => {
                // Completes the writes of an interrupted call.
                match adding.is_begun(&annotations, document, id, &comments).await? {
                    true => adding.append(&annotations, document, id, &comments).await,
                    false => Err(error),
                }
            }
            (Err(error), _) => Err(error),
        };
        let added = anchors.finish(&annotations, document, draft, added).await;
        done.push(added.map(|ids| (ids, finding_id)));
    }
    Ok(in_order(failed, done, drafts.len()))
}
