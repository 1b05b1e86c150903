//! Stamps of the lives of containers on written items.

use aws::{Item, Value, Write};
use model::{Millis, life::Life};

use super::unit::Unit;
use crate::{
    layout::{Bond, WRITTEN, belonging_of, item, keep, lives::in_life, put_in},
    scopes::{Containers, Viewer, place_of},
};

/// Whether a written item has a stamp of its container. A row that needs no container has a stamp
/// only where reads compare it.
pub(super) fn is_stamped(item: &Item) -> bool {
    let sort = place_of(item).1;
    item::is_there(item)
        && match belonging_of(item).bond {
            Bond::Content => true,
            Bond::Free => crate::layout::is_judged(&sort),
            Bond::Container => false,
        }
}

/// Makes a changed item as old as what it keeps, if the time of the write binds it to its container.
pub(super) fn keep_age(item: &mut Item, before: &Item) {
    if is_stamped(item) && belonging_of(item).bond == Bond::Free {
        keep(item, before);
    }
}

impl Unit {
    /// Whether what it puts first is in a container that was deleted and added again after the rights
    /// of the call were decided.
    pub(crate) fn is_overtaken(&self, containers: &Containers, viewer: Option<&Viewer>) -> bool {
        match (viewer, self.writes.first()) {
            (Some(viewer), Some(Write::Put { item, .. })) => containers.began_since(viewer, item),
            _ => false,
        }
    }

    /// Whether what it puts first cannot be without its container, which is gone.
    pub(crate) fn is_orphan(&self, containers: &Containers) -> bool {
        match self.writes.first() {
            Some(Write::Put { item, .. }) if item::is_there(item) => {
                belonging_of(item).bond == Bond::Content && !containers.around(item).is_there()
            }
            _ => false,
        }
    }

    /// Stamps what it puts, and the link rows of that, with the lives of their containers. A row
    /// that needs no container counts from `from` (epoch milliseconds).
    pub(crate) fn stamp(&mut self, containers: &Containers, from: Millis) {
        let Some((holder, life)) = self.writes.iter_mut().find_map(|write| match write {
            Write::Put { item, .. } if is_stamped(item) => {
                Some((belonging_of(item).holder, stamp(item, containers, from)))
            }
            _ => None,
        }) else {
            return;
        };
        let links = self.links.iter_mut();
        links.filter(|link| is_stamped(link)).for_each(|link| put_in(link, life));
        let beside = self.writes.iter_mut().skip(1).filter_map(|write| match write {
            Write::Put { item, .. } if is_stamped(item) => Some(item),
            _ => None,
        });
        // A row in another container has the life that its call has read.
        let is_here = |item: &&mut Item| {
            let beside = belonging_of(item);
            beside.bond == Bond::Content && beside.holder == holder
        };
        beside.filter(is_here).for_each(|item| put_in(item, life));
    }
}

/// Stamps an item; returns the life of its container.
fn stamp(item: &mut Item, containers: &Containers, from: Millis) -> Life {
    let life = containers.around(item).life();
    match belonging_of(item).bond {
        // The call that added a row may have read its container later.
        Bond::Content => {
            let life = life.max(in_life(item));
            put_in(item, life);
            life
        }
        // A row that is written now is of the present life, whatever the clock of this machine
        // says.
        Bond::Free | Bond::Container => {
            let written = item::number(item, WRITTEN).unwrap_or(0);
            let counts = written.min(from).max(life.since().saturating_add(1));
            if counts != written {
                item.insert(WRITTEN.to_owned(), Value::N(counts.to_string()));
            }
            life
        }
    }
}
