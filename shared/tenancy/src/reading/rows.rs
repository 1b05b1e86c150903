use super::Collection;
use crate::{layout::Key, scopes::Db};

/// The items of a collection, for features: queries, and units of writes. Other crates cannot enter
/// it, because they do not depend on this one.
pub struct Rows<'a, E>(pub(crate) &'a Collection<E>);

impl<E> Clone for Rows<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Rows<'_, E> {}

impl<'a, E> Rows<'a, E> {
    /// The tables.
    pub fn db(self) -> &'a Db {
        &self.0.db
    }

    /// The partition of the scope.
    pub fn partition(self) -> &'a Key {
        &self.0.partition
    }
}

/// Something with rows.
pub trait AsRows<E> {
    /// Rows of the collection.
    fn rows(&self) -> Rows<'_, E>;
}

impl<E> AsRows<E> for Collection<E> {
    fn rows(&self) -> Rows<'_, E> {
        Rows(self)
    }
}
