//! The recipients of an event, many in one row: their states, and how the rows are read and written.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    AT_ONCE, ATTEMPTS, Activity, ActivityState, Candidate, Change, Channels, Committed,
    Eligibility, PageRef, PendingEvent, RowBody, RowKey, Rows, StoredRow, TOMBSTONE,
    rows::typed::put,
};

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
    /// State of the recipients.
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
        state: impl Fn(&Candidate, Channels) -> ActivityState,
        times: PageTimes,
    ) -> Self {
        let mut page = Self { groups: Vec::new(), due: Some(times.due), at: times.at };
        for candidate in candidates {
            let allowed = candidate.channels & channels;
            if !allowed.is_empty() {
                let (users, state) = (vec![candidate.user_id.clone()], state(candidate, allowed));
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

    /// Recipients of the page.
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

/// A page with its version and event.
#[derive(Clone, Debug)]
pub struct LoadedPage {
    /// The page.
    pub at: PageRef,
    /// Event of the page.
    pub event: PendingEvent,
    further: Option<Recipients>,
    version: String,
}

impl LoadedPage {
    /// The recipients.
    pub fn page(&self) -> &RecipientPage {
        self.further.as_ref().map_or(&self.event.first, |further| &further.page)
    }

    pub(crate) fn page_mut(&mut self) -> &mut RecipientPage {
        self.further.as_mut().map_or(&mut self.event.first, |further| &mut further.page)
    }

    /// The event for each matching recipient.
    pub fn activities(&self, is_meant: impl Fn(&UserId, &ActivityState) -> bool) -> Vec<Activity> {
        self.event.activities(&self.at, self.page(), is_meant)
    }

    /// Writes it; false after a concurrent change.
    pub(crate) async fn save(&mut self, rows: &impl Rows) -> Result<bool> {
        let (key, seen) = (self.at.key(), Some(self.version.clone()));
        let change: Change = match &self.further {
            Some(further) => put(key, further, seen)?,
            None => put(key, &self.event, seen)?,
        };
        match rows.commit(vec![change]).await? {
            Committed::Written { version } => {
                self.version = version;
                Ok(true)
            }
            Committed::Conflict => Ok(false),
        }
    }

    /// Changes states and writes them, with retries under contention; then it is the written page.
    pub(crate) async fn change(
        self,
        rows: &impl Rows,
        now: Millis,
        change: impl Fn(&UserId, &RecipientGroup) -> Option<ActivityState>,
        due: impl Fn(&RecipientPage) -> Option<Millis>,
    ) -> Result<Option<Self>> {
        let mut loaded = self;
        for _ in 0..ATTEMPTS {
            let before = loaded.page().clone();
            let page = loaded.page_mut();
            page.change(now, &change);
            page.due = due(&before);
            if page.groups == before.groups && page.due == before.due {
                return Ok(Some(loaded));
            }
            if loaded.save(rows).await? {
                return Ok(Some(loaded));
            }
            let Some(again) = load_page(rows, &loaded.at).await? else { return Ok(None) };
            loaded = again;
        }
        Err(Error::aborted())
    }
}

/// A page, if it exists.
pub(crate) async fn load_page(rows: &impl Rows, at: &PageRef) -> Result<Option<LoadedPage>> {
    Ok(load_pages(rows, std::slice::from_ref(at)).await?.pop())
}

/// The existing pages, in their order, each with its event.
///
/// # Errors
/// The errors of the rows.
pub async fn load_pages(rows: &impl Rows, pages: &[PageRef]) -> Result<Vec<LoadedPage>> {
    let keys = pages.iter().flat_map(|page| [page.key(), page.event_key()]);
    let keys: BTreeSet<RowKey> = keys.collect();
    let keys: Vec<RowKey> = keys.into_iter().collect();
    let mut found: BTreeMap<RowKey, StoredRow> = BTreeMap::new();
    for keys in keys.chunks(AT_ONCE) {
        let stored = rows.load(keys).await?;
        let there = keys.iter().cloned().zip(stored);
        found.extend(there.filter_map(|(key, stored)| Some((key, stored?))));
    }
    let mut loaded = Vec::new();
    for at in pages {
        let Some(event) = found.get(&at.event_key()) else { continue };
        let mut version = event.version.clone();
        let event = PendingEvent::from_row(event.row.clone())?;
        let mut further = None;
        if at.page > 0 {
            let Some(stored) = found.get(&at.key()) else { continue };
            version.clone_from(&stored.version);
            further = Some(Recipients::from_row(stored.row.clone())?);
        }
        loaded.push(LoadedPage { at: at.clone(), event, further, version });
    }
    Ok(loaded)
}

/// The events of these pages for one recipient, if they exist, oldest first.
///
/// # Errors
/// The errors of the rows.
pub async fn activities_of(
    rows: &impl Rows,
    user: &UserId,
    pages: &[PageRef],
) -> Result<Vec<Activity>> {
    let loaded = load_pages(rows, pages).await?;
    let of_user = |page: &LoadedPage| page.activities(|recipient, _| recipient == user);
    let mut activities: Vec<Activity> = loaded.iter().flat_map(of_user).collect();
    activities.sort_by_key(Activity::order);
    Ok(activities)
}
