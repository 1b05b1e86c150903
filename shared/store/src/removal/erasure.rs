//! Erasure of users: jobs, and deletions in an organization. Restartable: finished work is not
//! found again, so a repeated call continues.

use std::collections::BTreeMap;

use aws::{Query, Update, Value, Write};
use error::{Error, Result, Status};
use model::{
    Millis, OrganizationId, UserId,
    activity::Activity,
    comment::{Annotation, ArchivedComment},
    erasure::{ErasureJob, ErasureTask, Forgotten},
    event::Event,
    notification::Notification,
    organization::Organization,
};
use tenancy::{
    layout::{
        EVENTS, EVER, Entity, Index, Key, ThreadId, VERSION, WRITTEN, about, by_actor, involving,
        item, linked_to, named_beside, reacted,
    },
    prelude::*,
    reading::{Collection, new_version},
    scopes::{Deadline, OrganizationStore},
    writing::{Edit, Unit},
};

use super::{items::Purge, purge::Progress};
use crate::{
    features::{Comments, Removal, TenantRemoval},
    prelude::*,
};

/// Items looked at and changed at a time.
const STEP: i32 = 25;

impl TenantRemoval<'_> {
    /// Jobs that erase users.
    pub fn erasures(self) -> Collection<ErasureJob> {
        self.0.collection()
    }

    /// Whether a task is unfinished.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_left(self, task: &ErasureTask) -> Result<bool> {
        let job = self.erasures().find(&task.job_id).await?;
        Ok(job.is_some_and(|job| job.open.contains_key(&task.user_id)))
    }

    /// The next organization of a task.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn next_organization(self, task: &ErasureTask) -> Result<Option<OrganizationId>> {
        let after = task.after.as_ref();
        if let Some(ids) = &task.organization_ids {
            let next = ids.iter().find(|id| after.is_none_or(|after| *id > after));
            return Ok(next.cloned());
        }
        let organizations = self.0.organizations().all();
        let start =
            after.map(|id| item::key(self.0.partition(), &Organization::place(id).into_key()));
        let query = organizations.rows().under(Key::named(Organization::KIND).prefix());
        let (mut found, _) = organizations.rows().fetch(Query { start, ..query }, 1).await?;
        let next = found.pop().map(|item| organizations.rows().decode(item)).transpose()?;
        Ok(next.map(|organization| organization.organization_id))
    }

    /// Marks a task as finished, idempotently. The job no longer names the user.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED.
    pub async fn finish(self, task: &ErasureTask) -> Result<()> {
        let version = new_version()?;
        let names = [
            ("#open", "open"),
            ("#user", task.user_id.as_str()),
            ("#last", "lastTaskCompletedTime"),
            ("#version", VERSION),
            ("#written", WRITTEN),
            // The jobs name users.
            ("#events", EVENTS),
        ];
        let now = self.0.db().clock().now().to_string();
        let values = [(":now", Value::N(now)), (":version", Value::S(version.clone()))];
        let update = Update {
            expression: "SET #last = :now, #written = :now, #version = :version \
                         REMOVE #open.#user, #events"
                .to_owned(),
            condition: Some("attribute_exists(#open.#user)".to_owned()),
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        let key = item::key(self.0.partition(), &ErasureJob::place(&task.job_id).into_key());
        let write = Write::Update { table: ErasureJob::TABLE.name(), key, update };
        let unit = Unit::new(vec![write]).versioned(version);
        self.0.db().commit(unit).await.was_executed().map(drop)
    }
}

impl Removal<'_> {
    /// Deletes the data of a user in the organization, and the user's name from data of others;
    /// stops at `deadline`. `at` is the time of the request.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn erase(self, user: &UserId, at: Millis, deadline: Deadline) -> Result<Progress> {
        let erasing = Erasing { organization: self.0, user, deadline };
        // Tokens need no membership.
        self.0.users().expel(user, at).await?;
        let (organization_id, user_id) = (self.0.id().clone(), user.clone());
        let event = Event::UserDeleted { organization_id, user_id };
        let recordings = self.0.recordings().all();
        let recordings = recordings.rows().during(Index::Actor, &by_actor(user), EVER, false);
        let now = self.0.tenant().db().clock().now();
        let made = Purge { organization: self.0, cutoff: now, free: now, deadline };
        // Remaining link rows have no target.
        let rows = self.items(Some(&linked_to(user)));
        let stale = Purge { organization: self.0, cutoff: at, free: at, deadline };
        let is_done = self.purge(&event, at, deadline).await? == Progress::Done
            && erasing.threads().await? == Progress::Done
            && erasing.activities(Index::Actor, &by_actor(user)).await? == Progress::Done
            && erasing.notifications().await? == Progress::Done
            && made.run(Query { limit: STEP, ..recordings }).await? == Progress::Done
            && stale.run(rows).await? == Progress::Done
            && self.0.notifications().forget_work(user, deadline).await? == Progress::Done
            && self.0.notifications().unlist(user, deadline).await? == Progress::Done;
        Ok(if is_done { Progress::Done } else { Progress::More })
    }
}

/// Ignores missing items.
fn tolerate<T>(result: Result<T>) -> Result<()> {
    match result {
        Err(error) if error.status != Status::NotFound => Err(error),
        _ => Ok(()),
    }
}

struct Erasing<'a> {
    organization: &'a OrganizationStore,
    user: &'a UserId,
    deadline: Deadline,
}

impl Erasing<'_> {
    async fn threads(&self) -> Result<Progress> {
        let beside = named_beside::<Annotation>(self.user);
        for rows in [involving(self.user), reacted(self.user), beside] {
            let comments = self.organization.comments();
            let annotations = comments.all();
            let mut rest = Some(annotations.rows().under(rows.prefix()));
            while let Some(threads) = self.next(annotations, &mut rest).await? {
                // While the thread still leads to its archive.
                for (_, id) in threads.keys() {
                    if self.activities(Index::Target, &about(id.as_str())).await? == Progress::More
                    {
                        return Ok(Progress::More);
                    }
                }
                for id in threads.keys().filter(|id| threads[*id].archive.names(self.user)) {
                    if self.archived(&comments, id).await? == Progress::More {
                        return Ok(Progress::More);
                    }
                }
                let rewritten = threads.into_iter();
                let rewritten =
                    rewritten.filter(|(_, thread)| !thread.archive.names(self.user)).collect();
                self.forget(annotations, rewritten, Annotation::forget).await?;
            }
            if rest.is_some() {
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }

    /// Erases the user from the archive of a thread first, then from the thread: while the thread
    /// names the user, it is found.
    async fn archived(&self, comments: &Comments<'_>, id: &ThreadId) -> Result<Progress> {
        let forget = |comment: &mut ArchivedComment| comment.forget(self.user);
        comments.rewrite(id, self.deadline, forget, |thread| thread.forget(self.user)).await
    }

    async fn activities(&self, index: Index, group: &Key) -> Result<Progress> {
        let activities = self.organization.activities().all();
        let query = activities.rows().during(index, group, EVER, false);
        self.all(&activities, query, Activity::forget).await
    }

    async fn notifications(&self) -> Result<Progress> {
        let notifications = self.organization.notifications().all();
        let named = linked_to(self.user).join(&Key::named(Notification::KIND));
        for rows in [named, named_beside::<Notification>(self.user)] {
            let query = notifications.rows().under(rows.prefix());
            if self.all(&notifications, query, Notification::forget).await? == Progress::More {
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }

    async fn all<E: Entity>(
        &self,
        collection: &Collection<E>,
        query: Query,
        forget: fn(&mut E, &UserId) -> Forgotten,
    ) -> Result<Progress> {
        let mut rest = Some(query);
        while let Some(found) = self.next(collection, &mut rest).await? {
            self.forget(collection, found, forget).await?;
        }
        Ok(if rest.is_none() { Progress::Done } else { Progress::More })
    }

    /// The next results of a query or link rows. None at the end, without a rest, or at the
    /// deadline.
    async fn next<E: Entity>(
        &self,
        collection: &Collection<E>,
        rest: &mut Option<Query>,
    ) -> Result<Option<BTreeMap<E::Id, E>>> {
        let db = self.organization.tenant().db();
        if db.clock().is_past(self.deadline) {
            return Ok(None);
        }
        let Some(query) = rest.take() else { return Ok(None) };
        let found = db.query(Query { limit: STEP, ..query.clone() }).await?;
        let entities: Vec<E> = match query.index {
            None => {
                let followed = collection.rows().follow(&found.items).await?;
                followed.into_iter().map(|(_, entity)| entity).collect()
            }
            Some(_) => {
                let decode = |item| collection.rows().decode(item);
                found.items.into_iter().map(decode).collect::<Result<_>>()?
            }
        };
        *rest = found.next.map(|start| Query { start: Some(start), ..query });
        Ok(Some(entities.into_iter().map(|entity| (entity.id(), entity)).collect()))
    }

    async fn forget<E: Entity>(
        &self,
        collection: &Collection<E>,
        found: BTreeMap<E::Id, E>,
        forget: fn(&mut E, &UserId) -> Forgotten,
    ) -> Result<()> {
        let ids: Vec<E::Id> = found.into_keys().collect();
        let gone = || Error::not_found(format!("There is no such {}.", E::NOUN));
        let edit = |_: usize, stored: Option<E>| {
            let mut entity = stored.ok_or_else(gone)?;
            Ok(match forget(&mut entity, self.user) {
                Forgotten::Unchanged => Edit::keep(entity),
                Forgotten::Changed => Edit::put(entity),
                Forgotten::Gone => Edit::remove(entity),
            })
        };
        collection.edit_all(&ids, edit).await?.into_iter().try_for_each(tolerate)
    }
}
