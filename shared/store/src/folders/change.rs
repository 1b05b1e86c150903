//! Renaming and moving folders.

use aws::Write;
use error::{Error, Result};
use model::{FolderId, folder::Folder, life::Life};
use tenancy::{
    layout::{Entity, item},
    prelude::*,
    reading::missing,
    scopes::{ATTEMPTS, back_off},
    writing::{CommitOutcome, Unit, unchanged},
};

use super::{Folders, MAX_FOLDER_DEPTH, Tree, too_deep};

/// A partial update of a folder.
#[derive(Clone, Debug, Default)]
pub struct FolderPatch {
    /// A new name.
    pub name: Option<model::Text>,
    /// A new parent: the folder moves with its descendants.
    pub parent: Option<FolderId>,
}

impl FolderPatch {
    fn apply(&self, folder: &mut Folder, now: model::Millis) {
        model::set_some(&mut folder.folder_name, self.name.clone());
        model::set(&mut folder.parent_folder_id, self.parent.clone());
        folder.last_updated = now;
    }
}

impl Folders<'_> {
    /// Renames and moves folders with their descendants; returns a result for each, in order.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn change(self, patches: &[(FolderId, FolderPatch)]) -> Result<Vec<Result<Folder>>> {
        let now = self.0.tenant().db().clock().now();
        if patches.iter().all(|(_, patch)| patch.parent.is_none()) {
            let ids: Vec<FolderId> = patches.iter().map(|(id, _)| id.clone()).collect();
            let rename = |n: usize, folder: &mut Folder| {
                patches[n].1.apply(folder, now);
                Ok(None)
            };
            return self.all().change_all(&ids, rename).await;
        }
        let mut results: Vec<Option<Result<Folder>>> = patches.iter().map(|_| None).collect();
        for attempt in 0..ATTEMPTS {
            let mut tree = self.tree().await?;
            let (mut units, mut changed) = (Vec::new(), Vec::new());
            for (n, (id, patch)) in
                patches.iter().enumerate().filter(|(n, _)| results[*n].is_none())
            {
                match self.prepare(&mut tree, id, patch, now) {
                    Err(error) => changed.push((n, Err(error))),
                    Ok((unit, folder)) => {
                        units.push(unit);
                        changed.push((n, Ok(folder)));
                    }
                }
            }
            let mut outcomes = self.0.tenant().db().commit_all(units).await.into_iter();
            for (n, prepared) in changed {
                results[n] = match prepared {
                    Err(error) => Some(Err(error)),
                    Ok(folder) => match outcomes.next() {
                        Some(CommitOutcome::Refused(_)) => None,
                        Some(CommitOutcome::Failed(error)) => Some(Err(error)),
                        Some(CommitOutcome::Done) | None => Some(Ok(folder)),
                    },
                };
            }
            if results.iter().all(Option::is_some) {
                break;
            }
            back_off(attempt).await;
        }
        Ok(results
            .into_iter()
            .map(|result| result.unwrap_or_else(|| Err(Error::aborted())))
            .collect())
    }

    /// Validates one change on the present tree, and applies it there for later ones.
    fn prepare(
        self,
        tree: &mut Tree,
        id: &FolderId,
        patch: &FolderPatch,
        now: model::Millis,
    ) -> Result<(Unit, Folder)> {
        let folders = self.all();
        let mut folder = tree.get(id).cloned().ok_or_else(|| missing::<Folder>(id))?;
        let parent = patch.parent.as_ref().unwrap_or(&folder.parent_folder_id);
        let mut placed = folder.placed;
        if patch.parent.is_some() {
            placed = match parent.is_root() {
                true => Life::FIRST,
                false => tree.placing(parent)?,
            };
            if tree.lies_in(parent, id) {
                return Err(Error::invalid("A folder cannot lie in itself or below itself."));
            }
            let above = tree.get(parent).map_or(1, |parent| tree.ancestors(parent).len() + 1);
            if above + tree.height(id, MAX_FOLDER_DEPTH) > MAX_FOLDER_DEPTH {
                return Err(too_deep());
            }
        }
        patch.apply(&mut folder, now);
        folder.placed = placed;
        let seen = tree.version(id);
        let mut unit = folders.rows().changed(&folder, &seen, None)?;
        if patch.parent.is_some() {
            for above in tree.ancestors(&folder).iter().filter(|id| !id.is_root()) {
                let version = tree.version(above);
                unit.writes_mut().push(Write::Check {
                    table: Folder::TABLE.name(),
                    key: item::key(self.0.partition(), &Folder::place(above).into_key()),
                    condition: unchanged(&version),
                });
            }
        }
        tree.replace(folder.clone(), unit.version().unwrap_or_default().to_owned());
        Ok((unit, folder))
    }
}
