//! Members of user groups. Membership in a group is stored in the user's membership in the
//! organization, with the life of the group; rights and mentions follow from that. The row of the
//! member lists them, and is written together with it.

mod entries;
mod mentioned;

use std::collections::BTreeSet;

use aws::{Query, Value, Write};
use error::{Error, Result, Status};
use futures_util::{StreamExt, TryStreamExt, future::try_join, stream};
use model::{
    GroupId, UserId,
    event::Event,
    life::Life,
    permissions::Level,
    rights::Joined,
    user::User,
    user_group::{Group, GroupMember},
};
use tenancy::{
    layout::{Entity, Key, in_group, item},
    prelude::*,
    reading::{Collection, MAX_PAGE_BYTES, Page, Paged, existing, missing},
    scopes::{ATTEMPTS, Found, OrganizationStore, PARALLEL, back_off, place_of},
    writing::{Edit, Unit, Within, unchanged},
};

use crate::{
    prelude::*,
    room::{Limit, give_room, take_room},
};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// User groups and their members.
    user_groups: UserGroups,
}

impl UserGroups<'_> {
    /// All groups.
    pub fn all(self) -> Collection<Group> {
        self.0.collection()
    }

    /// Members of the groups.
    pub fn members(self) -> Collection<GroupMember> {
        self.0.collection()
    }
}

/// A group and the ids of its members.
pub type GroupWithMembers = (Group, Vec<UserId>);

impl UserGroups<'_> {
    /// Adds groups with distinct ids in the organization's life; returns a result for each. An
    /// existing one takes the new name, if there is one.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn add(self, added: &[Group], organization: Life) -> Result<Vec<Result<()>>> {
        let mut results: Vec<Option<Result<()>>> = added.iter().map(|_| None).collect();
        for attempt in 0..ATTEMPTS {
            let open: Vec<usize> = (0..added.len()).filter(|n| results[*n].is_none()).collect();
            let groups: Vec<Group> = open.iter().map(|n| added[*n].clone()).collect();
            let again = self.add_or_rename(&groups, organization).await?;
            open.into_iter().zip(again).for_each(|(n, result)| results[n] = result);
            if results.iter().all(Option::is_some) {
                break;
            }
            back_off(attempt).await;
        }
        let aborted = || Err(Error::aborted());
        Ok(results.into_iter().map(|result| result.unwrap_or_else(aborted)).collect())
    }

    /// None for a group that existed and was deleted before it took its name.
    async fn add_or_rename(
        self,
        added: &[Group],
        organization: Life,
    ) -> Result<Vec<Option<Result<()>>>> {
        let groups = self.all();
        let within = Within { organization: self.0.id(), life: organization };
        let refused = |group: &Group, _| existing::<Group>(&group.group_id);
        let begun = groups.begin_all(added, within, &Found::new(), |_| vec![], refused).await;
        let mut results: Vec<Option<Result<()>>> = begun.into_iter().map(Some).collect();
        let is_there = |n: &usize| match &results[*n] {
            Some(Err(error)) => error.status == Status::AlreadyExists,
            Some(Ok(())) | None => false,
        };
        let known: Vec<usize> = (0..added.len()).filter(is_there).collect();
        let ids = Vec::from_iter(known.iter().map(|n| added[*n].group_id.clone()));
        let rename = |n: usize, group: &mut Group| {
            model::set_some(&mut group.group_name, added[known[n]].group_name.clone());
            Ok(None)
        };
        let renamed = groups.change_all(&ids, rename).await?;
        for (n, renamed) in known.iter().zip(renamed) {
            results[*n] = match renamed {
                Err(error) if error.status == Status::NotFound => None,
                renamed => Some(renamed.map(drop)),
            };
        }
        Ok(results)
    }

    /// Deletes groups with distinct ids; returns a result for each.
    pub async fn delete(self, ids: &[GroupId]) -> Vec<Result<()>> {
        let event = |id: &GroupId| {
            let (organization_id, group_id) = (self.0.id().clone(), id.clone());
            Some(Event::GroupDeleted { organization_id, group_id })
        };
        self.all().end_all(ids, event).await
    }

    /// Adds users to a group; returns a result for each, in the order of the ids, which are
    /// distinct. The group stands in the membership of the user as well, from which rights follow:
    /// one write has both.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn join(self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let (members, users) = (self.members(), self.0.users().all());
        let life = self.all().get(group).await?.since;
        let room = take_room(&members, &limit(group, life), ids.len()).await?;
        let now = self.0.tenant().db().clock().now();
        // Users who take room: members of the group do not.
        let mut taking = BTreeSet::new();
        let join = |n: usize, found: Option<User>| {
            let user_id = &ids[n];
            let id = (Level::Organization, user_id.clone());
            let mut user = found.ok_or_else(|| missing::<User>(&id))?;
            // The group ended with an earlier life of the organization since this call has read it.
            if user.life > life {
                return Err(missing::<Group>(group));
            }
            // A later life is of a group that was added again since.
            if user.groups.get(group).is_some_and(|joined| joined.of >= life) {
                return Ok(Edit::keep(user));
            }
            if !taking.contains(&n) && taking.len() == room {
                return Err(full(group));
            }
            if user.groups.len() >= MAX_GROUPS && !user.groups.contains_key(group) {
                return Err(Error::exhausted(format!(
                    "The user {user_id} is in the maximum number of user groups: {MAX_GROUPS}."
                )));
            }
            taking.insert(n);
            let at = user.in_membership(now);
            user.groups.insert(group.clone(), Joined { of: life, at });
            let (group_id, user_id) = (group.clone(), user_id.clone());
            Ok(Edit::put(user).and_put(GroupMember { group_id, user_id, given: at, life }))
        };
        let results = users.edit_all(&members_at(ids), join).await?;
        let used = taking.iter().filter(|n| results[**n].is_ok()).count();
        give_room(&members, &limit(group, life), room - used).await;
        Ok(results.into_iter().map(|result| result.map(drop)).collect())
    }

    /// Removes users from a group; returns a result for each, in the order of the ids, which are
    /// distinct.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn leave(self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let life = self.all().get(group).await?.since;
        let leave = |n: usize, found: Option<User>| {
            let mut user = found.ok_or_else(|| no_member(group, &ids[n]))?;
            if !user.is_in(group, life) {
                return Err(no_member(group, &ids[n]));
            }
            user.groups.remove(group);
            Ok(Edit::put(user).and_remove::<GroupMember>((group.clone(), ids[n].clone())))
        };
        let results = self.0.users().all().edit_all(&members_at(ids), leave).await?;
        let left = results.iter().filter(|result| result.is_ok()).count();
        give_room(&self.members(), &limit(group, life), left).await;
        Ok(results.into_iter().map(|result| result.map(drop)).collect())
    }

    /// Removes all users from a group, or as many as a reply has room for; returns a result for
    /// each member, and whether others remain.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn leave_all(self, group: &GroupId) -> Result<(Vec<(UserId, Result<()>)>, bool)> {
        let members = self.members();
        let (found, more) =
            members.rows().fetch(members.rows().under(members_of(group)), MAX_MEMBERS).await?;
        let versions: Vec<String> = found.iter().map(item::version).collect::<Result<_>>()?;
        let found = found.into_iter().map(|item| members.rows().decode(item));
        let ids = found.map(|member: Result<GroupMember>| Ok(member?.user_id));
        let ids: Vec<UserId> = ids.collect::<Result<_>>()?;
        let mut results = self.leave(group, &ids).await?;
        // Rows of users who have left the organization, until the clean-up is there. A row that was
        // written since is of one who has joined again.
        let is_left =
            |n: &usize| matches!(&results[*n], Err(error) if error.status == Status::NotFound);
        let left: Vec<usize> = (0..ids.len()).filter(is_left).collect();
        let delete = |n: &usize| {
            let place = GroupMember::place(&(group.clone(), ids[*n].clone())).into_key();
            let (table, key) = (GroupMember::TABLE.name(), item::key(self.0.partition(), &place));
            let condition = Some(unchanged(&versions[*n]));
            Unit::new(vec![Write::Delete { table, key, condition }])
        };
        let deleted = self.0.tenant().db().commit_all(left.iter().map(delete).collect()).await;
        let deleted = deleted.into_iter().map(|outcome| outcome.was_executed().map(drop));
        left.into_iter().zip(deleted).for_each(|(n, deleted)| results[n] = deleted);
        Ok((ids.into_iter().zip(results).collect(), more))
    }

    /// The users who are in one of the groups.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members_among(
        self,
        groups: &BTreeSet<GroupId>,
        users: &BTreeSet<UserId>,
    ) -> Result<BTreeSet<UserId>> {
        if groups.is_empty() || users.is_empty() {
            return Ok(BTreeSet::new());
        }
        let memberships = users.iter().map(|id| (Level::Organization, id.clone()));
        let (all, members) = (self.all(), self.0.users().all());
        let reads = try_join(all.find_all(groups.iter().cloned()), members.find_all(memberships));
        let (groups, users) = reads.await?;
        let is_in = |user: &User| groups.values().any(|it| user.is_in(&it.group_id, it.since));
        Ok(users.into_values().filter(is_in).map(|user| user.user_id).collect())
    }

    /// One page of the groups with their members, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(self, page: &Page) -> Result<Paged<GroupWithMembers>> {
        let groups = self.all();
        let mut query = groups.rows().under(format!("{}#", Group::KIND));
        if let Some(after) = page.cursor().and_then(<[String]>::first) {
            let sort = Value::S(after.clone());
            let own = Value::S(self.0.partition().as_str().to_owned());
            query.start = Some([(item::PK.to_owned(), own), (item::SK.to_owned(), sort)].into());
        }
        let mut found = Vec::new();
        let extent = self.read(query, page.limit(), &mut found).await?;
        let next = match found.last() {
            // Sorts behind every member: no id contains a higher character.
            Some((last, _)) if extent == Extent::Part => {
                Some(page.token(&[&format!("{}{}", members_of(&last.group_id), char::MAX)])?)
            }
            _ => None,
        };
        Ok(Paged { items: found, next })
    }

    /// One page of the existing groups with their members, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find(
        self,
        ids: BTreeSet<GroupId>,
        page: &Page,
    ) -> Result<Paged<GroupWithMembers>> {
        let after = page.cursor().and_then(<[String]>::first);
        let remaining =
            ids.into_iter().filter(|id| after.is_none_or(|after| id.as_str() > after.as_str()));
        let read = stream::iter(remaining).map(|id| async move {
            let query = self.all().rows().under(in_group(&id).prefix());
            let mut found = Vec::new();
            self.read(query, 1, &mut found).await?;
            Ok::<_, Error>(found)
        });
        let found: Vec<Vec<GroupWithMembers>> = read.buffered(PARALLEL).try_collect().await?;
        let mut items: Vec<GroupWithMembers> = found.into_iter().flatten().collect();
        let more = items.len() > page.limit();
        items.truncate(page.limit());
        let next = match items.last() {
            Some((last, _)) if more => Some(page.token(&[last.group_id.as_str()])?),
            _ => None,
        };
        Ok(Paged { items, next })
    }

    /// Reads up to `limit` whole groups.
    async fn read(
        self,
        mut query: Query,
        limit: usize,
        found: &mut Vec<GroupWithMembers>,
    ) -> Result<Extent> {
        let (groups, members) = (self.all(), self.members());
        let mut bytes = 0;
        loop {
            query.limit = i32::try_from(limit + 1).unwrap_or(i32::MAX).max(100);
            let read = self.0.tenant().db().query(query.clone()).await?;
            for row in read.items {
                bytes += item::size(&row);
                if is_head(&place_of(&row).1) {
                    if found.len() == limit {
                        return Ok(Extent::Part);
                    }
                    found.push((groups.rows().decode(row)?, Vec::new()));
                    continue;
                }
                let member = members.rows().decode(row)?;
                // The members of a group in deletion have lost their head.
                if let Some((group, ids)) = found.last_mut()
                    && group.group_id == member.group_id
                {
                    ids.push(member.user_id);
                }
            }
            query.start = read.next;
            if query.start.is_none() {
                return Ok(Extent::All);
            }
            // The first group is read whole: its size is limited.
            if bytes > MAX_PAGE_BYTES && found.len() > 1 {
                // The last one may be incomplete; the next page starts with it.
                found.pop();
                return Ok(Extent::Part);
            }
        }
    }
}

/// How much of what a query finds was read.
#[derive(PartialEq, Eq)]
enum Extent {
    All,
    Part,
}

/// Whether a sort key is that of a group itself: `group#G#group`; members have one more pair.
fn is_head(sort: &str) -> bool {
    sort.split('#').count() == 3
}

/// Prefix of the sort keys of a group's members.
pub(crate) fn members_of(group: &GroupId) -> String {
    in_group(group).join(&Key::named("user")).prefix()
}

/// Maximum number of members of one group: a reply has room for them.
const MAX_MEMBERS: usize = 10_000;

/// Maximum number of groups of one user: they stand in the membership, which each call of the user
/// reads.
pub(super) const MAX_GROUPS: usize = 100;

/// The memberships of users in the organization.
fn members_at(ids: &[UserId]) -> Vec<(Level, UserId)> {
    ids.iter().map(|id| (Level::Organization, id.clone())).collect()
}

fn no_member(group: &GroupId, user: &UserId) -> Error {
    Error::not_found(format!("The user {user} is not in the user group {group}."))
}

/// The limit in a life of the group.
fn limit(group: &GroupId, life: Life) -> Limit {
    let counter = counter_of(group).join(&Key::named("members"));
    let prefix = members_of(group);
    Limit { table: GroupMember::TABLE, counter, most: MAX_MEMBERS, prefix, life }
}

/// Key of the count of a group's members.
pub(crate) fn counter_of(group: &GroupId) -> Key {
    Key::pair("group-count", group.as_str())
}

fn full(group: &GroupId) -> Error {
    let most = MAX_MEMBERS;
    Error::exhausted(format!("The user group {group} has the maximum number of users: {most}."))
}
