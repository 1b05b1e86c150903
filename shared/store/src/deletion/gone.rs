//! Rows of no present life that an erasure finds. They name people until the clean-up of their
//! containers is there, also if that has failed, and no edit reaches them: they go at once, as the
//! clean-up removes them.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use aws::Item;
use error::{Error, Result, Status};
use model::{comment::Thread, document::Document, life::Life, people::Forgotten};
use tenancy::{
    layout::{Entity, archived_of},
    prelude::*,
    reading::{Collection, missing},
    scopes::Deadline,
    writing::Edit,
};

use super::{fate::Of, items::Purge, purge::Progress};
use crate::{deletion::Deletion, prelude::*};

impl<'a> Deletion<'a> {
    /// The deletion of rows of the organization that are of no present life of their containers.
    pub(crate) fn gone(self, deadline: Deadline) -> Purge<'a> {
        let (of, end) = (Of::Lives, Life::FIRST);
        Purge { organization: self.0, of, end, deadline, found: AtomicBool::default() }
    }
}

impl Purge<'_> {
    /// Erases users from entities, of which `forget` gets the position; deletes those that are of no
    /// present life. A document stays, with all that hangs on it, for the clean-up.
    pub(crate) async fn forget<E: Entity>(
        &self,
        collection: &Collection<E>,
        ids: &[E::Id],
        forget: impl Fn(usize, &mut E) -> Forgotten + Send + Sync,
    ) -> Result<Progress> {
        let edit = |n: usize, stored| forgetting(stored, &ids[n], |it| forget(n, it));
        let (mut missed, mut places) = (Vec::new(), BTreeSet::new());
        for (n, edited) in collection.edit_all(ids, edit).await?.into_iter().enumerate() {
            match edited {
                Err(error) if error.status == Status::NotFound => {
                    missed.push(n);
                    places.insert(collection.rows().place_of(&ids[n]));
                }
                edited => drop(edited?),
            }
        }
        if missed.is_empty() {
            return Ok(Progress::Done);
        }
        let db = collection.rows().db();
        let found = db.get_across(E::TABLE, places).await?;
        if E::KIND != Document::KIND {
            return self.remove_missed::<E>(found.into_values().collect()).await;
        }
        let mut units = Vec::new();
        for n in missed {
            let (partition, sort) = collection.rows().place_of(&ids[n]);
            let Some(item) = found.get(&(partition.into(), sort.into())) else { continue };
            let mut entity = collection.rows().decode(item.clone())?;
            if forget(n, &mut entity) == Forgotten::Changed {
                units.push(collection.rows().over(&entity, Some(item))?);
            }
        }
        for outcome in db.commit_all(units).await {
            if !outcome.was_executed()? {
                return Err(Error::aborted());
            }
        }
        Ok(Progress::Done)
    }

    /// Deletes those of the rows that are of no present life, threads behind their archives: while a
    /// thread names a user, it is found.
    async fn remove_missed<E: Entity>(&self, found: Vec<Item>) -> Result<Progress> {
        if E::KIND == Thread::KIND {
            let (comments, removal) = (self.organization.comments(), self.organization.deletion());
            for item in &found {
                let thread = comments.all().rows().decode(item.clone())?.id();
                let archive = removal.items(Some(&archived_of(&thread)));
                if self.run(archive).await? == Progress::More {
                    return Ok(Progress::More);
                }
            }
        }
        self.remove(E::TABLE.name(), found).await?;
        Ok(Progress::Done)
    }
}

/// The edit that erases users from an entity.
fn forgetting<E: Entity>(
    stored: Option<E>,
    id: &E::Id,
    forget: impl FnOnce(&mut E) -> Forgotten,
) -> Result<Edit<E>> {
    let mut entity = stored.ok_or_else(|| missing::<E>(id))?;
    Ok(match forget(&mut entity) {
        Forgotten::Unchanged => Edit::keep(entity),
        Forgotten::Changed => Edit::put(entity),
        Forgotten::Gone => Edit::remove(entity),
    })
}
