//! A pending event with its recipients.

use error::Result;
use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Activity, ActivityState, Channels, NotifiableEvent, PageRef, RecipientGroup, RecipientPage,
    RowBody, RowKey, Rows, TOMBSTONE, rows::typed::load_row,
};

/// An event with its first recipients: first all of them are recorded, then it is delayed, then it
/// is a tombstone (rule N5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingEvent {
    /// The event.
    pub event: NotifiableEvent,
    /// The channels allowed at the event.
    pub channels: Channels,
    /// The end of the delay, fixed at intake (rule N6).
    pub release_at: Millis,
    /// Whether there is a delay; without one, seen marks are ignored (rule N7).
    pub delayed: bool,
    /// The first recipients.
    pub first: RecipientPage,
    /// The number of recorded pages, including this one.
    pub pages: u32,
    /// The continuation while recipients are being recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gathering: Option<Gathering>,
}

/// A recording in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gathering {
    /// The last recorded recipient.
    pub after: UserId,
    /// The time of the retry after a crash.
    pub retry: Millis,
}

impl PendingEvent {
    /// The event for each recipient in a matching state, or for the named ones.
    pub fn activities(
        &self,
        at: &PageRef,
        page: &RecipientPage,
        is_meant: impl Fn(&UserId, &ActivityState) -> bool,
    ) -> Vec<Activity> {
        let of_group = |group: &RecipientGroup| {
            let users = group.users.iter().filter(|user| is_meant(user, &group.state));
            users.map(|user| self.activity(at, group, user)).collect::<Vec<_>>()
        };
        page.groups.iter().flat_map(of_group).collect()
    }

    fn activity(&self, page: &PageRef, group: &RecipientGroup, user: &UserId) -> Activity {
        Activity {
            page: page.clone(),
            user_id: user.clone(),
            organization_id: self.event.organization_id.clone(),
            document_id: self.event.document_id.clone(),
            annotation_id: self.event.annotation_id.clone(),
            comment_id: self.event.comment_id,
            kind: self.event.kind,
            source: self.event.source,
            actor_id: self.event.actor_id.clone(),
            t0: self.event.t0,
            release_at: self.release_at,
            allowed: group.allowed,
            mine: group.mine,
            named: group.named,
            state: group.state.clone(),
        }
    }
}

impl RowBody for PendingEvent {
    fn due(&self) -> Option<Millis> {
        match &self.gathering {
            Some(gathering) => Some(gathering.retry),
            None => self.first.due,
        }
    }

    fn expires(&self) -> Option<Millis> {
        self.due().is_none().then_some(self.first.at + TOMBSTONE)
    }
}

/// A recent event of [`crate::intake`]. It is stored for two weeks after its delay, longer than any
/// window.
///
/// # Errors
/// The errors of the rows.
pub async fn pending_event(rows: &impl Rows, event_id: &str) -> Result<Option<NotifiableEvent>> {
    let key = RowKey::Pending { event_id: event_id.to_owned() };
    Ok(load_row::<PendingEvent>(rows, &key).await?.map(|pending| pending.body.event))
}
