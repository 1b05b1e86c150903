//! Sort keys and index partitions of what is listed by time.

use std::ops::RangeInclusive;

use model::{Millis, UserId};

use super::{
    entity::{Entity, Index, Indexed},
    key::Key,
};

/// All times.
pub const EVER: RangeInclusive<Millis> = 0..=9_999_999_999_999;

/// The sort key of an entity at a time: the digits sort numerically.
pub(crate) fn at<E: Entity>(time: Millis, id: &Key) -> Key {
    Key::pair(E::KIND, &format!("{time:013}")).join(id)
}

/// Items of a document, in [`Index::Container`].
pub fn of_document(document: &model::DocumentId) -> Key {
    Key::pair("document", document.as_str())
}

/// Items of a kind, in [`Index::Kind`].
pub fn of_kind<E: Entity>() -> Key {
    Key::pair("kind", E::KIND)
}

/// Items by creator, in [`Index::Actor`].
pub fn by_actor(user: &UserId) -> Key {
    Key::pair("actor", user.as_str())
}

impl Indexed {
    pub(crate) fn new(index: Index, partition: Key, sort: Key) -> Self {
        Self { index, partition, sort }
    }
}
