//! Threads as the caller sees them: an end user learns what is unread.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    AnnotationId, Millis,
    comment::{MentionedGroups, Thread, ThreadView},
};
use service::{OrganizationStore, prelude::*};

/// The caller, and what it has seen.
pub(super) struct Reader<'a> {
    cx: &'a Cx<ApiKey>,
    organization: &'a OrganizationStore,
    /// When the end user saw threads with a latest comment by others; none for the tenant's server.
    seen_at: Option<BTreeMap<(DocumentId, AnnotationId), Option<Millis>>>,
    groups: MentionedGroups,
}

impl<'a> Reader<'a> {
    pub(super) async fn of(
        cx: &'a Cx<ApiKey>,
        organization: &'a OrganizationStore,
        threads: impl Iterator<Item = &Thread> + Clone + Send,
    ) -> Result<Self> {
        let mentioned: BTreeSet<UserId> = threads.clone().flat_map(Thread::mentioned).collect();
        let groups = organization.user_groups().mentioned(&mentioned).await?;
        let seen_at = match cx.tenant().end_user() {
            Some(user) => Some(organization.notifications().seen_at(&user.user_id, threads).await?),
            None => None,
        };
        Ok(Self { cx, organization, seen_at, groups })
    }

    /// A thread with its document.
    pub(super) fn view(&self, thread: Thread) -> (DocumentId, ThreadView) {
        let document = thread.document_id.clone();
        let state = self.seen_at.as_ref().map(|seen_at| {
            let latest = thread.latest.as_ref().map(|latest| latest.at);
            match seen_at.get(&(document.clone(), thread.annotation_id.clone())) {
                Some(seen_at) => (latest > *seen_at, *seen_at),
                None => (false, None),
            }
        });
        let view = thread.shown(&self.cx.tenant().api_key().id, self.organization.id());
        let view = view.in_reply(&self.groups);
        let view = match state {
            Some((is_unread, seen_at)) => view.for_end_user().read_by(is_unread, seen_at),
            None => view,
        };
        (document, view)
    }
}
