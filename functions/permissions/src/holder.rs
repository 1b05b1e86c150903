//! The holder of a right: a user or a user group.

use model::GroupId;
use service::prelude::*;

pub(crate) enum Holder {
    User(UserId),
    Group(GroupId),
}

impl Holder {
    /// The one that a request names; a user in the member `name`.
    pub(crate) fn one_of(
        (name, user): (&str, Option<UserId>),
        group: Option<GroupId>,
    ) -> Result<Self> {
        match (user, group) {
            (Some(user), None) => Ok(Self::User(user)),
            (None, Some(group)) => Ok(Self::Group(group)),
            (None, None) => Err(issue(&[name], "is required, or organizationUserGroupId")),
            (Some(_), Some(_)) => {
                let message = "cannot be sent together with organizationUserGroupId";
                Err(issue(&[name], message))
            }
        }
    }
}
