//! The folder tree of an organization.
//!
//! A folder knows its parent only; ancestors and effective access follow from reading the tree,
//! which one query does. So moving a subtree is one write, whatever its size. The write holds only
//! while every ancestor at the new place is as it was read: of two moves that together would close
//! a cycle, the one that commits second is refused and decided anew.

use std::collections::{BTreeMap, BTreeSet};

use aws::Write;
use error::{Error, Result};
use model::{FolderId, access::AccessType, document::Document, folder::Folder};

use crate::{
    layout::{Entity, item},
    reading::{existing, missing},
    scopes::{ATTEMPTS, OrganizationStore, back_off},
    writing::{Fate, Unit, unchanged},
};

/// Most folders of one organization.
const MAX_FOLDERS: usize = 20_000;
/// Deepest nesting; ends every walk, whatever is stored.
pub const MAX_FOLDER_DEPTH: usize = 64;

/// All folders of an organization, as read at one time.
#[derive(Debug, Default)]
pub struct Tree {
    folders: BTreeMap<FolderId, Folder>,
    children: BTreeMap<FolderId, Vec<FolderId>>,
    versions: BTreeMap<FolderId, String>,
}

impl Tree {
    fn new(folders: Vec<(Folder, String)>) -> Self {
        let mut tree = Self::default();
        for (folder, version) in folders {
            tree.versions.insert(folder.folder_id.clone(), version);
            tree.add(folder);
        }
        for children in tree.children.values_mut() {
            children.sort_by_cached_key(|id| (tree.folders[id].folder_name.clone(), id.clone()));
        }
        tree
    }

    fn add(&mut self, folder: Folder) {
        let (id, parent) = (folder.folder_id.clone(), folder.parent_folder_id.clone());
        self.children.entry(parent).or_default().push(id.clone());
        self.folders.insert(id, folder);
    }

    /// Adds a folder as far as the tree can tell; of two with one id the first is added.
    fn try_add(&mut self, folder: &Folder) -> Result<()> {
        let (id, parent) = (&folder.folder_id, &folder.parent_folder_id);
        if id.is_root() {
            return Err(Error::invalid("A folder cannot have the id root."));
        }
        if !parent.is_root() && self.get(parent).is_none() {
            return Err(missing::<Folder>(parent));
        }
        if self.get(id).is_some() {
            return Err(existing::<Folder>(id));
        }
        if self.ancestors(folder).len() > MAX_FOLDER_DEPTH {
            return Err(too_deep());
        }
        self.add(folder.clone());
        Ok(())
    }

    fn replace(&mut self, folder: Folder) {
        if let Some(old) = self.folders.remove(&folder.folder_id)
            && let Some(siblings) = self.children.get_mut(&old.parent_folder_id)
        {
            siblings.retain(|id| *id != folder.folder_id);
        }
        self.add(folder);
    }

    /// A folder.
    pub fn get(&self, id: &FolderId) -> Option<&Folder> {
        self.folders.get(id)
    }

    /// The folders directly below another, or below `root`, by name and id.
    pub fn children(&self, of: &FolderId) -> impl Iterator<Item = &Folder> {
        let ids = self.children.get(of).into_iter().flatten();
        ids.filter_map(|id| self.folders.get(id))
    }

    /// Every folder, parents before children, siblings by name and id.
    pub fn all(&self) -> Vec<&Folder> {
        let mut order: Vec<&Folder> = Vec::with_capacity(self.folders.len());
        let mut seen = BTreeSet::new();
        for folder in self.children(&FolderId::root()) {
            push(self, folder, &mut order, &mut seen, 0);
        }
        // Folders whose parent is being deleted are still there.
        for folder in self.folders.values() {
            if !seen.contains(&folder.folder_id) {
                push(self, folder, &mut order, &mut seen, 0);
            }
        }
        order
    }

    /// The chain from `root` down to the direct parent.
    pub fn ancestors(&self, of: &Folder) -> Vec<FolderId> {
        let mut chain = vec![of.parent_folder_id.clone()];
        while let Some(parent) = chain.last().and_then(|id| self.folders.get(id))
            && chain.len() <= MAX_FOLDER_DEPTH
        {
            chain.push(parent.parent_folder_id.clone());
        }
        chain.reverse();
        chain
    }

    /// Who may reach a folder: its own setting, else that of the nearest ancestor with one.
    pub fn access_type(&self, of: &Folder) -> AccessType {
        self.access_setting(of).unwrap_or_default()
    }

    /// Who may reach a document: its own setting, else that of its folder or of the nearest
    /// ancestor with one, else `default`.
    pub fn access_type_of(&self, document: &Document, default: AccessType) -> AccessType {
        let folder = document.folder_id.as_ref().and_then(|folder| self.get(folder));
        let inherited = || folder.and_then(|folder| self.access_setting(folder));
        document.access_type.or_else(inherited).unwrap_or(default)
    }

    fn access_setting(&self, of: &Folder) -> Option<AccessType> {
        let mut folder = of;
        for _ in 0..MAX_FOLDER_DEPTH {
            match (folder.access_type, self.folders.get(&folder.parent_folder_id)) {
                (Some(own), _) if !folder.inherit_access_from_parent => return Some(own),
                (_, Some(parent)) => folder = parent,
                (own, None) => return own,
            }
        }
        None
    }

    /// Whether `folder` lies in `above`, or is it.
    fn lies_in(&self, folder: &FolderId, above: &FolderId) -> bool {
        let found = self.get(folder);
        folder == above || found.is_some_and(|folder| self.ancestors(folder).contains(above))
    }

    /// How many levels lie below a folder.
    fn height(&self, of: &FolderId, bound: usize) -> usize {
        let below = self.children(of).map(|child| match bound {
            0 => 0,
            _ => 1 + self.height(&child.folder_id, bound - 1),
        });
        below.max().unwrap_or(0)
    }
}

fn push<'a>(
    tree: &'a Tree,
    folder: &'a Folder,
    order: &mut Vec<&'a Folder>,
    seen: &mut BTreeSet<&'a FolderId>,
    depth: usize,
) {
    if depth > MAX_FOLDER_DEPTH || !seen.insert(&folder.folder_id) {
        return;
    }
    order.push(folder);
    for child in tree.children(&folder.folder_id) {
        push(tree, child, order, seen, depth + 1);
    }
}

/// What a caller changes of a folder.
#[derive(Clone, Debug, Default)]
pub struct FolderPatch {
    /// A new name.
    pub name: Option<model::Text>,
    /// A new parent: the folder moves with everything below it.
    pub parent: Option<FolderId>,
}

impl FolderPatch {
    fn apply(&self, folder: &mut Folder, now: model::Millis) {
        model::set_some(&mut folder.folder_name, self.name.clone());
        model::set(&mut folder.parent_folder_id, self.parent.clone());
        folder.last_updated = now;
    }
}

impl OrganizationStore {
    /// All folders of the organization.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many for one reply.
    pub async fn tree(&self) -> Result<Tree> {
        let folders = self.folders();
        let items =
            folders.all_items(folders.under(format!("{}#", Folder::KIND)), MAX_FOLDERS).await?;
        let read = items.into_iter().map(|item| Ok((item::version(&item)?, folders.decode(item)?)));
        let read = read.map(|pair| pair.map(|(version, folder)| (folder, version)));
        Ok(Tree::new(read.collect::<Result<_>>()?))
    }

    /// Folders and all above them: as much of the tree as decides on what lies in them.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn tree_above(&self, folders: BTreeSet<FolderId>) -> Result<Tree> {
        let mut found: Vec<(Folder, String)> = Vec::new();
        let mut wanted = folders;
        for _ in 0..=MAX_FOLDER_DEPTH {
            wanted.retain(|id| !id.is_root() && !found.iter().any(|(it, _)| it.folder_id == *id));
            if wanted.is_empty() {
                break;
            }
            let read = self.folders().find_all(wanted).await?.into_values();
            let read: Vec<Folder> = read.collect();
            wanted = read.iter().map(|folder| folder.parent_folder_id.clone()).collect();
            found.extend(read.into_iter().map(|folder| (folder, String::new())));
        }
        Ok(Tree::new(found))
    }

    /// Adds folders in order, so that one may be the parent of a later one; answers for each. An
    /// organization that does not exist is created when `create` is true.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read; NOT_FOUND when there is no organization.
    pub async fn add_folders(&self, added: &[Folder], create: bool) -> Result<Vec<Result<()>>> {
        // One read has to do. Where there are folders, there is an organization.
        let at_top = added.iter().all(|folder| folder.parent_folder_id.is_root());
        let mut tree = if at_top { Tree::default() } else { self.tree().await? };
        if tree.folders.is_empty() {
            self.ensure(create).await?;
        }
        let refused: Vec<Option<Error>> =
            added.iter().map(|folder| tree.try_add(folder).err()).collect();
        let folders = self.folders();
        let possible: Vec<&Folder> = added
            .iter()
            .zip(&refused)
            .filter(|(_, refused)| refused.is_none())
            .map(|(folder, _)| folder)
            .collect();
        let unit = |folder: &&Folder| {
            let mut unit = folders.inserted(folder, None)?;
            if !folder.parent_folder_id.is_root() {
                unit.writes.push(folders.exists(&folder.parent_folder_id));
            }
            Ok(unit)
        };
        let written = folders.commit_each(&possible, unit, |folder, position| match position {
            0 => existing::<Folder>(&folder.folder_id),
            _ => missing::<Folder>(&folder.parent_folder_id),
        });
        let mut written = written.await.into_iter();
        let outcome =
            |refused: Option<Error>| refused.map_or_else(|| written.next().unwrap_or(Ok(())), Err);
        Ok(refused.into_iter().map(outcome).collect())
    }

    /// Renames and moves folders, with everything below them; answers for each, in order.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn change_folders(
        &self,
        patches: &[(FolderId, FolderPatch)],
    ) -> Result<Vec<Result<Folder>>> {
        let now = self.tenant.db.clock.now();
        if patches.iter().all(|(_, patch)| patch.parent.is_none()) {
            let ids: Vec<FolderId> = patches.iter().map(|(id, _)| id.clone()).collect();
            let rename = |n: usize, folder: &mut Folder| {
                patches[n].1.apply(folder, now);
                Ok(None)
            };
            return self.folders().change_all(&ids, rename).await;
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
            let mut fates = self.tenant.db.commit_all(units).await.into_iter();
            for (n, prepared) in changed {
                results[n] = match prepared {
                    Err(error) => Some(Err(error)),
                    Ok(folder) => match fates.next() {
                        Some(Fate::Refused(_)) => None,
                        Some(Fate::Failed(error)) => Some(Err(error)),
                        Some(Fate::Done) | None => Some(Ok(folder)),
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

    /// Decides one change on the tree as it is, and applies it there for those that follow.
    fn prepare(
        &self,
        tree: &mut Tree,
        id: &FolderId,
        patch: &FolderPatch,
        now: model::Millis,
    ) -> Result<(Unit, Folder)> {
        let folders = self.folders();
        let mut folder = tree.get(id).cloned().ok_or_else(|| missing::<Folder>(id))?;
        let parent = patch.parent.as_ref().unwrap_or(&folder.parent_folder_id);
        if patch.parent.is_some() {
            if tree.get(parent).is_none() && !parent.is_root() {
                return Err(missing::<Folder>(parent));
            }
            if tree.lies_in(parent, id) {
                return Err(Error::invalid("A folder cannot lie in itself or below itself."));
            }
            let above = tree.get(parent).map_or(1, |parent| tree.ancestors(parent).len() + 1);
            if above + tree.height(id, MAX_FOLDER_DEPTH) > MAX_FOLDER_DEPTH {
                return Err(too_deep());
            }
        }
        patch.apply(&mut folder, now);
        let seen = tree.versions.get(id).cloned().unwrap_or_default();
        let mut unit = folders.changed(&folder, &seen, None)?;
        if patch.parent.is_some() {
            for above in tree.ancestors(&folder).iter().filter(|id| !id.is_root()) {
                let version = tree.versions.get(above).cloned().unwrap_or_default();
                unit.writes.push(Write::Check {
                    table: Folder::TABLE.name(),
                    key: item::key(&self.partition, &Folder::place(above).0),
                    condition: unchanged(&version),
                });
            }
        }
        tree.versions.insert(id.clone(), unit.version.clone().unwrap_or_default());
        tree.replace(folder.clone());
        Ok((unit, folder))
    }
}

fn too_deep() -> Error {
    Error::invalid(format!("Folders cannot be nested deeper than {MAX_FOLDER_DEPTH}."))
}
