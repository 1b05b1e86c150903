//! People named by a stored value (contract `user-data.erasure`).
//!
//! [`Names::people`] is the one place that names them, type by type: each takes its value apart
//! without `..`, so that a new member does not compile until it is classified. The code that finds,
//! erases and replaces people is a visitor of that walk ([`People`]), and so cannot know other
//! places.

mod find;
mod forget;
mod json;
mod nobody;
mod owners;
mod replace;
mod visit;

#[cfg(test)]
mod every_type;
#[cfg(test)]
mod filled;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use find::Find;
pub use json::{json, member, members, snapshot};
pub use replace::UserReplacement;
pub use visit::{Fate, Part, People};

use crate::{UserId, user::Person};

/// Effect of an erasure on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// Did not name the user.
    Unchanged,
    /// No longer names the user.
    Changed,
    /// Nothing is left.
    Gone,
}

/// Outcome of the walk for a value.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The value, changed or not.
    Stays,
    /// Nothing.
    Gone,
}

/// A stored value, which may name people.
pub trait Names {
    /// Shows each person in it to a visitor, and executes their fates.
    fn people(&mut self, walk: &mut dyn People) -> Rest;

    /// Erases a user.
    fn forget(&mut self, user: &UserId) -> Forgotten {
        let mut walk = forget::Forget::new(user);
        match self.people(&mut walk) {
            Rest::Gone => Forgotten::Gone,
            Rest::Stays if walk.has_changed() => Forgotten::Changed,
            Rest::Stays => Forgotten::Unchanged,
        }
    }

    /// Replaces users by others, all at once; returns whether it names one of them.
    fn replace_users(&mut self, replaced: &[UserReplacement]) -> bool {
        let mut walk = replace::Replace::new(replaced);
        // A replacement removes nothing.
        let (Rest::Stays | Rest::Gone) = self.people(&mut walk);
        walk.has_changed()
    }

    /// The people whom the value names.
    fn found(&self) -> Find
    where
        Self: Clone,
    {
        let mut find = Find::default();
        let (Rest::Stays | Rest::Gone) = self.clone().people(&mut find);
        find
    }
}

impl<T: Names> Names for Option<T> {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        if self.as_mut().is_some_and(|it| it.people(walk) == Rest::Gone) {
            *self = None;
        }
        Rest::Stays
    }
}

/// Declares stored types that name nobody.
#[macro_export]
macro_rules! names_nobody {
    ($($of:ty),+ $(,)?) => {$(
        impl $crate::people::Names for $of {
            fn people(&mut self, _: &mut dyn $crate::people::People) -> $crate::people::Rest {
                $crate::people::Rest::Stays
            }
        }
    )+};
}

/// A part of a value, which cannot go alone.
pub fn inside(walk: &mut dyn People, it: &mut impl Names) {
    let (Rest::Stays | Rest::Gone) = it.people(walk);
}

/// A required person.
pub fn person(walk: &mut dyn People, part: Part, it: &mut Person) {
    let to = match walk.named(part, it.user_id.as_str()) {
        Fate::Stays => return,
        Fate::Leaves => Person::deleted(),
        Fate::Becomes(person) => person.clone(),
    };
    *it = to;
}

/// A person who need not be there.
pub fn optional(walk: &mut dyn People, part: Part, it: &mut Option<Person>) {
    let Some(known) = it else { return };
    let to = match walk.named(part, known.user_id.as_str()) {
        Fate::Stays => return,
        Fate::Leaves => None,
        Fate::Becomes(person) => Some(person.clone()),
    };
    *it = to;
}

/// The id of a user.
pub fn id(walk: &mut dyn People, part: Part, it: &mut UserId) {
    let to = match walk.named(part, it.as_str()) {
        Fate::Stays => return,
        Fate::Leaves => UserId::deleted(),
        Fate::Becomes(person) => person.user_id.clone(),
    };
    *it = to;
}

/// Ids of users.
pub fn ids(walk: &mut dyn People, part: Part, it: &mut BTreeSet<UserId>) {
    let mut come = Vec::new();
    it.retain(|id| match walk.named(part, id.as_str()) {
        Fate::Stays => true,
        Fate::Leaves => false,
        Fate::Becomes(person) => {
            come.push(person.user_id.clone());
            false
        }
    });
    it.extend(come);
}

/// Values by user. A user who becomes another leaves an existing value of the other alone.
pub fn by_id<T>(
    walk: &mut dyn People,
    part: impl Fn(&T) -> Part,
    it: &mut BTreeMap<UserId, T>,
    mut becomes: impl FnMut(T, &Person) -> T,
) {
    let mut come = Vec::new();
    for (id, value) in std::mem::take(it) {
        match walk.named(part(&value), id.as_str()) {
            Fate::Stays => drop(it.insert(id, value)),
            Fate::Leaves => {}
            Fate::Becomes(person) => {
                come.push((person.user_id.clone(), becomes(value, person)));
            }
        }
    }
    for (id, value) in come {
        it.entry(id).or_insert(value);
    }
}

/// Whether the whole value belongs to a user, with whom it goes.
pub fn owned(walk: &mut dyn People, it: &mut UserId) -> Rest {
    let to = match walk.named(Part::Owner, it.as_str()) {
        Fate::Stays => return Rest::Stays,
        Fate::Leaves => return Rest::Gone,
        Fate::Becomes(person) => person.user_id.clone(),
    };
    *it = to;
    Rest::Stays
}
