//! Events of documents: who may see them, and how the channel shows them.

use std::collections::{BTreeMap, BTreeSet};

use dialects::MAX_SENT_BYTES;
use model::{
    AnnotationId,
    comment::Thread,
    live::LiveEvent,
    visibility::{Membership, Visibility},
};
use rooms::{Connection, Live, Member, prelude::*};
use serde_json::{Value, json};
use service::{OrganizationStore, TenantStore, prelude::*};

use crate::presence::MAX_HEAD;

/// Threads by id.
pub(crate) type Threads = BTreeMap<AnnotationId, Thread>;

/// The threads of events of a document, as far as they exist.
pub(crate) async fn threads_of(
    organization: &OrganizationStore,
    document: &DocumentId,
    events: &[LiveEvent],
) -> Result<Threads> {
    let threads = events.iter().filter_map(|event| event.annotation_id.clone()).collect();
    organization.live().threads_of(document, threads).await
}

/// The users who may see an event.
pub(crate) struct EventAudience {
    /// The visibilities of its thread, now and at the event. A deleted thread has the latter alone,
    /// a recording none.
    visibilities: Vec<Visibility>,
    /// Whether it is of a thread of unknown visibility.
    is_hidden: bool,
}

impl EventAudience {
    /// The audience of each event, with its threads of now.
    pub(crate) fn of_each(events: &[LiveEvent], known: &Threads) -> Vec<Self> {
        let audience = |event: &LiveEvent| {
            let thread = event.annotation_id.as_ref();
            let now = thread.and_then(|thread| Some(known.get(thread)?.visibility.clone()));
            let then = thread.and(event.visibility.clone());
            let visibilities: Vec<Visibility> = [now, then].into_iter().flatten().collect();
            let is_of_thread = thread.is_some() && event.name.starts_with("comment");
            Self { is_hidden: is_of_thread && visibilities.is_empty(), visibilities }
        };
        events.iter().map(audience).collect()
    }

    /// The organizations whose members have to be known to decide on a user.
    pub(crate) fn unknown(&self, user: &UserId) -> BTreeSet<OrganizationId> {
        let unknown = |it: &Visibility| it.unknown(user, |_| Membership::Unknown);
        let nobody = self.is_hidden.then(BTreeSet::new);
        nobody.unwrap_or_else(|| self.visibilities.iter().flat_map(unknown).collect())
    }

    /// Whether the user of a connection may see the event.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn includes(
        &self,
        user: &UserId,
        connection: &Connection,
        tenant: &TenantStore,
    ) -> Result<bool> {
        let mut known: BTreeMap<OrganizationId, Membership> = BTreeMap::new();
        for organization in self.unknown(user) {
            let is_member = connection.is_member(tenant, &organization).await?;
            known.insert(organization, is_member.into());
        }
        Ok(self.admits(user, |id| known.get(id).copied().unwrap_or(Membership::Unknown)))
    }

    /// Whether a user of these memberships may see the event.
    pub(crate) fn admits(
        &self,
        user: &UserId,
        member_of: impl Fn(&OrganizationId) -> Membership,
    ) -> bool {
        !self.is_hidden && self.visibilities.iter().all(|it| it.admits(user, &member_of))
    }
}

/// Whether a member may see an event. A user whose token is not valid any more sees nothing for
/// members.
pub(crate) async fn sees(
    live: &Live,
    audiences: &[EventAudience],
    member: &Member,
) -> Result<bool> {
    let user = &member.user_id;
    let needs_members = audiences.iter().any(|audience| !audience.unknown(user).is_empty());
    let connection = match needs_members {
        true => live.connection(&member.connection_id).await?,
        false => None,
    };
    let Some(connection) = connection else {
        return Ok(audiences.iter().all(|it| it.admits(user, |_| Membership::Unknown)));
    };
    let Ok(tenant) = connection.tenant().await else { return Ok(false) };
    for audience in audiences {
        if !audience.includes(user, &connection, &tenant).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An event, as the channel shows it.
pub(crate) fn event_view(event: &LiveEvent) -> Value {
    json!({
        "type": "event", "organizationId": event.organization_id, "documentId": event.document_id,
        "position": event.position, "name": event.name, "ids": event.ids(),
        "actorUserId": event.actor_user_id,
    })
}

/// An event with its thread, unless that is too large for a frame: the client reads it over REST.
pub(crate) fn with_thread(
    mut view: Value,
    thread: Thread,
    organization: &OrganizationStore,
) -> Value {
    let thread = thread.shown(&organization.tenant().api_key().id, organization.id());
    let thread = json!(thread.for_end_user());
    if thread.to_string().len() <= MAX_SENT_BYTES - MAX_HEAD {
        view["thread"] = thread;
    }
    view
}
