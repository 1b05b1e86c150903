//! The recipients of an event, many in one row.

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Activity, ActivityState, Candidate, Channels, Eligibility, PendingEvent, RowBody, RowKey,
    TOMBSTONE,
};

/// The reference to a page of an event's recipients.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageRef {
    /// The event.
    #[serde(rename = "e")]
    pub event_id: String,
    /// The number of the page; the first is in the row of the event.
    #[serde(rename = "p", default, skip_serializing_if = "is_first")]
    pub page: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_first(page: &u32) -> bool {
    *page == 0
}

impl PageRef {
    /// The first page of an event.
    pub fn first(event_id: &str) -> Self {
        Self { event_id: event_id.to_owned(), page: 0 }
    }

    /// The key of its row.
    pub fn key(&self) -> RowKey {
        let event_id = self.event_id.clone();
        match self.page {
            0 => RowKey::Pending { event_id },
            page => RowKey::Recipients { event_id, page },
        }
    }

    /// The key of the row of its event.
    pub fn event_key(&self) -> RowKey {
        RowKey::Pending { event_id: self.event_id.clone() }
    }

    /// The delivery of the page itself, without a window.
    pub fn generation(&self) -> String {
        match self.page {
            0 => self.event_id.clone(),
            page => format!("{}.{page}", self.event_id),
        }
    }
}

/// Recipients with the same state of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecipientGroup {
    /// The users.
    pub users: Vec<UserId>,
    /// The channels allowed at the event (rules N2, N3).
    pub allowed: Channels,
    /// Whether it directly involved them at the event (rule N3).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// Whether it named them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// Their state.
    pub state: ActivityState,
}

impl RecipientGroup {
    fn is_like(&self, other: &Self) -> bool {
        (self.allowed, self.mine, self.named) == (other.allowed, other.mine, other.named)
            && self.state == other.state
    }
}

/// The times of a new page.
#[derive(Clone, Copy)]
pub(crate) struct PageTimes {
    /// The due time.
    pub(crate) due: Millis,
    /// The time of the creation.
    pub(crate) at: Millis,
}

/// Up to [`crate::PAGE`] recipients of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecipientPage {
    /// The recipients, grouped by state.
    pub groups: Vec<RecipientGroup>,
    /// The due time, unless it is that of a window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Millis>,
    /// The time of the last change.
    pub at: Millis,
}

impl RecipientPage {
    /// The candidates with a remaining channel (rule N4), in this state.
    pub(crate) fn new(
        candidates: &[Candidate],
        channels: Channels,
        state: impl Fn(Channels) -> ActivityState,
        times: PageTimes,
    ) -> Self {
        let mut page = Self { groups: Vec::new(), due: Some(times.due), at: times.at };
        for candidate in candidates {
            let allowed = candidate.channels & channels;
            if !allowed.is_empty() {
                let (users, state) = (vec![candidate.user_id.clone()], state(allowed));
                let Candidate { mine, named, .. } = *candidate;
                page.add(RecipientGroup { users, allowed, mine, named, state });
            }
        }
        page
    }

    fn add(&mut self, group: RecipientGroup) {
        match self.groups.iter_mut().find(|known| known.is_like(&group)) {
            Some(like) => like.users.extend(group.users),
            None => self.groups.push(group),
        }
    }

    /// Its recipients.
    pub fn users(&self) -> impl Iterator<Item = &UserId> {
        self.groups.iter().flat_map(|group| &group.users)
    }

    /// Changes the states of recipients for which `change` returns one.
    pub(crate) fn change(
        &mut self,
        at: Millis,
        change: impl Fn(&UserId, &RecipientGroup) -> Option<ActivityState>,
    ) {
        for group in std::mem::take(&mut self.groups) {
            for user in &group.users {
                let state = change(user, &group).unwrap_or_else(|| group.state.clone());
                self.add(RecipientGroup { users: vec![user.clone()], state, ..group.clone() });
            }
        }
        self.at = at;
    }

    /// The final decision on an activity (rule N13): a delivery claims it, or it is dropped.
    pub(crate) fn decided(
        allowed: Channels,
        eligibility: &Eligibility,
        generation: &str,
        at: Millis,
    ) -> ActivityState {
        let mut withheld = match eligibility {
            Eligibility::Ineligible(reason) => return ActivityState::dropped(allowed, *reason, at),
            Eligibility::Eligible { withheld } => withheld.clone(),
        };
        withheld.retain(|channel, _| allowed.has(*channel));
        if withheld.keys().fold(allowed, |left, gone| left.without(*gone)).is_empty() {
            return ActivityState::Dropped { at, reasons: withheld };
        }
        ActivityState::Claimed { generation: generation.to_owned(), at, withheld }
    }

    /// Whether a recipient is in this state.
    pub(crate) fn has(&self, is: impl Fn(&ActivityState) -> bool) -> bool {
        self.groups.iter().any(|group| is(&group.state))
    }
}

/// Further recipients of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recipients {
    /// The recipients.
    #[serde(flatten)]
    pub page: RecipientPage,
    /// The last recipient before the next page; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<UserId>,
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
            let activity = |user| Activity {
                release_at: self.release_at,
                ..Activity::for_recipient(&self.event, at, group, user)
            };
            users.map(activity).collect::<Vec<_>>()
        };
        page.groups.iter().flat_map(of_group).collect()
    }
}

impl RowBody for Recipients {
    fn due(&self) -> Option<Millis> {
        self.page.due
    }

    fn expires(&self) -> Option<Millis> {
        self.page.due.is_none().then_some(self.page.at + TOMBSTONE)
    }
}
