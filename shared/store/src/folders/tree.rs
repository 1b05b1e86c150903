//! A tree of folders in memory.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::{
    FolderId,
    document::Document,
    folder::Folder,
    life::{Fate, Life, Stamp, Stand, fate},
    permissions::AccessType,
    rights::{Setting, nearest},
};
use tenancy::reading::{existing, missing};

/// Maximum depth; bounds every traversal, whatever is stored.
pub const MAX_FOLDER_DEPTH: usize = 64;

/// Folders of an organization, read at one time: all of them, or some with all ancestors.
#[derive(Debug, Default)]
pub struct Tree {
    folders: BTreeMap<FolderId, Folder>,
    children: BTreeMap<FolderId, Vec<FolderId>>,
    versions: BTreeMap<FolderId, String>,
    /// The lives that begin with the next addition of folders that were looked for and are absent.
    absent: BTreeMap<FolderId, Life>,
}

impl Tree {
    pub(super) fn new(folders: Vec<(Folder, String)>) -> Self {
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

    /// The tree with folders that are absent.
    pub(super) fn without(self, absent: BTreeMap<FolderId, Life>) -> Self {
        Self { absent, ..self }
    }

    /// The life of a folder in which something is placed.
    ///
    /// # Errors
    /// NOT_FOUND when the folder or one above it does not exist, or was added again since: then what
    /// is placed there would be deleted with it.
    pub(crate) fn placing(&self, into: &FolderId) -> Result<Life> {
        let folder = self.get(into).ok_or_else(|| missing::<Folder>(into))?;
        match self.is_whole(folder) {
            true => Ok(folder.since),
            false => Err(missing::<Folder>(into)),
        }
    }

    /// A folder and all above it, each with its life.
    pub(crate) fn way(&self, into: &FolderId) -> impl Iterator<Item = (&FolderId, Life)> {
        let folder = self.get(into);
        let above = |folder: &&Folder| self.get(&folder.parent_folder_id);
        let way = std::iter::successors(folder, above).take(MAX_FOLDER_DEPTH);
        way.map(|folder| (&folder.folder_id, folder.since))
    }

    /// Whether all folders above one exist, each in the life in which the one below was placed.
    pub fn is_whole(&self, of: &Folder) -> bool {
        let mut folder = of;
        for _ in 0..=MAX_FOLDER_DEPTH {
            if folder.parent_folder_id.is_root() {
                return true;
            }
            let Some(parent) = self.get(&folder.parent_folder_id) else { return false };
            let stand = Stand::There((), parent.since);
            if fate(Stamp::In(folder.placed), &stand) != Fate::Here {
                return false;
            }
            folder = parent;
        }
        false
    }

    fn add(&mut self, folder: Folder) {
        let (id, parent) = (folder.folder_id.clone(), folder.parent_folder_id.clone());
        self.children.entry(parent).or_default().push(id.clone());
        self.folders.insert(id, folder);
    }

    /// Adds a folder to the tree, in the life that begins with its addition, and with that of its
    /// parent; of two with one id the first is added.
    pub(super) fn try_add(&mut self, folder: &mut Folder) -> Result<()> {
        let (id, parent) = (&folder.folder_id, &folder.parent_folder_id);
        if id.is_root() {
            return Err(Error::invalid("A folder cannot have the id root."));
        }
        let placed = match parent.is_root() {
            true => Life::FIRST,
            false => self.placing(parent)?,
        };
        if self.get(id).is_some() {
            return Err(existing::<Folder>(id));
        }
        if self.ancestors(folder).len() > MAX_FOLDER_DEPTH {
            return Err(too_deep());
        }
        folder.placed = placed;
        if let Some(life) = self.absent.get(id) {
            folder.since = *life;
        }
        self.add(folder.clone());
        Ok(())
    }

    pub(super) fn replace(&mut self, folder: Folder, version: String) {
        self.versions.insert(folder.folder_id.clone(), version);
        if let Some(old) = self.folders.remove(&folder.folder_id)
            && let Some(siblings) = self.children.get_mut(&old.parent_folder_id)
        {
            siblings.retain(|id| *id != folder.folder_id);
        }
        self.add(folder);
    }

    /// The version of a folder.
    pub(super) fn version(&self, id: &FolderId) -> String {
        self.versions.get(id).cloned().unwrap_or_default()
    }

    /// A folder.
    pub fn get(&self, id: &FolderId) -> Option<&Folder> {
        self.folders.get(id)
    }

    /// How a folder stands, if it was read.
    pub(super) fn stand(&self, id: &FolderId) -> Option<Stand<&Folder>> {
        let there = self.get(id).map(|folder| Stand::There(folder, folder.since));
        there.or_else(|| self.absent.get(id).copied().map(Stand::Absent))
    }

    /// The folders directly below another, or below `root`, by name and id.
    pub fn children(&self, of: &FolderId) -> impl Iterator<Item = &Folder> {
        let ids = self.children.get(of).into_iter().flatten();
        ids.filter_map(|id| self.folders.get(id))
    }

    /// All folders of the tree, parents before children, siblings by name and id.
    pub fn all(&self) -> Vec<&Folder> {
        let mut order: Vec<&Folder> = Vec::with_capacity(self.folders.len());
        let mut seen = BTreeSet::new();
        for folder in self.children(&FolderId::root()) {
            push(self, folder, &mut order, &mut seen, 0);
        }
        // Folders may outlive their parent during a deletion.
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

    /// The effective access type of a folder: its own, else that of the nearest ancestor with one,
    /// else the default of the key.
    pub fn access_type(&self, of: &Folder, default: AccessType) -> AccessType {
        self.effective(setting_of(of), Some(&of.parent_folder_id), default)
    }

    /// The effective access type of a document: its own, else that of its folder or of the nearest
    /// ancestor with one, else the default of the key.
    pub fn access_type_of(&self, document: &Document, default: AccessType) -> AccessType {
        let own = document.access_type.map_or(Setting::Inherited, Setting::Own);
        self.effective(own, document.folder_id.as_ref(), default)
    }

    /// The nearest setting. A resource in a folder that is not there is open to nobody.
    fn effective(&self, own: Setting, above: Option<&FolderId>, default: AccessType) -> AccessType {
        let (mut settings, mut next) = (vec![own], above);
        while let Some(id) = next.filter(|id| !id.is_root()) {
            match self.folders.get(id) {
                Some(folder) if settings.len() <= MAX_FOLDER_DEPTH => {
                    settings.push(setting_of(folder));
                    next = Some(&folder.parent_folder_id);
                }
                Some(_) | None => return AccessType::Restricted,
            }
        }
        nearest(settings, default)
    }

    /// Whether `folder` is `above` or in it.
    pub(super) fn lies_in(&self, folder: &FolderId, above: &FolderId) -> bool {
        let found = self.get(folder);
        folder == above || found.is_some_and(|folder| self.ancestors(folder).contains(above))
    }

    /// Depth of the tree below a folder.
    pub(super) fn height(&self, of: &FolderId, bound: usize) -> usize {
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

/// The access type as a folder sets it.
pub(crate) fn setting_of(folder: &Folder) -> Setting {
    let own = folder.access_type.filter(|_| !folder.inherit_access_from_parent);
    own.map_or(Setting::Inherited, Setting::Own)
}

pub(super) fn too_deep() -> Error {
    Error::invalid(format!("Folders cannot be nested deeper than {MAX_FOLDER_DEPTH}."))
}
