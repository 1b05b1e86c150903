//! Folders of an organization.
//!
//! A folder stores only its parent; ancestors and effective access follow from the folders above.
//! Moving a subtree is one write, whatever its size. The write is conditional on every ancestor of
//! the destination: of two moves that together would close a cycle, the second commit is refused
//! and evaluated again.

mod change;
mod left;
mod lists;
mod tree;

pub use change::FolderPatch;
pub(crate) use left::is_taken;
pub use lists::FolderPage;
pub(crate) use tree::setting_of;
use tree::too_deep;
pub use tree::{MAX_FOLDER_DEPTH, Tree};

use std::collections::{BTreeMap, BTreeSet};

use aws::Boxed;
use error::{Error, Result};
use model::{
    FolderId,
    document::Document,
    event::Event,
    folder::Folder,
    life::{Life, Stand},
};
use tenancy::{
    layout::{Entity, Key, Table, item},
    prelude::*,
    reading::{Collection, existing, missing},
    scopes::{Currency, Found, OrganizationStore},
    writing::Within,
};

use crate::{
    organizations::as_added,
    prelude::*,
    room::{Limit, give_room, take_room},
};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Folders.
    folders: Folders,
}

impl Folders<'_> {
    /// All folders.
    pub fn all(self) -> Collection<Folder> {
        self.0.collection()
    }
}

/// Maximum number of folders of one organization.
const MAX_FOLDERS: usize = 20_000;
/// Maximum number in one read: more than can exist.
const MAX_READ: usize = 2 * MAX_FOLDERS;

/// Folders with all that are above them, as they stand.
pub(super) struct Chain {
    /// The organization; absent until it is added.
    pub(super) organization: Stand<()>,
    /// The folders that exist.
    pub(super) tree: Tree,
    /// Items that were read in the places of the folders, with tombstones.
    pub(super) found: Found,
}

impl<'a> Folders<'a> {
    /// All folders of the organization.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many for one reply.
    pub async fn tree(self) -> Result<Tree> {
        let folders = self.all();
        let items = folders
            .rows()
            .all_items(folders.rows().under(format!("{}#", Folder::KIND)), MAX_READ)
            .await?;
        let read =
            items.into_iter().map(|item| Ok((item::version(&item)?, folders.rows().decode(item)?)));
        let read = read.map(|pair| pair.map(|(version, folder)| (folder, version)));
        Ok(Tree::new(read.collect::<Result<_>>()?))
    }

    /// Folders and all ancestors: the part of the tree that decides on their contents.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn tree_above(self, folders: BTreeSet<FolderId>) -> Result<Tree> {
        self.and_above(vec![], folders).await
    }

    /// The folders above documents.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn above(self, documents: &[Document]) -> Result<Tree> {
        let folders = documents.iter().filter_map(|document| document.folder_id.clone());
        self.tree_above(folders.collect()).await
    }

    /// Given folders, with others and all ancestors.
    pub(super) async fn and_above(
        self,
        given: Vec<Folder>,
        others: BTreeSet<FolderId>,
    ) -> Result<Tree> {
        let above = given.iter().map(|folder| folder.parent_folder_id.clone());
        let wanted = above.chain(others).collect();
        Ok(self.chain_with(given, wanted, Some(Life::FIRST)).await?.tree)
    }

    /// Folders and all ancestors as they stand in the organization, whose life is read with the
    /// first of them unless it is known, and the items that were read in their places.
    pub(super) fn chain(
        self,
        folders: BTreeSet<FolderId>,
        organization: Option<Life>,
    ) -> Boxed<'a, Result<Chain>> {
        self.chain_with(vec![], folders, organization)
    }

    /// Given folders, with others and all ancestors as they stand.
    fn chain_with(
        self,
        given: Vec<Folder>,
        others: BTreeSet<FolderId>,
        organization: Option<Life>,
    ) -> Boxed<'a, Result<Chain>> {
        Box::pin(async move {
            let (tenant, db) = (self.0.tenant(), self.0.tenant().db());
            let organizations = tenant.organizations().all();
            let record = organizations.rows().place_of(self.0.id());
            let mut organization = organization.map(|life| Stand::There((), life));
            let mut known: BTreeSet<FolderId> =
                given.iter().map(|folder| folder.folder_id.clone()).collect();
            let mut read: Vec<(Folder, String)> =
                given.into_iter().map(|folder| (folder, String::new())).collect();
            let (mut found, mut absent) = (Found::new(), BTreeMap::new());
            let mut wanted = others;
            for _ in 0..=MAX_FOLDER_DEPTH {
                wanted.retain(|id| !id.is_root() && known.insert(id.clone()));
                let folders = self.all();
                let places = wanted.iter().map(|id| folders.rows().place_of(id));
                let mut places: BTreeSet<(Key, Key)> = places.collect();
                if organization.is_none() {
                    places.insert(record.clone());
                }
                if places.is_empty() {
                    break;
                }
                let mut items =
                    db.get_across_standing(Table::Resources, places, Currency::Now).await?;
                let stand = match organization {
                    Some(stand) => stand,
                    None => {
                        let item =
                            items.remove(&(record.0.clone().into(), record.1.clone().into()));
                        as_added(organizations.rows().standing(item)?.as_ref())
                    }
                };
                organization = Some(stand);
                let mut above = BTreeSet::new();
                for id in &wanted {
                    let (partition, sort) = folders.rows().place_of(id);
                    let item = items.get(&(partition.into(), sort.into())).cloned();
                    match folders.rows().standing(item)?.within(&stand) {
                        Stand::There(folder, _) => {
                            above.insert(folder.parent_folder_id.clone());
                            read.push((folder, String::new()));
                        }
                        Stand::Absent(life) => drop(absent.insert(id.clone(), life)),
                    }
                }
                found.extend(items);
                wanted = above;
            }
            let organization = organization.unwrap_or(Stand::Absent(Life::FIRST));
            Ok(Chain { organization, tree: Tree::new(read).without(absent), found })
        })
    }

    /// The life of a folder in the organization's, into which something is placed.
    ///
    /// # Errors
    /// NOT_FOUND when it or a folder above it does not exist.
    pub(super) async fn placing(self, into: &FolderId, organization: Life) -> Result<Life> {
        let chain = self.chain(BTreeSet::from([into.clone()]), Some(organization)).await?;
        chain.tree.placing(into)
    }

    /// Adds folders that do not exist yet, if there is room for them; returns a result for each.
    /// `found` is what was read in their places.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(super) async fn begin(
        self,
        added: &[Folder],
        organization: Life,
        found: &Found,
    ) -> Result<Vec<Result<()>>> {
        let (folders, limit) = (self.all(), limit(organization));
        let room = take_room(&folders, &limit, added.len()).await?;
        let (added, surplus) = added.split_at(room);
        let checks = |folder: &Folder| match folder.parent_folder_id.is_root() {
            true => vec![],
            false => vec![folders.rows().lives(&folder.parent_folder_id, folder.placed)],
        };
        let refused =
            |folder: &Folder, position| match (position, folder.parent_folder_id.is_root()) {
                (0, false) => missing::<Folder>(&folder.parent_folder_id),
                _ => existing::<Folder>(&folder.folder_id),
            };
        let within = Within { organization: self.0.id(), life: organization };
        let mut written = folders.begin_all(added, within, found, checks, refused).await;
        let taken = added.iter().zip(&written).filter(|(_, result)| is_taken(result));
        let taken = taken.map(|(folder, _)| folder.folder_id.clone()).collect();
        let lies_in = |folder: &Folder| Some((folder.parent_folder_id.clone(), folder.placed));
        let left = self.left(&folders, taken, organization, lies_in).await?;
        for (folder, result) in added.iter().zip(&mut written) {
            let Some(life) = left.lives.get(&folder.folder_id).copied() else { continue };
            let (folder, within) = (std::slice::from_ref(folder), Within { life, ..within });
            let begun = folders.begin_all(folder, within, &left.found, checks, refused).await;
            *result = begun.into_iter().collect();
        }
        let failed = written.iter().filter(|result| result.is_err()).count();
        give_room(&folders, &limit, failed).await;
        written.extend(surplus.iter().map(|_| Err(full())));
        Ok(written)
    }

    /// Adds folders in order, so that one may be the parent of a later one; returns a result for
    /// each. A missing organization is created when `create` is true.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read; NOT_FOUND when there is no organization.
    pub async fn add(self, added: &[Folder], create: bool) -> Result<Vec<Result<()>>> {
        let parents = added.iter().map(|folder| folder.parent_folder_id.clone());
        let Chain { organization, mut tree, found } = self.chain(parents.collect(), None).await?;
        let organization = match organization {
            Stand::There((), life) => life,
            Stand::Absent(_) => self.0.own_record().ensure(create).await?,
        };
        let (mut refused, mut possible): (Vec<Option<Error>>, Vec<Folder>) = (vec![], vec![]);
        for folder in added {
            let mut folder = folder.clone();
            let outcome = tree.try_add(&mut folder);
            possible.extend(outcome.is_ok().then_some(folder));
            refused.push(outcome.err());
        }
        let written = self.begin(&possible, organization, &found).await?;
        let mut written = written.into_iter();
        let outcome =
            |refused: Option<Error>| refused.map_or_else(|| written.next().unwrap_or(Ok(())), Err);
        Ok(refused.into_iter().map(outcome).collect())
    }

    /// Deletes a folder, with an event. Its subfolders are deleted by the worker of the event.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn delete(self, id: &FolderId, event: Event) -> Result<()> {
        let folders = self.all();
        folders.end(id, event).await?;
        give_room(&folders, &limit(Life::FIRST), 1).await;
        Ok(())
    }
}

/// The limit in a life of the organization.
fn limit(life: Life) -> Limit {
    let prefix = format!("{}#", Folder::KIND);
    let counter = Key::named("folder-count");
    Limit { table: Folder::TABLE, counter, most: MAX_FOLDERS, prefix, life }
}

fn full() -> Error {
    Error::exhausted(format!("The organization has the maximum number of folders: {MAX_FOLDERS}."))
}
