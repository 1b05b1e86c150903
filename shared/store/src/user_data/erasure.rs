//! Erasure of one user in an organization, as far as rows of the user lead. Restartable: finished
//! work is not found again, so a repeated call continues.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use aws::Query;
use error::Result;
use model::{
    Millis, UserId,
    comment::{ArchivedComment, Thread},
    event::Event,
    life::Life,
    notification::Notification,
    people::Names,
    permissions::Level,
    user::User,
};
use tenancy::{
    layout::{
        EVER, Entity, Index, Key, ThreadId, by_actor, involving, linked_to, named_beside, reacted,
    },
    prelude::*,
    reading::Collection,
    scopes::{Deadline, OrganizationStore},
};

use super::OrganizationUserData;
use crate::{
    comments::Comments,
    deletion::{Of, Progress, Purge},
    prelude::*,
};

/// Maximum duration of a call that began before a deletion, in milliseconds.
const UNDER_WAY: Millis = 2 * 60 * 1000;
/// Items looked at and changed at a time.
const STEP: i32 = 25;

/// A pass of an erasure. The second comes when all calls have ended that were in flight at the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErasurePass {
    /// Right after the request.
    First,
    /// A minute later.
    Second,
}

impl OrganizationUserData<'_> {
    /// Ends all rights of a user in the organization, member or not, also those in tokens: the first
    /// step of an erasure, which was requested at `at`. Where the organization `is_gone`, nobody has a
    /// right, and the membership and the record of ends are removed.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED.
    pub async fn expel(
        self,
        user: &UserId,
        at: Millis,
        is_gone: bool,
        deadline: Deadline,
    ) -> Result<()> {
        if !is_gone {
            return self.0.users().expel(user, at).await;
        }
        let id = (Level::Organization, user.clone());
        let (users, grants) = (self.0.users().all(), self.0.permissions().grants());
        let places = [users.rows().place_of(&id), grants.rows().place_of(&id)].into();
        let found = users.rows().db().get_across(User::TABLE, places).await?;
        self.0
            .deletion()
            .gone(deadline)
            .remove(User::TABLE.name(), found.into_values().collect())
            .await
    }

    /// Deletes the data of a user in the organization, and the user's name from data of others to
    /// which rows of the user lead; stops at `deadline`. `at` is the time of the request. Link rows of
    /// before it belong to calls in flight in the first pass.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn erase(
        self,
        user: &UserId,
        at: Millis,
        pass: ErasurePass,
        deadline: Deadline,
    ) -> Result<Progress> {
        let gone = self.0.deletion().gone(deadline);
        let erasing = Erasing { organization: self.0, user, deadline, gone };
        let (organization_id, user_id) = (self.0.id().clone(), user.clone());
        let event = Event::UserDeleted { organization_id, user_id, since: None };
        let recordings = self.0.recordings().all();
        let recordings = recordings.rows().during(Index::Actor, &by_actor(user), EVER, false);
        let now = self.0.tenant().db().clock().now();
        let up_to = |end, of| Purge {
            organization: self.0,
            of,
            end: Life::after(end),
            deadline,
            found: AtomicBool::default(),
        };
        let (rights, made) = (up_to(now, Of::Erased), up_to(now, Of::User));
        // Remaining link rows have no target, unless their call is in flight.
        let rows = self.0.deletion().items(Some(&linked_to(user)));
        let ended = match pass {
            ErasurePass::First => 0,
            ErasurePass::Second => at,
        };
        let stale = up_to(now.saturating_sub(UNDER_WAY).max(ended), Of::User);
        let is_done = self.0.deletion().purge_with(&rights, &event).await? == Progress::Done
            && erasing.threads().await? == Progress::Done
            && erasing.notifications().await? == Progress::Done
            && made.run(Query { limit: STEP, ..recordings }).await? == Progress::Done
            && stale.run(rows).await? == Progress::Done
            && self.0.notifications().forget_work(user, deadline).await? == Progress::Done
            && self.0.notifications().unlist(user, deadline).await? == Progress::Done;
        Ok(if is_done { Progress::Done } else { Progress::More })
    }
}

struct Erasing<'a> {
    organization: &'a OrganizationStore,
    user: &'a UserId,
    deadline: Deadline,
    /// Deletes what is of no present life.
    gone: Purge<'a>,
}

impl Erasing<'_> {
    async fn threads(&self) -> Result<Progress> {
        let beside = named_beside::<Thread>(self.user);
        for rows in [involving(self.user), reacted(self.user), beside] {
            let comments = self.organization.comments();
            let annotations = comments.all();
            let mut rest = Some(annotations.rows().under(rows.prefix()));
            while let Some(threads) = self.next(annotations, &mut rest).await? {
                for id in threads.keys().filter(|id| threads[*id].archive.names(self.user)) {
                    if self.archived(&comments, id).await? == Progress::More {
                        return Ok(Progress::More);
                    }
                }
                if self.forget(annotations, threads).await? == Progress::More {
                    return Ok(Progress::More);
                }
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

    async fn notifications(&self) -> Result<Progress> {
        let notifications = self.organization.notifications().all();
        let named = linked_to(self.user).join(&Key::named(Notification::KIND));
        for rows in [named, named_beside::<Notification>(self.user)] {
            let query = notifications.rows().under(rows.prefix());
            let mut rest = Some(query);
            while let Some(found) = self.next(&notifications, &mut rest).await? {
                if self.forget(&notifications, found).await? == Progress::More {
                    return Ok(Progress::More);
                }
            }
            if rest.is_some() {
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }

    /// The items that the next link rows lead to, of whatever life. None at the end, without a rest,
    /// or at the deadline.
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
        let targets = collection.rows().links().targets(&found.items).await?.into_iter();
        let entities = targets.map(|item| {
            let entity = collection.rows().decode(item)?;
            Ok((entity.id(), entity))
        });
        let entities = entities.collect::<Result<_>>()?;
        *rest = found.next.map(|start| Query { start: Some(start), ..query });
        Ok(Some(entities))
    }

    async fn forget<E: Entity>(
        &self,
        collection: &Collection<E>,
        found: BTreeMap<E::Id, E>,
    ) -> Result<Progress> {
        let ids: Vec<E::Id> = found.into_keys().collect();
        self.gone.forget(collection, &ids, |_, it| it.forget(self.user)).await
    }
}
