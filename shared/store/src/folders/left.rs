//! Containers that a deleted folder has left in its earlier life, whether it was added again or not,
//! until the clean-up is there: no list shows them, and their ids are free.

use std::collections::{BTreeMap, BTreeSet};

use aws::Item;
use error::{Error, Result, Status};
use model::{
    FolderId,
    document::Document,
    folder::Folder,
    life::{Fate, Life, Stamp, fate},
};
use tenancy::{
    layout::{Container, item},
    prelude::*,
    reading::Collection,
    scopes::{Currency, Found},
};

use super::tree::{MAX_FOLDER_DEPTH, Tree};
use crate::folders::Folders;

/// Containers of an earlier life of a folder above them, with the lives that begin after them.
pub(crate) struct Left<I> {
    pub(crate) lives: BTreeMap<I, Life>,
    /// Items that were read in the places of the containers.
    pub(crate) found: Found,
}

impl Tree {
    /// Whether a document lies in an earlier life of a folder, in which nobody finds it.
    pub fn hides(&self, document: &Document) -> bool {
        let folder = document.folder_id.as_ref();
        folder.is_some_and(|folder| self.later(folder, document.placed).is_some())
    }

    /// Whether a folder lies in an earlier life of a folder above it, in which nobody finds it.
    pub fn hides_folder(&self, folder: &Folder) -> bool {
        self.later(&folder.parent_folder_id, folder.placed).is_some()
    }

    /// The folders directly below another, or below `root`, by name and id, without those that are
    /// hidden.
    pub fn shown_in(&self, of: &FolderId) -> impl Iterator<Item = &Folder> {
        self.children(of).filter(|folder| !self.hides_folder(folder))
    }

    /// The life of the nearest folder above a place that was deleted since.
    fn later<'a>(&'a self, mut folder: &'a FolderId, mut placed: Life) -> Option<Life> {
        for _ in 0..=MAX_FOLDER_DEPTH {
            let stand = self.stand(folder)?;
            if fate(Stamp::In(placed), &stand) != Fate::Here {
                return Some(stand.life());
            }
            let parent = stand.there()?;
            (folder, placed) = (&parent.parent_folder_id, parent.placed);
        }
        None
    }
}

impl Folders<'_> {
    /// The containers left of an earlier life of a folder, among those whose addition was refused
    /// because they exist; `lies_in` is the folder of one, and its life there.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn left<E: Container>(
        self,
        collection: &Collection<E>,
        refused: Vec<E::Id>,
        organization: Life,
        lies_in: impl Fn(&E) -> Option<(FolderId, Life)>,
    ) -> Result<Left<E::Id>> {
        if refused.is_empty() {
            return Ok(Left { lives: BTreeMap::new(), found: Found::new() });
        }
        let places = refused.iter().map(|id| collection.rows().place_of(id)).collect();
        let db = self.0.tenant().db();
        let found = db.get_across_standing(E::TABLE, places, Currency::Now).await?;
        let there: Vec<&Item> = found.values().filter(|item| item::is_there(item)).collect();
        let mut placed = Vec::new();
        for item in there {
            let entity = collection.rows().decode(item.clone())?;
            placed.extend(lies_in(&entity).map(|place| (entity.id(), place)));
        }
        let above: BTreeSet<FolderId> =
            placed.iter().map(|(_, (folder, _))| folder.clone()).collect();
        let tree = match above.is_empty() {
            true => Tree::default(),
            false => self.chain(above, Some(organization)).await?.tree,
        };
        let later = |(id, (folder, placed))| Some((id, tree.later(&folder, placed)?));
        Ok(Left { lives: placed.into_iter().filter_map(later).collect(), found })
    }
}

/// Whether an addition was refused because something is there.
pub(crate) fn is_taken(result: &Result<()>) -> bool {
    matches!(result, Err(Error { status: Status::AlreadyExists, .. }))
}
