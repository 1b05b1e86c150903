//! Rights of users.

use model::{
    Millis, UserId,
    permissions::{Grant, Level},
};

use super::{at_level, of_user};
use crate::layout::{Entity, Indexed, Place};

impl Entity for Grant {
    const KIND: &'static str = "grant";
    type Id = (Level, UserId);
    fn id(&self) -> Self::Id {
        (self.level.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((level, id): &Self::Id) -> Place {
        Place(at_level(["organization-grant", "document-grant", "folder-grant"], level, id))
    }
    fn expires(&self) -> Option<Millis> {
        self.forgotten_at()
    }
    fn indexes(&self) -> Vec<Indexed> {
        // The clean-up of a departure finds rights by this index; an erasure the records of ends as
        // well, except for its own.
        if self.granted.is_none() && self.level == Level::Organization {
            return vec![];
        }
        let sort = Self::place(&self.id()).0;
        Indexed::within(of_user(&self.user_id), sort)
    }
}
