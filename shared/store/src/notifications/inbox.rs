//! Notifications: added once, and listed by id, document, time and recipient.

mod reader;
mod reading;
mod removal;

use std::collections::{BTreeMap, BTreeSet};

use aws::Item;
use error::Result;
use futures_util::future;
use model::{
    DocumentId, NotificationId, UserId,
    document::Document,
    event::DomainEvent,
    life::{Fate, Stamp, fate},
    notice::Standing,
    notification::{Filter, Notification},
    organization::Organization,
    rights::{Decision, Past},
    visibility::Visibility,
};
use tenancy::{
    layout::{
        Entity, Index, Key, Table, ThreadId, digests_of, for_everybody, for_everybody_in, item,
        linked_to, lives, notification_time, of_document, of_kind,
    },
    prelude::*,
    reading::{At, Collection, List, MAX_PAGE_BYTES, Page, Paged, missing},
    scopes::Currency,
    writing::{Within, no_failure},
};

use crate::{notifications::Notifications, prelude::*};

/// Maximum number of notifications read for one page, where filters drop most of them.
const MAX_SCANNED: usize = 5_000;
/// Notifications read at a time after filtering.
const LEAST_READ: usize = 100;

/// Threads read at a time.
const THREADS_AT_ONCE: usize = 100;

/// The threads a notification is about.
fn threads_of(notification: &Notification) -> Vec<ThreadId> {
    let inside = notification.parts().into_iter();
    let inside = inside.filter_map(|part| Some((part.document_id, part.comment_annotation_id?)));
    let own = notification.thread().map(|id| (notification.document_id.clone(), id));
    inside.chain(own).collect()
}

/// The lists with the fewest notifications that a filter drops.
fn lists(filter: &Filter) -> Vec<List> {
    // Notifications to everybody come last: they are items, not link rows.
    match (&filter.document_id, &filter.user_id) {
        (None, None) => vec![List::Group(Index::Kind, of_kind::<Notification>())],
        (Some(document), None) => vec![
            List::Linked(digests_of(document)),
            List::Group(Index::Container, of_document(document)),
        ],
        (None, Some(user)) => {
            vec![List::Linked(linked_to(user)), List::Group(Index::Target, for_everybody())]
        }
        (Some(document), Some(user)) => vec![
            List::Linked(linked_to(user)),
            List::Group(Index::Actor, for_everybody_in(document)),
        ],
    }
}

/// Where a list begins.
#[derive(Clone, Copy)]
struct ListStart<'a> {
    filter: &'a Filter,
    newest_first: bool,
    /// The end of the page before.
    after: Option<&'a At>,
}

/// A part of a list.
struct NextNotifications {
    found: Vec<(At, Notification)>,
    /// The end of the part, if there are more notifications.
    last: Option<At>,
    /// The size of the part.
    bytes: usize,
}

/// Resources that may be created before a notification is added to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Create {
    /// The organization.
    pub organization: bool,
    /// The document.
    pub document: bool,
}

impl Notifications<'_> {
    /// Notifications.
    pub fn all(self) -> Collection<Notification> {
        self.0.collection()
    }

    /// Adds a notification with its event. An existing one stays unchanged, without another event.
    ///
    /// # Errors
    /// NOT_FOUND when the organization or the document does not exist and may not be created.
    pub async fn add(self, added: &Notification, event: DomainEvent, create: Create) -> Result<()> {
        let (tenant, db) = (self.0.tenant(), self.0.tenant().db());
        let mut unit = self.all().rows().inserted(added, Some(event.clone().into()))?;
        let organization =
            (tenant.partition().clone(), Organization::place(self.0.id()).into_key());
        let document = (self.0.partition().clone(), Document::place(&added.document_id).into_key());
        let own = (self.0.partition().clone(), Notification::place(&added.id).into_key());
        let places = [organization.clone(), document.clone(), own.clone()];
        let found = db.get_across_standing(Table::Resources, places.into(), Currency::Now).await?;
        let at = |(partition, sort): (Key, Key)| (partition.into(), sort.into());
        let (organizations, documents) = (tenant.organizations().all(), self.0.documents().all());
        let now = db.clock().now();
        let mut units = Vec::new();
        let record = organizations.rows().standing(found.get(&at(organization)).cloned())?;
        if let Some(unit) = tenant.organizations().begun(self.0.id(), &found).await? {
            let refused = || missing::<Organization>(self.0.id());
            units.push(create.organization.then_some(unit).ok_or_else(refused)?);
        }
        let implied = Document::implied(added.document_id.clone(), now);
        let within = Within { organization: self.0.id(), life: record.life() };
        if let Some(unit) = documents.begun(&implied, within, &found).await? {
            let refused = || missing::<Document>(&added.document_id);
            units.push(create.document.then_some(unit).ok_or_else(refused)?);
        }
        // A notification of an earlier life of the document is none.
        let life = documents.rows().standing(found.get(&at(document)).cloned())?.within(&record);
        let stands = |own: &Item| {
            let age = lives::age(own).unwrap_or(0);
            item::is_there(own) && fate(Stamp::At(age), &life) == Fate::Here
        };
        match found.get(&at(own)) {
            Some(own) if stands(own) => return Ok(()),
            Some(left) if item::is_there(left) => {
                let version = item::version(left)?;
                unit = self.all().rows().changed(added, &version, Some(event.into()))?;
            }
            _ => {}
        }
        units.push(unit);
        // A refused one was added concurrently.
        no_failure(db.commit_all(units).await)
    }

    /// One page of notifications, by time: those a user may see, or without a user those that
    /// somebody may see, with their names.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(
        self,
        filter: &Filter,
        newest_first: bool,
        page: &Page,
    ) -> Result<Paged<Notification>> {
        let mut after = At::of_cursor(page.cursor())?;
        let mut kept: Vec<(At, Notification)> = Vec::new();
        let (mut scanned, mut bytes) = (0, 0);
        let next = loop {
            let open = page.limit() - kept.len();
            let wanted = if scanned == 0 { open } else { open.max(LEAST_READ) };
            let start = ListStart { filter, newest_first, after: after.as_ref() };
            let next = self.next(start, wanted).await?;
            scanned += wanted;
            bytes += next.bytes;
            kept.extend(self.visible(filter.user_id.as_ref(), next.found).await?);
            let is_full = kept.len() >= page.limit();
            if kept.len() > page.limit() {
                kept.truncate(page.limit());
                break kept.last().map(|(at, _)| at.clone());
            }
            match next.last {
                Some(last) if !is_full && scanned < MAX_SCANNED && bytes < MAX_PAGE_BYTES => {
                    after = Some(last);
                }
                last => break last,
            }
        };
        let next = next.map(|at| page.token(&at.cursor())).transpose()?;
        let items = kept.into_iter().map(|(_, notification)| notification).collect();
        let items = match &filter.user_id {
            Some(user) => self.as_read_by(user, items).await?,
            None => items,
        };
        Ok(Paged { items, next })
    }

    /// The next notifications that pass a filter.
    async fn next(
        self,
        ListStart { filter, newest_first, after }: ListStart<'_>,
        wanted: usize,
    ) -> Result<NextNotifications> {
        let notifications = self.all();
        let Some(ids) = filter.ids.named() else {
            let found =
                notifications.rows().merged(&lists(filter), newest_first, after, wanted).await?;
            let last = found.last.filter(|_| found.more);
            let passing =
                found.items.into_iter().filter(|(_, notification)| filter.admits(notification));
            return Ok(NextNotifications { found: passing.collect(), last, bytes: found.bytes });
        };
        let found = notifications.find_all(ids.iter().cloned()).await?.into_values();
        let place = |found: Notification| {
            let sort = Notification::place(&found.id).into_key().into();
            (At { sort, time: notification_time(&found).into() }, found)
        };
        let is_left = |at: &At| after.is_none_or(|after| at.is_behind(after, newest_first));
        let passing = found.filter(|found| filter.admits(found)).map(place);
        let mut passing: Vec<_> = passing.filter(|(at, _)| is_left(at)).collect();
        passing.sort_by(|(one, _), (other, _)| one.time.cmp(&other.time));
        if newest_first {
            passing.reverse();
        }
        Ok(NextNotifications { found: passing, last: None, bytes: 0 })
    }

    /// The visibility of existing threads.
    async fn visibilities(
        self,
        threads: BTreeSet<ThreadId>,
    ) -> Result<BTreeMap<ThreadId, Visibility>> {
        let (comments, threads) = (self.0.comments(), Vec::from_iter(threads));
        let mut visibilities = BTreeMap::new();
        // Threads are large, so only some are read at a time.
        for some in threads.chunks(THREADS_AT_ONCE) {
            let found = comments.all().find_all(some.iter().cloned()).await?;
            visibilities.extend(found.into_iter().map(|(id, thread)| (id, thread.visibility)));
        }
        Ok(visibilities)
    }

    /// The notifications that a user may see; without a user, those that somebody may see, with the
    /// permitted names. A digest is reduced to its visible part.
    async fn visible(
        self,
        user: Option<&UserId>,
        mut found: Vec<(At, Notification)>,
    ) -> Result<Vec<(At, Notification)>> {
        if found.is_empty() {
            return Ok(found);
        }
        let threads = found.iter().flat_map(|(_, notification)| threads_of(notification)).collect();
        let is_digest = |(_, notification): &&(At, Notification)| !notification.parts().is_empty();
        let documents: BTreeSet<DocumentId> = match user {
            Some(_) => found
                .iter()
                .flat_map(|(_, notification)| notification.documents())
                .cloned()
                .collect(),
            None => found
                .iter()
                .filter(is_digest)
                .flat_map(|(_, notification)| notification.documents())
                .cloned()
                .collect(),
        };
        let users: BTreeSet<UserId> = match user {
            Some(user) => [user.clone()].into(),
            None => {
                let digests = found.iter().filter(is_digest);
                digests.flat_map(|(_, notification)| notification.named()).cloned().collect()
            }
        };
        let folders = BTreeSet::new();
        let rights = async {
            match documents.is_empty() {
                true => Ok(None),
                false => self.0.permissions().facts(&users, &folders, &documents).await.map(Some),
            }
        };
        let (visibilities, rights) = future::try_join(self.visibilities(threads), rights).await?;
        let asked: BTreeSet<UserId> = match user {
            Some(user) => [user.clone()].into(),
            None => found.iter().flat_map(|(_, it)| it.named()).cloned().collect(),
        };
        let members = self.members(&asked, visibilities.values()).await?;
        let reaches = |user: &UserId, document: &DocumentId| {
            let right = rights.as_ref().map(|rights| rights.of_document(user, document));
            matches!(right, Some(Decision::Open(_)))
        };
        let sees = |user: &UserId, thread: &ThreadId| {
            visibilities.get(thread).is_some_and(|it| it.admits(user, members.of(user)))
        };
        // A notification for everybody is not for users whose right ended before.
        let is_for = |user: &UserId, notification: &Notification| {
            let rights = rights.as_ref();
            let standing = rights.map(|it| it.standing(user, &notification.document_id));
            let is_over = matches!(standing, Some(Standing::Public(Past::Ended(end)))
                if end < notification.timestamp);
            !is_over || notification.named().any(|named| named == user)
        };
        found.retain_mut(|(_, notification)| {
            if !notification.parts().is_empty() {
                let readers: Vec<UserId> = match user {
                    Some(user) => vec![user.clone()],
                    None => notification.named().cloned().collect(),
                };
                return notification.retain_parts(|part| {
                    let thread = part.comment_annotation_id.clone();
                    let thread = thread.map(|id| (part.document_id.clone(), id));
                    readers.iter().any(|reader| {
                        reaches(reader, &part.document_id)
                            && thread.as_ref().is_none_or(|thread| sees(reader, thread))
                    })
                }) > 0;
            }
            let thread = notification.thread().map(|id| (notification.document_id.clone(), id));
            match (user, thread) {
                (Some(user), thread) => {
                    let sees = |thread| sees(user, &thread);
                    reaches(user, &notification.document_id)
                        && is_for(user, notification)
                        && thread.is_none_or(sees)
                }
                (None, None) => true,
                (None, Some(thread)) if !visibilities.contains_key(&thread) => false,
                (None, Some(thread)) => {
                    notification.notify_users.retain(|user, _| sees(user, &thread));
                    notification.notify_all || !notification.notify_users.is_empty()
                }
            }
        });
        Ok(found)
    }

    /// The notifications that a user may see, addressed to the user or not.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn seen_by_user(
        self,
        user: &UserId,
        ids: &[NotificationId],
    ) -> Result<BTreeSet<NotificationId>> {
        let filter = Filter { ids: Some(ids.iter().cloned()).into(), ..Filter::default() };
        let start = ListStart { filter: &filter, newest_first: false, after: None };
        let next = self.next(start, ids.len()).await?;
        let seen = self.visible(Some(user), next.found).await?;
        Ok(seen.into_iter().map(|(_, notification)| notification.id).collect())
    }
}
