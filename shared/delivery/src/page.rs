//! The recipients of an event, many in one row.

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Activity, ActivityState, Body, Candidate, Channels, Eligibility, PendingEvent, RowKey,
    TOMBSTONE,
};

/// Names a page of the recipients of an event.
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

    /// What stands for the delivery of the page itself, where no window takes part.
    pub fn generation(&self) -> String {
        match self.page {
            0 => self.event_id.clone(),
            page => format!("{}.{page}", self.event_id),
        }
    }
}

/// Recipients for whom everything about an event is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The user.
    pub users: Vec<UserId>,
    /// The channels that were allowed when it happened (rules N2, N3).
    pub allowed: Channels,
    /// Whether it involved them directly when it happened (rule N3).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
    /// Whether they were named in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// Its outcome.
    pub state: ActivityState,
}

impl Group {
    fn is_like(&self, other: &Self) -> bool {
        (self.allowed, self.mine, self.named) == (other.allowed, other.mine, other.named)
            && self.state == other.state
    }
}

/// Up to [`crate::PAGE`] recipients of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// They, by what is the same for them.
    pub groups: Vec<Group>,
    /// When there is something to do with it that no window does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Millis>,
    /// Time of the last change.
    pub at: Millis,
}

impl Page {
    /// The candidates that a channel is left for (rule N4), in this state.
    pub(crate) fn new(
        candidates: &[Candidate],
        channels: Channels,
        state: impl Fn(Channels) -> ActivityState,
        (due, at): (Millis, Millis),
    ) -> Self {
        let mut page = Self { groups: Vec::new(), due: Some(due), at };
        for it in candidates {
            let allowed = it.channels & channels;
            if !allowed.is_empty() {
                let (users, state) = (vec![it.user_id.clone()], state(allowed));
                page.add(Group { users, allowed, mine: it.mine, named: it.named, state });
            }
        }
        page
    }

    fn add(&mut self, group: Group) {
        match self.groups.iter_mut().find(|it| it.is_like(&group)) {
            Some(like) => like.users.extend(group.users),
            None => self.groups.push(group),
        }
    }

    /// Its recipients.
    pub fn users(&self) -> impl Iterator<Item = &UserId> {
        self.groups.iter().flat_map(|group| &group.users)
    }

    /// Changes the states of recipients: of those for whom `change` answers.
    pub(crate) fn change(
        &mut self,
        at: Millis,
        change: impl Fn(&UserId, &Group) -> Option<ActivityState>,
    ) {
        for group in std::mem::take(&mut self.groups) {
            for user in &group.users {
                let state = change(user, &group).unwrap_or_else(|| group.state.clone());
                self.add(Group { users: vec![user.clone()], state, ..group.clone() });
            }
        }
        self.at = at;
    }

    /// The last word on an activity (rule N13): one delivery takes it, or it is dropped.
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

    /// Whether somebody is in this state.
    pub(crate) fn has(&self, is: impl Fn(&ActivityState) -> bool) -> bool {
        self.groups.iter().any(|group| is(&group.state))
    }
}

/// Further recipients of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recipients {
    /// They.
    #[serde(flatten)]
    pub page: Page,
    /// After whom the recipients go on behind them; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<UserId>,
}

impl PendingEvent {
    /// The event for each recipient of a page whose state is meant, or for those named.
    pub fn activities(
        &self,
        at: &PageRef,
        page: &Page,
        is_meant: impl Fn(&UserId, &ActivityState) -> bool,
    ) -> Vec<Activity> {
        let of_group = |group: &Group| {
            let users = group.users.iter().filter(|user| is_meant(user, &group.state));
            let activity = |user| Activity {
                release_at: self.release_at,
                ..Activity::of(&self.event, at, group, user)
            };
            users.map(activity).collect::<Vec<_>>()
        };
        page.groups.iter().flat_map(of_group).collect()
    }
}

impl Body for Recipients {
    fn due(&self) -> Option<Millis> {
        self.page.due
    }

    fn expires(&self) -> Option<Millis> {
        self.page.due.is_none().then_some(self.page.at + TOMBSTONE)
    }
}
