//! What the end user of a call has seen of threads.

use std::collections::BTreeMap;

use model::{
    AnnotationId, Millis,
    comment::{Thread, ThreadView},
};
use service::{OrganizationStore, prelude::*};

/// When the end user saw threads with a latest comment by others; none for the tenant's server.
pub(super) struct Reader(Option<BTreeMap<(DocumentId, AnnotationId), Option<Millis>>>);

/// Whether a thread is unread, and when it was seen.
pub(super) struct State(Option<(bool, Option<Millis>)>);

impl Reader {
    pub(super) async fn of(
        cx: &Cx<ApiKey>,
        organization: &OrganizationStore,
        threads: impl Iterator<Item = &Thread> + Send,
    ) -> Result<Self> {
        let Some(user) = cx.tenant().end_user() else { return Ok(Self(None)) };
        organization.notifications().seen_at(&user.user_id, threads).await.map(Some).map(Self)
    }

    pub(super) fn state(&self, thread: &Thread) -> State {
        let id = (thread.document_id.clone(), thread.annotation_id.clone());
        let latest = thread.latest.as_ref().map(|latest| latest.at);
        State(self.0.as_ref().map(|seen_at| match seen_at.get(&id) {
            Some(seen_at) => (latest > *seen_at, *seen_at),
            None => (false, None),
        }))
    }
}

impl State {
    pub(super) fn apply(&self, view: ThreadView) -> ThreadView {
        match self.0 {
            Some((is_unread, seen_at)) => view.read_by(is_unread, seen_at),
            None => view,
        }
    }
}
