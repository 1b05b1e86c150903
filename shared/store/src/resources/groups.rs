//! Members of user groups. Every write is conditional on the group in its life, and only users of
//! the organization join, so no member of a deleted group remains.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use aws::{BatchWrite, Query, Value, Write};
use error::{Error, Result, Status};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{
    GroupId, UserId,
    access::Level,
    event::Event,
    group::{Group, GroupMember},
    life::Life,
    user::User,
};
use tenancy::{
    layout::{Entity, Key, in_group, item},
    prelude::*,
    reading::{MAX_PAGE_BYTES, Page, Paged, existing, missing, new_version},
    scopes::{Found, PARALLEL, place_of},
    writing::{Unit, Within, not_in, present},
};

use super::room::Limit;
use crate::{
    features::Groups,
    prelude::*,
    resources::{give_room, take_room},
};

/// A group and the ids of its members.
pub type GroupWithMembers = (Group, Vec<UserId>);

impl Groups<'_> {
    /// Adds groups with distinct ids in the organization's life; returns a result for each. An
    /// existing one takes the new name, if there is one.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn add(self, added: &[Group], organization: Life) -> Result<Vec<Result<()>>> {
        let groups = self.all();
        let within = Within { organization: self.0.id(), life: organization };
        let refused = |group: &Group, _| existing::<Group>(&group.group_id);
        let mut results = groups.begin_all(added, within, &Found::new(), |_| vec![], refused).await;
        let is_there = |n: &usize| match &results[*n] {
            Err(error) => error.status == Status::AlreadyExists,
            Ok(()) => false,
        };
        let known: Vec<usize> = (0..added.len()).filter(is_there).collect();
        let ids: Vec<GroupId> = known.iter().map(|n| added[*n].group_id.clone()).collect();
        let rename = |n: usize, group: &mut Group| {
            model::set_some(&mut group.group_name, added[known[n]].group_name.clone());
            Ok(None)
        };
        let renamed = groups.change_all(&ids, rename).await?;
        for (n, renamed) in known.iter().zip(renamed) {
            results[*n] = renamed.map(drop);
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
    /// distinct.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn join(self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let (members, users) = (self.members(), self.0.users().all());
        let life = self.all().get(group).await?.since;
        let room = take_room(&members, &limit(group, life), ids.len()).await?;
        let known = match room < ids.len() {
            true => self.members_of_full(group, ids).await?,
            false => BTreeSet::new(),
        };
        let new: Vec<UserId> = ids.iter().filter(|id| !known.contains(*id)).cloned().collect();
        let (joining, surplus) = new.split_at(room.min(new.len()));
        let unit = |user: &UserId| {
            let version = new_version()?;
            let member = GroupMember { group_id: group.clone(), user_id: user.clone(), life };
            let (item, condition) = (members.rows().encode(&member, &version)?, Some(not_in(life)));
            let join = Write::Put { table: GroupMember::TABLE.name(), item, condition };
            let user = users.rows().exists(&(Level::Organization, user.clone()));
            let writes = vec![self.all().rows().lives(group, life), user, join];
            Ok(Unit::new(writes).versioned(version))
        };
        let gone = AtomicBool::new(false);
        let refused = |user: &UserId, position| match position {
            // Who is in it already takes no room.
            2 => Error::exists(format!("The user {user} is in the user group {group} already.")),
            _ => {
                gone.fetch_or(position == 0, Relaxed);
                missing::<User>(&(Level::Organization, user.clone()))
            }
        };
        let written = members.rows().commit_each(joining, unit, refused).await;
        let used = written.iter().filter(|result| result.is_ok()).count();
        give_room(&members, &limit(group, life), room - used).await;
        if gone.load(Relaxed) {
            return Err(missing::<Group>(group));
        }
        let is_in = |result: &Result<()>| matches!(result, Err(error) if error.status == Status::AlreadyExists);
        let written = written.into_iter().map(|it| if is_in(&it) { Ok(()) } else { it });
        let mut joined = written.chain(surplus.iter().map(|_| Err(full(group))));
        let result = |id| if known.contains(id) { Some(Ok(())) } else { joined.next() };
        Ok(ids.iter().filter_map(result).collect())
    }

    /// Which users are in a group that has no room for all of them.
    async fn members_of_full(self, group: &GroupId, ids: &[UserId]) -> Result<BTreeSet<UserId>> {
        let pairs = ids.iter().map(|user| (group.clone(), user.clone()));
        let found = self.members().find_all(pairs).await?;
        Ok(found.into_keys().map(|(_, user)| user).collect())
    }

    /// Removes users from a group; returns a result for each, in the order of the ids, which are
    /// distinct.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn leave(self, group: &GroupId, ids: &[UserId]) -> Result<Vec<Result<()>>> {
        let members = self.members();
        let unit = |user: &UserId| {
            let mut unit =
                members.rows().deleted(&(group.clone(), user.clone()), None, present())?;
            unit.writes_mut().insert(0, self.all().rows().exists(group));
            Ok(unit)
        };
        let gone = AtomicBool::new(false);
        let refused = |user: &UserId, position| {
            gone.fetch_or(position == 0, Relaxed);
            Error::not_found(format!("The user {user} is not in the user group {group}."))
        };
        let results = members.rows().commit_each(ids, unit, refused).await;
        let left = results.iter().filter(|result| result.is_ok()).count();
        give_room(&members, &limit(group, Life::FIRST), left).await;
        if gone.load(Relaxed) { Err(missing::<Group>(group)) } else { Ok(results) }
    }

    /// Removes all users from a group, or as many as a reply has room for; returns a result for
    /// each member, and whether others remain.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such group.
    pub async fn leave_all(self, group: &GroupId) -> Result<(Vec<(UserId, Result<()>)>, bool)> {
        self.all().get(group).await?;
        let members = self.members();
        let (found, more) =
            members.rows().fetch(members.rows().under(members_of(group)), MAX_MEMBERS).await?;
        let found = found.into_iter().map(|item| members.rows().decode(item));
        let members: Vec<GroupMember> = found.collect::<Result<_>>()?;
        let delete = |member: &GroupMember| {
            BatchWrite::Delete(item::key(
                self.0.partition(),
                &GroupMember::place(&member.id()).into_key(),
            ))
        };
        let writes = members.iter().map(delete).collect();
        let results = self.0.tenant().db().write_all(GroupMember::TABLE, writes).await;
        Ok((members.into_iter().map(|member| member.user_id).zip(results).collect(), more))
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
        let of = |group: &GroupId| users.iter().map(|id| (group.clone(), id.clone())).collect();
        let pairs = groups.iter().flat_map(|group| -> Vec<_> { of(group) });
        let found = self.members().find_all(pairs).await?;
        Ok(found.into_keys().map(|(_, user)| user).collect())
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
    Error::exhausted(format!(
        "The user group {group} has the maximum number of users: {MAX_MEMBERS}."
    ))
}
