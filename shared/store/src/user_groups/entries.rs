//! The entries of groups in memberships, repaired: of members of earlier versions, and of groups that
//! are gone.

use error::{Result, Status};
use model::{Millis, permissions::Level, rights::Joined, user::User, user_group::GroupMember};
use tenancy::{reading::missing, writing::Edit};

use super::{MAX_GROUPS, UserGroups};
use crate::prelude::*;

impl UserGroups<'_> {
    /// Lists a member of before memberships had groups in the membership; `joined` is the time of
    /// the row. A user who has left the organization meanwhile, or has no room for a further group,
    /// is not listed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn list_in_membership(
        self,
        mut member: GroupMember,
        joined: Millis,
    ) -> Result<()> {
        let ids = [(Level::Organization, member.user_id.clone())];
        let list = |_, found: Option<User>| {
            let mut user = found.ok_or_else(|| missing::<User>(&ids[0]))?;
            if user.groups.contains_key(&member.group_id) || user.groups.len() >= MAX_GROUPS {
                return Ok(Edit::keep(user));
            }
            member.given = user.in_membership(joined);
            let joined = Joined { of: member.life, at: member.given };
            user.groups.insert(member.group_id.clone(), joined);
            Ok(Edit::put(user).and_put(member.clone()))
        };
        let listed = self.0.users().all().edit_all(&ids, list).await?;
        listed.into_iter().try_for_each(|result| match result {
            Err(error) if error.status != Status::NotFound => Err(error),
            _ => Ok(()),
        })
    }

    /// Takes members of groups that are gone out of the memberships of their users.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn dissolve(self, members: &[GroupMember]) -> Result<()> {
        let id = |member: &GroupMember| (Level::Organization, member.user_id.clone());
        let ids: Vec<_> = members.iter().map(id).collect();
        let leave = |n: usize, found: Option<User>| {
            let mut user = found.ok_or_else(|| missing::<User>(&ids[n]))?;
            let GroupMember { group_id, life, .. } = &members[n];
            if !user.is_in(group_id, *life) {
                return Ok(Edit::keep(user));
            }
            user.groups.remove(group_id);
            Ok(Edit::put(user))
        };
        let left = self.0.users().all().edit_all(&ids, leave).await?;
        left.into_iter().try_for_each(|result| match result {
            Err(error) if error.status != Status::NotFound => Err(error),
            _ => Ok(()),
        })
    }
}
