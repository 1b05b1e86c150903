//! Folders in pages.

use std::collections::BTreeSet;

use error::Result;
use model::{FolderId, PageToken, folder::Folder};
use tenancy::{
    layout::{Entity, in_folder},
    prelude::*,
    reading::{Page, missing},
};

use super::tree::Tree;
use crate::folders::Folders;

/// Up to this number, all folders are read, whichever are requested.
const FEW: usize = 500;

/// One page of folders.
pub struct FolderPage {
    /// Folders of the page with all ancestors, and descendants if requested.
    pub tree: Tree,
    /// Folders of the page, parents before children, siblings by name and id.
    pub listed: Vec<FolderId>,
    /// Start of the next page; none on the last.
    pub next: Option<PageToken>,
}

impl Folders<'_> {
    /// One page of all folders, in the order of ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(self, page: &Page) -> Result<FolderPage> {
        let paged = self.all().list(page).await?;
        let listed: BTreeSet<FolderId> =
            paged.items.iter().map(|folder| folder.folder_id.clone()).collect();
        let tree = self.and_above(paged.items, BTreeSet::new()).await?;
        let is_listed =
            |folder: &&Folder| listed.contains(&folder.folder_id) && !tree.hides_folder(folder);
        let in_order = tree.all().into_iter().filter(is_listed);
        let listed = in_order.map(|folder| folder.folder_id.clone()).collect();
        Ok(FolderPage { tree, listed, next: paged.next })
    }

    /// One page of the folders directly in another, or at the top; with all descendants when
    /// `is_deep`. Pages are in the order of ids. With many folders, those of one parent are read
    /// from an index: recently added or moved ones may be missing.
    ///
    /// # Errors
    /// NOT_FOUND; RESOURCE_EXHAUSTED.
    pub async fn below(
        self,
        of: Option<&FolderId>,
        is_deep: bool,
        page: &Page,
    ) -> Result<FolderPage> {
        let (folders, top) = (self.all(), FolderId::root());
        let parent = of.unwrap_or(&top);
        let whole = match self.tree_of_few().await? {
            None if is_deep => Some(self.tree().await?),
            found => found,
        };
        let Some(tree) = whole else {
            let mut read = match of {
                Some(of) => vec![folders.get(of).await?],
                None => vec![],
            };
            let paged =
                folders.rows().page(folders.rows().indexed(&in_folder(parent)), page).await?;
            read.extend(paged.items);
            let tree = self.and_above(read, BTreeSet::new()).await?;
            let listed = tree.shown_in(parent).map(|folder| folder.folder_id.clone()).collect();
            return Ok(FolderPage { tree, listed, next: paged.next });
        };
        let is_found = |of: &FolderId| tree.get(of).is_some_and(|it| !tree.hides_folder(it));
        if let Some(of) = of.filter(|of| !is_found(of)) {
            return Err(missing::<Folder>(of));
        }
        let after = page.cursor().and_then(<[String]>::first);
        let is_left = |id: &&FolderId| {
            let sort = String::from(Folder::place(id).into_key());
            after.is_none_or(|after| sort > *after)
        };
        let children: BTreeSet<&FolderId> =
            tree.shown_in(parent).map(|folder| &folder.folder_id).filter(is_left).collect();
        let here: BTreeSet<&FolderId> = children.iter().copied().take(page.limit()).collect();
        let next = match here.last() {
            Some(last) if children.len() > here.len() => {
                let sort = String::from(Folder::place(last).into_key());
                // In the order of the index.
                Some(page.token(&[&sort, &sort, self.0.partition().as_str()])?)
            }
            _ => None,
        };
        let listed = tree.shown_in(parent).map(|folder| &folder.folder_id);
        let listed = listed.filter(|id| here.contains(id)).cloned().collect();
        Ok(FolderPage { listed, next, tree })
    }

    /// All folders, if they are few.
    async fn tree_of_few(self) -> Result<Option<Tree>> {
        let folders = self.all();
        let query = folders.rows().under(format!("{}#", Folder::KIND));
        let (items, more) = folders.rows().fetch(query, FEW).await?;
        if more {
            return Ok(None);
        }
        let read = items.into_iter().map(|item| Ok((folders.rows().decode(item)?, String::new())));
        Ok(Some(Tree::new(read.collect::<Result<_>>()?)))
    }
}
