//! User groups and their members.

use model::{
    GroupId, UserId,
    user_group::{Group, GroupMember},
};

use super::of_user;
use crate::layout::{Entity, Indexed, Key, Place};

/// A group and its members, in this order: one query reads both.
pub fn in_group(group: &GroupId) -> Key {
    Key::pair("group", group.as_str())
}

impl Entity for Group {
    const KIND: &'static str = "group";
    const NOUN: &'static str = "user group";
    type Id = GroupId;
    fn id(&self) -> GroupId {
        self.group_id.clone()
    }
    fn shown(id: &GroupId) -> &str {
        id.as_str()
    }
    fn place(id: &GroupId) -> Place {
        Place(in_group(id).join(&Key::named("group")))
    }
}

impl Entity for GroupMember {
    const KIND: &'static str = "group";
    const NOUN: &'static str = "group member";
    type Id = (GroupId, UserId);
    fn id(&self) -> Self::Id {
        (self.group_id.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((group, user): &Self::Id) -> Place {
        Place(in_group(group).and("user", user.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.id()).0;
        Indexed::within(of_user(&self.user_id), sort)
    }
}
