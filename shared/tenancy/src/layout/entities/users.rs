//! Users, at every level.

use model::{UserId, permissions::Level, user::User};

use super::at_level;
use crate::layout::{Entity, Indexed, Key, Place};

/// Items of a user, in the index of the organization.
pub fn of_user(user: &UserId) -> Key {
    Key::pair("user", user.as_str())
}

/// The sort keys of the users of a level.
pub fn users_at(level: &Level) -> Key {
    match level {
        Level::Organization => Key::named(User::KIND),
        Level::Document(id) => Key::pair("document-user", id.as_str()).join(&Key::named("user")),
        Level::Folder(id) => Key::pair("folder-user", id.as_str()).join(&Key::named("user")),
    }
}

impl Entity for User {
    const KIND: &'static str = "user";
    type Id = (Level, UserId);
    fn id(&self) -> Self::Id {
        (self.level.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((level, id): &Self::Id) -> Place {
        Place(at_level(["user", "document-user", "folder-user"], level, id))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.id()).0;
        match self.level {
            Level::Organization => vec![],
            _ => Indexed::within(of_user(&self.user_id), sort),
        }
    }
}
