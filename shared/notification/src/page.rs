//! The recipients of an event, many in one row.

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{ActivityState, Candidate, Channels, Eligibility, RowBody, TOMBSTONE};

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

impl RowBody for Recipients {
    fn due(&self) -> Option<Millis> {
        self.page.due
    }

    fn expires(&self) -> Option<Millis> {
        self.page.due.is_none().then_some(self.page.at + TOMBSTONE)
    }
}
