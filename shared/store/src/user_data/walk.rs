//! Erasure of the users of a job from what no row of a user leads to: looked through once for all of
//! them. An interrupted walk continues at its position.

use std::collections::{BTreeMap, BTreeSet};

use aws::{BatchWrite, Item, Query};
use error::Result;
use model::{
    UserId,
    activity::Activity,
    comment::{ArchivedComment, Thread},
    document::Document,
    notification::Notification,
    organization::Organization,
    people::{Forgotten, Names},
    user_data::{WalkPart, WalkPlace},
};
use tenancy::{
    layout::{EVER, Entity, Index, Key, linked_to, named_beside, of_kind},
    prelude::*,
    reading::{Collection, cursor, sort_name, start_key},
    scopes::{Deadline, OrganizationStore, place_of},
};

use super::OrganizationUserData;
use crate::{
    comments::Comments,
    deletion::{Progress, Purge},
    prelude::*,
};

/// Items looked at at a time.
const STEP: i32 = 100;
/// Threads looked at at a time: each may have an archive.
const THREADS: i32 = 5;

impl OrganizationUserData<'_> {
    /// Erases users from the custom members of the organization and its documents, from activities,
    /// also immutable ones, and from what names too many people for a row each; stops at `deadline`
    /// and sets `place` to the continuation.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn walk(
        self,
        users: &BTreeSet<UserId>,
        place: &mut WalkPlace,
        deadline: Deadline,
    ) -> Result<Progress> {
        let walk =
            Walk { organization: self.0, users, deadline, gone: self.0.deletion().gone(deadline) };
        loop {
            if walk.part(place).await? == Progress::More {
                return Ok(Progress::More);
            }
            match place.part.next() {
                Some(part) => *place = WalkPlace { part, behind: None },
                None => return walk.end().await.map(|()| Progress::Done),
            }
        }
    }
}

struct Walk<'a> {
    organization: &'a OrganizationStore,
    users: &'a BTreeSet<UserId>,
    deadline: Deadline,
    /// Deletes what is of no present life.
    gone: Purge<'a>,
}

/// Items of a page with their entities.
type Found<E> = Vec<(Item, E)>;

impl Walk<'_> {
    async fn part(&self, place: &mut WalkPlace) -> Result<Progress> {
        let behind = &mut place.behind;
        let (organization, tenant) = (self.organization, self.organization.tenant());
        let (documents, activities) =
            (organization.documents().all(), organization.activities().all());
        let comments = organization.comments();
        let (threads, notifications) = (comments.all(), organization.notifications().all());
        match place.part {
            WalkPart::Record => {
                let id = organization.id().clone();
                self.forget(&tenant.organizations().all(), &[id]).await
            }
            WalkPart::Documents => {
                let query = documents.rows().under(Key::named(Document::KIND).prefix());
                self.through(&documents, query, behind).await
            }
            WalkPart::Activities => {
                let group = of_kind::<Activity>();
                let query = activities.rows().during(Index::Kind, &group, EVER, false);
                self.through(&activities, query, behind).await
            }
            WalkPart::CrowdedThreads => {
                let rows = named_beside::<Thread>(&UserId::crowd());
                let query = threads.rows().under(rows.prefix());
                self.through_threads(query, false, behind).await
            }
            WalkPart::CrowdedNotifications => {
                let rows = named_beside::<Notification>(&UserId::crowd());
                let query = notifications.rows().under(rows.prefix());
                self.through(&notifications, query, behind).await
            }
            WalkPart::Threads | WalkPart::Notifications if self.finds_people().await? => {
                Ok(Progress::Done)
            }
            WalkPart::Threads => {
                let group = of_kind::<Thread>();
                let query = threads.rows().during(Index::Kind, &group, EVER, false);
                self.through_threads(query, true, behind).await
            }
            WalkPart::Notifications => {
                let group = of_kind::<Notification>();
                let query = notifications.rows().during(Index::Kind, &group, EVER, false);
                let query = Query { limit: STEP, ..query };
                loop {
                    let before = behind.clone();
                    let Some(found) = self.next(&notifications, &query, behind).await? else {
                        return Ok(Progress::More);
                    };
                    if self.relink(&notifications, found).await? == Progress::More {
                        *behind = before;
                        return Ok(Progress::More);
                    }
                    if behind.is_none() {
                        return Ok(Progress::Done);
                    }
                }
            }
        }
    }

    /// Erases the users from the results of a query.
    async fn through<E: Entity>(
        &self,
        collection: &Collection<E>,
        query: Query,
        behind: &mut Option<[String; 3]>,
    ) -> Result<Progress> {
        let query = Query { limit: STEP, ..query };
        loop {
            let before = behind.clone();
            let Some(found) = self.next(collection, &query, behind).await? else {
                return Ok(Progress::More);
            };
            let named = found.into_iter().filter(|(_, entity)| self.names(entity));
            let named: Vec<E::Id> = named.map(|(_, entity)| entity.id()).collect();
            if self.forget(collection, &named).await? == Progress::More {
                *behind = before;
                return Ok(Progress::More);
            }
            if behind.is_none() {
                return Ok(Progress::Done);
            }
        }
    }

    /// Erases the users from threads, which may have an archive. Of `all` threads, also archives
    /// that do not say whom they name are read, and missing rows are written.
    async fn through_threads(
        &self,
        query: Query,
        all: bool,
        behind: &mut Option<[String; 3]>,
    ) -> Result<Progress> {
        let comments = self.organization.comments();
        let query = Query { limit: THREADS, ..query };
        loop {
            let before = behind.clone();
            let Some(found) = self.next(comments.all(), &query, behind).await? else {
                return Ok(Progress::More);
            };
            if self.forget_threads(&comments, found, all).await? == Progress::More {
                *behind = before;
                return Ok(Progress::More);
            }
            if behind.is_none() {
                return Ok(Progress::Done);
            }
        }
    }

    /// The next results of a query, or of what its link rows lead to, of whatever life, and their
    /// continuation; none at the deadline.
    async fn next<E: Entity>(
        &self,
        collection: &Collection<E>,
        query: &Query,
        behind: &mut Option<[String; 3]>,
    ) -> Result<Option<Found<E>>> {
        let db = self.organization.tenant().db();
        if db.clock().is_past(self.deadline) {
            return Ok(None);
        }
        let start = behind.as_ref().map(|behind| start_key(query, behind)).transpose()?;
        let query = Query { start, limit: query.limit.max(1), ..query.clone() };
        let found = db.query_everything(query.clone()).await?;
        let next = found.next.map(|next| {
            let keys = cursor(&next, sort_name(&query)).into_iter().map(str::to_owned);
            keys.collect::<Vec<String>>()
        });
        let items = match is_of_links(&query) {
            true => collection.rows().links().targets(&found.items).await?,
            false => found.items,
        };
        let decode = |item: Item| Ok((item.clone(), collection.rows().decode(item)?));
        let entities = items.into_iter().map(decode).collect::<Result<_>>()?;
        *behind = next.and_then(|keys| <[String; 3]>::try_from(keys).ok());
        Ok(Some(entities))
    }

    fn names(&self, entity: &(impl Names + Clone)) -> bool {
        entity.found().users().any(|user| self.users.contains(user))
    }

    fn forget_in(&self, entity: &mut (impl Names + Clone)) -> Forgotten {
        let mut done = Forgotten::Unchanged;
        for user in entity.found().users().filter(|user| self.users.contains(*user)) {
            match entity.forget(user) {
                Forgotten::Unchanged => {}
                Forgotten::Changed => done = Forgotten::Changed,
                Forgotten::Gone => return Forgotten::Gone,
            }
        }
        done
    }

    async fn forget<E: Entity>(
        &self,
        collection: &Collection<E>,
        ids: &[E::Id],
    ) -> Result<Progress> {
        self.gone.forget(collection, ids, |_, entity| self.forget_in(entity)).await
    }

    async fn forget_threads(
        &self,
        comments: &Comments<'_>,
        found: Found<Thread>,
        all: bool,
    ) -> Result<Progress> {
        let (mut named, mut rows) = (Vec::new(), Vec::new());
        for (item, thread) in found {
            let names = |user: &UserId| thread.archive.names(user);
            let is_archived = thread.archive.count > 0 && (all || self.users.iter().any(names));
            // A thread of no present life is not rewritten, and goes with its archive.
            if is_archived || self.names(&thread) {
                named.push(thread.id());
            }
            if is_archived {
                let rewrite = |comment: &mut ArchivedComment| self.forget_in(comment);
                let finish = |thread: &mut Thread| self.forget_in(thread);
                let id = thread.id();
                let rewritten = comments.rewrite(&id, self.deadline, rewrite, finish).await?;
                if rewritten == Progress::More {
                    return Ok(Progress::More);
                }
            } else if all {
                rows.extend(comments.all().rows().links().linked(&item)?);
            }
        }
        let erased: Vec<String> = self.users.iter().map(|user| linked_to(user).prefix()).collect();
        rows.retain(|row| {
            let (_, sort) = place_of(row);
            !erased.iter().any(|own| sort.starts_with(own.as_str()))
        });
        let rows = rows.into_iter().map(BatchWrite::Put).collect();
        let written = self.organization.tenant().db().write_all(Thread::TABLE, rows).await;
        written.into_iter().collect::<Result<Vec<()>>>()?;
        // A thread that goes takes its rows along.
        self.forget(comments.all(), &named).await
    }

    /// Erases the users from notifications, and writes those again that do not list their rows.
    async fn relink(
        &self,
        notifications: &Collection<Notification>,
        found: Found<Notification>,
    ) -> Result<Progress> {
        let mut unlisted = BTreeMap::new();
        for (item, notification) in found {
            let listed = notifications.rows().links().links_of(&item)?;
            let links = notification.links().into_iter().map(|link| String::from(link.into_key()));
            let is_listed = links.into_iter().all(|link| listed.contains(&link));
            if !is_listed || self.names(&notification) {
                unlisted.insert(notification.id(), is_listed);
            }
        }
        let ids: Vec<_> = unlisted.keys().cloned().collect();
        let forget = |n: usize, it: &mut Notification| match self.forget_in(it) {
            Forgotten::Unchanged if !unlisted[&ids[n]] => Forgotten::Changed,
            done => done,
        };
        self.gone.forget(notifications, &ids, forget).await
    }

    async fn finds_people(&self) -> Result<bool> {
        let organizations = self.organization.tenant().organizations().all();
        let record = organizations.find(self.organization.id()).await?;
        Ok(record.is_some_and(|record| record.finds_people))
    }

    /// Notes that everybody is found now.
    async fn end(&self) -> Result<()> {
        let organizations = self.organization.tenant().organizations().all();
        let note = |record: &mut Organization| match record.finds_people {
            true => Forgotten::Unchanged,
            false => {
                record.finds_people = true;
                Forgotten::Changed
            }
        };
        let id = [self.organization.id().clone()];
        self.gone.forget(&organizations, &id, |_, record| note(record)).await.map(drop)
    }
}

/// Whether a query finds link rows.
fn is_of_links(query: &Query) -> bool {
    query.prefix.as_ref().is_some_and(|(_, prefix)| prefix.starts_with("link#"))
}
