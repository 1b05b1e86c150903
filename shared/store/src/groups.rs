//! Members of user groups. Every write holds only while the group exists, and only users of the
//! organization join, so nobody is left in a group that was deleted meanwhile.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use aws::{BatchWrite, Write};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{
    GroupId, UserId,
    access::Level,
    group::{Group, GroupMember},
    user::User,
};

use crate::{
    collection::{missing, new_version},
    commit::{Unit, present},
    entity::Entity,
    item,
    scope::OrganizationStore,
};

/// Groups whose members are read at once.
const AT_ONCE: usize = 8;

impl OrganizationStore {
    /// Lets users join a group; answers for each, in order of the ids, which are distinct.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn join(&self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let (members, users) = (self.group_members(), self.users());
        let unit = |user: &UserId| {
            let version = new_version()?;
            let member = GroupMember { group_id: group.clone(), user_id: user.clone() };
            let item = members.encode(&member, &version)?;
            let join = Write::Put { table: GroupMember::TABLE.name(), item, condition: None };
            let user = users.exists(&(Level::Organization, user.clone()));
            let writes = vec![self.groups().exists(group), user, join];
            Ok(Unit { writes, version: Some(version) })
        };
        let gone = AtomicBool::new(false);
        let refused = |user: &UserId, position| {
            gone.fetch_or(position == 0, Relaxed);
            missing::<User>(&(Level::Organization, user.clone()))
        };
        let joined = members.commit_each(ids, unit, refused).await;
        if gone.load(Relaxed) { Err(missing::<Group>(group)) } else { Ok(joined) }
    }

    /// Lets users leave a group; answers for each, in order of the ids, which are distinct.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn leave(&self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let members = self.group_members();
        let unit = |user: &UserId| {
            let mut unit = members.deleted(&(group.clone(), user.clone()), None, present())?;
            unit.writes.insert(0, self.groups().exists(group));
            Ok(unit)
        };
        let gone = AtomicBool::new(false);
        let refused = |user: &UserId, position| {
            gone.fetch_or(position == 0, Relaxed);
            Error::not_found(format!("The user {user} is not in the user group {group}."))
        };
        let left = members.commit_each(ids, unit, refused).await;
        if gone.load(Relaxed) { Err(missing::<Group>(group)) } else { Ok(left) }
    }

    /// Lets everybody leave a group; answers for each who was in it.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group; RESOURCE_EXHAUSTED when it is too large.
    pub async fn leave_all(&self, group: &GroupId) -> Result<Vec<(UserId, Result<()>)>> {
        self.groups().get(group).await?;
        let members = self.group_members().of_group(group).await?;
        let delete = |member: &GroupMember| {
            BatchWrite::Delete(item::key(&self.partition, &GroupMember::place(&member.id()).0))
        };
        let writes = members.iter().map(delete).collect();
        let left = self.tenant.db.write_all(GroupMember::TABLE, writes).await;
        Ok(members.into_iter().map(|member| member.user_id).zip(left).collect())
    }

    /// Those of the users who are in one of the groups.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members_among(
        &self,
        groups: &BTreeSet<GroupId>,
        users: &BTreeSet<UserId>,
    ) -> Result<BTreeSet<UserId>> {
        let of = |group: &GroupId| users.iter().map(|id| (group.clone(), id.clone())).collect();
        let pairs = groups.iter().flat_map(|group| -> Vec<_> { of(group) });
        let found = self.group_members().find_all(pairs).await?;
        Ok(found.into_keys().map(|(_, user)| user).collect())
    }

    /// Groups with their members.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when one is too large.
    pub async fn with_members(&self, groups: Vec<Group>) -> Result<Vec<(Group, Vec<UserId>)>> {
        let read = stream::iter(groups).map(|group| async move {
            let members = self.group_members().of_group(&group.group_id).await?;
            let ids = members.into_iter().map(|member| member.user_id);
            Ok::<_, Error>((group, ids.collect()))
        });
        read.buffered(AT_ONCE).try_collect().await
    }
}
