//! Delivery of windows that close together (rules N13, N14): each page of recipients is loaded once
//! and written once for each step, whatever number of windows it is in.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future::join_all;
use model::UserId;

use crate::{
    Activity, ActivityState, Eligibility, LoadedPage, PARALLEL, PageRef, RecipientGroup,
    RecipientPage, Rows, SeenCheck, TenantData, Window, WindowScope,
    notice::{Notice, WindowOrigin},
    page::load_pages,
    publish::publish,
};

/// Pages written at a time: 200 full windows are done well within the time of a function.
const WRITTEN: usize = 24;
/// Pages whose activities are decided on at a time: at least those of a full window.
const DECIDED: usize = crate::MAX_ACTIVITIES;

/// The windows of a recipient's activity, by number. There are several if an interrupted release
/// was repeated after the first one had closed.
type Owners = BTreeMap<PageRef, BTreeMap<UserId, Vec<usize>>>;

/// The outcome of the delivery of windows.
pub(crate) struct Delivered {
    /// Whether each window is delivered, in the order of the windows.
    pub(crate) is_done: Vec<bool>,
    /// The first error of the other windows.
    pub(crate) outcome: Result<()>,
}

/// Delivers the activities of closed windows, except those claimed by others.
pub(crate) async fn deliver(
    rows: &impl Rows,
    tenant: &impl TenantData,
    windows: &[Window],
    scope: WindowScope,
) -> Delivered {
    let (owners, failed) = (owners(windows), BTreeSet::new());
    let mut digests = Digests { windows, owners, failed, outcome: Ok(()) };
    if let Err(error) = digests.deliver(rows, tenant, scope).await {
        return Delivered { is_done: vec![false; windows.len()], outcome: Err(error) };
    }
    let is_done = (0..windows.len()).map(|number| !digests.failed.contains(&number)).collect();
    Delivered { is_done, outcome: digests.outcome }
}

fn owners(windows: &[Window]) -> Owners {
    let mut owners = Owners::new();
    for (number, window) in windows.iter().enumerate() {
        for id in &window.ids {
            let users = owners.entry(id.clone()).or_default();
            for user in &window.users {
                users.entry(user.clone()).or_default().push(number);
            }
        }
    }
    owners
}

/// A recipient on a page.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageRecipient {
    pub(crate) page: PageRef,
    pub(crate) user_id: UserId,
}

/// A recipient of a window, which is given by its number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct WindowRecipient {
    window: usize,
    user_id: UserId,
}

/// Decisions by page and recipient.
pub(crate) type Decided = BTreeMap<PageRecipient, Eligibility>;

/// Windows in delivery.
struct Digests<'a> {
    windows: &'a [Window],
    owners: Owners,
    /// The windows that failed; the others go on.
    failed: BTreeSet<usize>,
    /// The first error.
    outcome: Result<()>,
}

/// Ids of notifications, by window and recipient.
type Published = BTreeMap<WindowRecipient, String>;

impl Digests<'_> {
    async fn deliver(
        &mut self,
        rows: &impl Rows,
        tenant: &impl TenantData,
        scope: WindowScope,
    ) -> Result<()> {
        let ids: Vec<PageRef> = self.owners.keys().cloned().collect();
        let pages = load_pages(rows, &ids).await?;
        let decided = self.decide(tenant, &pages).await;
        let (windows, owners, now) = (self.windows, &self.owners, rows.now());
        let claim = |at: &PageRef, user: &UserId, group: &RecipientGroup| {
            let number = *owners.get(at)?.get(user)?.first()?;
            let recipient = PageRecipient { page: at.clone(), user_id: user.clone() };
            let eligibility = decided.get(&recipient)?;
            let generation = &windows[number].generation;
            let is_open = group.state.is_open();
            is_open.then(|| RecipientPage::decided(group.allowed, eligibility, generation, now))
        };
        let claimed = change(rows, pages, claim).await;
        let pages = self.without_failed(claimed);
        let published = self.publish(rows, tenant, &pages, scope).await;
        let this: &Self = self;
        let record = |at: &PageRef, user: &UserId, group: &RecipientGroup| {
            let window = this.owner(at, user, &group.state)?;
            let recipient = WindowRecipient { window, user_id: user.clone() };
            delivered_state(&group.state, published.get(&recipient)?)
        };
        let recorded = change(rows, pages, record).await;
        self.without_failed(recorded);
        Ok(())
    }

    /// The window that has claimed an activity.
    fn owner(&self, at: &PageRef, user: &UserId, state: &ActivityState) -> Option<usize> {
        let generation = state.generation()?;
        let mut numbers = self.owners.get(at)?.get(user)?.iter().copied();
        numbers.find(|number| self.windows[*number].generation == generation)
    }

    /// Decides on undecided activities, those of a few windows at a time.
    async fn decide(&mut self, tenant: &impl TenantData, pages: &[LoadedPage]) -> Decided {
        let mut left: BTreeMap<&PageRef, &LoadedPage> =
            pages.iter().map(|page| (&page.at, page)).collect();
        let mut decided = Decided::new();
        let mut some: Vec<&LoadedPage> = Vec::new();
        for (number, window) in self.windows.iter().enumerate() {
            some.extend(window.ids.iter().filter_map(|id| left.remove(id)));
            if some.len() < DECIDED && number + 1 < self.windows.len() {
                continue;
            }
            let open = some.iter().flat_map(|page| {
                let owners = self.owners.get(&page.at);
                let is_meant = |user: &UserId, state: &ActivityState| {
                    state.is_open() && owners.is_some_and(|owners| owners.contains_key(user))
                };
                page.activities(is_meant)
            });
            match decide(tenant, open.collect(), SeenCheck::Counts).await {
                Ok(some) => decided.extend(some),
                Err(error) => self.fail(self.of_pages(some.iter().map(|page| &page.at)), error),
            }
            some.clear();
        }
        decided
    }

    /// Publishes what each window has claimed.
    async fn publish(
        &mut self,
        rows: &impl Rows,
        tenant: &impl TenantData,
        pages: &[LoadedPage],
        scope: WindowScope,
    ) -> Published {
        let mut claimed: BTreeMap<usize, Vec<Activity>> = BTreeMap::new();
        for page in pages {
            let is_own =
                |user: &UserId, state: &ActivityState| self.owner(&page.at, user, state).is_some();
            for activity in page.activities(is_own) {
                let number = self.owner(&page.at, &activity.user_id, &activity.state);
                claimed.entry(number.unwrap_or_default()).or_default().push(activity);
            }
        }
        // Activities published before an interruption stay with the rest: a digest is one
        // notification.
        let is_claimed =
            |activity: &Activity| matches!(activity.state, ActivityState::Claimed { .. });
        claimed.retain(|number, all| !self.failed.contains(number) && all.iter().any(is_claimed));
        let mut published = Published::new();
        let mut left: Vec<(usize, Vec<Activity>)> = claimed.into_iter().collect();
        while !left.is_empty() {
            let next = left.drain(..left.len().min(PARALLEL));
            let all =
                next.map(|(number, activities)| {
                    let window = &self.windows[number];
                    async move {
                        (number, publish_window(rows, tenant, window, activities, scope).await)
                    }
                });
            for (number, ids) in join_all(all).await {
                match ids {
                    Ok(ids) => published
                        .extend(ids.into_iter().map(|(user_id, id)| {
                            (WindowRecipient { window: number, user_id }, id)
                        })),
                    Err(error) => self.fail([number], error),
                }
            }
        }
        published
    }

    /// The windows of these pages.
    fn of_pages<'b>(&self, pages: impl IntoIterator<Item = &'b PageRef>) -> BTreeSet<usize> {
        let owners = pages.into_iter().filter_map(|at| self.owners.get(at));
        owners.flat_map(BTreeMap::values).flatten().copied().collect()
    }

    fn fail(&mut self, windows: impl IntoIterator<Item = usize>, error: Error) {
        self.failed.extend(windows);
        if self.outcome.is_ok() {
            self.outcome = Err(error);
        }
    }

    /// The changed pages. A page that could not be changed fails its windows.
    fn without_failed(&mut self, changed: Vec<ChangedPage>) -> Vec<LoadedPage> {
        let mut pages = Vec::new();
        for ChangedPage { at, outcome } in changed {
            match outcome {
                Ok(page) => pages.extend(page),
                Err(error) => self.fail(self.of_pages([&at]), error),
            }
        }
        pages
    }
}

async fn publish_window(
    rows: &impl Rows,
    tenant: &impl TenantData,
    window: &Window,
    activities: Vec<Activity>,
    scope: WindowScope,
) -> Result<BTreeMap<UserId, String>> {
    let Some(closed) = window.closed else { return Ok(BTreeMap::new()) };
    let (opened_at, closed_at, reason) = (window.opened_at, closed.at, closed.reason);
    let origin = WindowOrigin { scope, opened_at, closed_at, reason };
    let notices = Notice::of_claimed(&window.generation, activities, Some(origin));
    publish(rows, tenant, &notices).await
}

/// A page after a change.
struct ChangedPage {
    at: PageRef,
    /// The page, if it still exists, or the reason why it could not be changed.
    outcome: Result<Option<LoadedPage>>,
}

/// Changes states in each page with one write, a few pages at a time.
async fn change(
    rows: &impl Rows,
    mut pages: Vec<LoadedPage>,
    change: impl Fn(&PageRef, &UserId, &RecipientGroup) -> Option<ActivityState> + Sync,
) -> Vec<ChangedPage> {
    let change = &change;
    let mut changed = Vec::new();
    while !pages.is_empty() {
        let all = pages.drain(..pages.len().min(WRITTEN)).map(|page| async move {
            let at = page.at.clone();
            let states = |user: &UserId, group: &RecipientGroup| change(&at, user, group);
            // The row need not be armed for these recipients, but may be for others.
            let outcome = page.change(rows, rows.now(), states, |page| page.due).await;
            ChangedPage { at: at.clone(), outcome }
        });
        changed.extend(join_all(all).await);
    }
    changed
}

/// The state of a claimed activity after its delivery.
pub(crate) fn delivered_state(state: &ActivityState, id: &str) -> Option<ActivityState> {
    let ActivityState::Claimed { generation, at, withheld } = state.clone() else { return None };
    let notification_id = id.to_owned();
    Some(ActivityState::Delivered { generation, notification_id, at, withheld })
}

/// Decides on activities, by page and recipient.
pub(crate) async fn decide(
    tenant: &impl TenantData,
    activities: Vec<Activity>,
    seen: SeenCheck,
) -> Result<Decided> {
    let Some(first) = activities.first() else { return Ok(Decided::new()) };
    let organization = first.organization_id.clone();
    let eligibility = tenant.eligibility(&organization, &activities, seen).await?;
    if eligibility.len() != activities.len() {
        return Err(Error::internal("not every activity was decided on"));
    }
    let recipient = |Activity { page, user_id, .. }: Activity| PageRecipient { page, user_id };
    Ok(activities.into_iter().map(recipient).zip(eligibility).collect())
}
