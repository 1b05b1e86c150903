//! Reading and writing pages of recipients.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::{Millis, UserId};

use crate::{
    AT_ONCE, ATTEMPTS, Activity, ActivityState, Change, Committed, PageRef, PendingEvent,
    RecipientGroup, RecipientPage, Recipients, RowBody, RowKey, Rows, StoredRow, typed::put,
};

/// A page with its version and event.
#[derive(Clone, Debug)]
pub struct LoadedPage {
    /// The page.
    pub at: PageRef,
    /// Its event.
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
/// Those of the rows.
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
/// Those of the rows.
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
