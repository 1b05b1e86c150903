//! Containers to which groups can have a right.

use model::{document::Document, folder::Folder, organization::Organization, rights::Holders};
use tenancy::layout::Container;

/// A container to which groups can have a right.
pub(super) trait Held: Container {
    /// The groups with a right.
    fn holders(&self) -> &Holders;

    /// The groups with a right, for changes.
    fn holders_mut(&mut self) -> &mut Holders;
}

macro_rules! held {
    ($($entity:ident)+) => {$(
        impl Held for $entity {
            fn holders(&self) -> &Holders {
                &self.holders
            }
            fn holders_mut(&mut self) -> &mut Holders {
                &mut self.holders
            }
        }
    )+};
}

held! { Organization Folder Document }
