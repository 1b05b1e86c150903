//! Deletion of items of any kind, with their link rows.

use std::collections::{BTreeSet, HashMap};

use aws::{Condition, Item, Query, Value, Write};
use error::Result;
use model::{
    Millis,
    comment::{Annotation, ArchivedComment},
    document::Document,
    event::Event,
    folder::Folder,
    user::User,
};
use tenancy::{
    layout::{Entity, Key, Table, WRITTEN, item},
    prelude::*,
    scopes::{Deadline, OrganizationStore, place_of},
    writing::{Unit, no_failure},
};

use super::purge::{CONTENT, Progress};
use crate::{prelude::*, resources::presence_behind};

/// Link rows deleted together with their item; a transaction has room for 100.
const MAX_LINKS: usize = 90;

/// Heads of the sort keys of data that needs nothing else: what is written after a deletion is new.
const FREE: [&str; 11] = [
    "activity",
    "crdt",
    "document-grant",
    "folder-grant",
    "link",
    "listed",
    "live-state",
    "notification",
    "organization-grant",
    "preference",
    "presence",
];
/// Parts of an editor besides its head and the number of editors.
const OF_EDITORS: [&str; 3] = ["client", "log", "snapshot"];

/// Deletion of data written up to a time.
pub(crate) struct Purge<'a> {
    pub(crate) organization: &'a OrganizationStore,
    pub(crate) cutoff: Millis,
    /// The same for data that needs nothing else.
    pub(crate) free: Millis,
    pub(crate) deadline: Deadline,
}

impl Purge<'_> {
    /// Deletes the content of documents listed under a key, and the listing rows when nothing is
    /// left.
    pub(super) async fn listed(&self, under: &Key) -> Result<Progress> {
        let (organization, db) = (self.organization, self.organization.tenant().db());
        for table in [Table::Realtime, Table::Crdt] {
            let mut query =
                Query { table: table.name(), ..organization.removal().items(Some(under)) };
            loop {
                let found = db.query(query.clone()).await?;
                let mut empty = Vec::new();
                for row in found.items {
                    let Some(home) = self.content_home(&row) else { continue };
                    if self.contents(&home).await? == Progress::More {
                        return Ok(Progress::More);
                    }
                    let remaining =
                        Query { limit: 1, ..organization.removal().whole(&home, table) };
                    if db.query(remaining).await?.items.is_empty() {
                        empty.push(row);
                    }
                }
                self.remove(query.table, empty).await?;
                match found.next {
                    None => break,
                    next => query.start = next,
                }
            }
        }
        Ok(Progress::Done)
    }

    async fn contents(&self, home: &Key) -> Result<Progress> {
        for table in CONTENT {
            if self.run(self.organization.removal().whole(home, table)).await? == Progress::More {
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }

    /// The document partition of a thread or a listing row.
    fn content_home(&self, item: &Item) -> Option<Key> {
        let (_, sort) = place_of(item);
        let document = sort.split('#').nth(1)?;
        Some(self.organization.partition().and_escaped("document", document))
    }

    /// Deletes the results of a query.
    pub(crate) async fn run(&self, mut query: Query) -> Result<Progress> {
        let db = self.organization.tenant().db();
        loop {
            if db.clock().is_past(self.deadline) {
                return Ok(Progress::More);
            }
            let found = db.query(query.clone()).await?;
            self.remove(query.table, found.items).await?;
            match found.next {
                None => return Ok(Progress::Done),
                next => query.start = next,
            }
        }
    }

    /// Deletes the matching items.
    async fn remove(&self, table: &'static str, items: Vec<Item>) -> Result<()> {
        let epochs = self.epochs_of(&items).await?;
        let mut units = Vec::new();
        for item in items {
            let cutoff = self.cutoff_of(&item, &epochs);
            if item::number(&item, WRITTEN).is_some_and(|written| written <= cutoff) {
                units.extend(self.surplus(table, &item)?);
                units.push(self.unit(table, item, cutoff)?);
            }
        }
        no_failure(self.organization.tenant().db().commit_all(units).await)
    }

    /// The time up to which such an item is deleted.
    fn cutoff_of(&self, item: &Item, epochs: &HashMap<String, Item>) -> Millis {
        let (_, sort) = place_of(item);
        let is_free = sort.split('#').next().is_some_and(|head| FREE.contains(&head));
        // What was appended to a deleted editor goes with it.
        let is_orphan = head_of(&sort).is_some_and(|(head, epoch)| {
            let current = epochs.get(&head).and_then(|head| head.get("epoch"));
            current != Some(&Value::S(epoch))
        });
        if is_free && !is_orphan { self.free } else { self.cutoff }
    }

    /// The heads of the editors that items are parts of.
    async fn epochs_of(&self, items: &[Item]) -> Result<HashMap<String, Item>> {
        let heads = items.iter().filter_map(|item| Some(head_of(&place_of(item).1)?.0));
        let heads: Vec<String> = heads.collect::<BTreeSet<_>>().into_iter().collect();
        let db = self.organization.tenant().db();
        db.get_named(Table::Crdt, self.organization.partition(), &heads).await
    }

    /// Excess link rows of an item, beyond its transaction: deleted first, while it lists them.
    fn surplus(&self, table: &'static str, item: &Item) -> Result<Vec<Unit>> {
        let links: Vec<String> = self.links_in(item)?.into_iter().skip(MAX_LINKS).collect();
        let delete = |link: &String| {
            let key = item::named_key(self.organization.partition(), link);
            Write::Delete { table, key, condition: None }
        };
        let unit = |links: &[String]| {
            let writes = links.iter().map(delete).collect();
            Unit::new(writes)
        };
        Ok(links.chunks(MAX_LINKS).map(unit).collect())
    }

    /// The sort keys of the link rows to an item of whatever kind.
    fn links_in(&self, item: &Item) -> Result<BTreeSet<String>> {
        let (_, sort) = place_of(item);
        match sort.split_once('#') {
            Some((Annotation::KIND, _)) => self.organization.comments().all().rows().links_of(item),
            Some((ArchivedComment::KIND, _)) => {
                self.organization.collection::<ArchivedComment>().rows().links_of(item)
            }
            _ => Ok(item::links(item)),
        }
    }

    /// Deletes the item in the version that was read. Folders and documents have an event of their
    /// own, so that their dependent data is deleted as well.
    fn unit(&self, table: &'static str, item: Item, cutoff: Millis) -> Result<Unit> {
        let (_, sort) = place_of(&item);
        let links = self.links_in(&item)?.into_iter();
        let links = links.chain(presence_behind(&item).map(str::to_owned)).take(MAX_LINKS);
        let links: Vec<Item> =
            links.map(|link| item::named_key(self.organization.partition(), &link)).collect();
        let organization = self.organization;
        let organization_id = organization.id().clone();
        let (event, place) = match sort.split_once('#') {
            Some((kind, _)) if kind == Document::KIND => {
                let document: Document =
                    organization.documents().all().rows().decode(item.clone())?;
                let (document_id, since) = (document.document_id, Some(self.free));
                let event = Event::DocumentDeleted { organization_id, document_id, since };
                (Some(event), ("folderId", document.folder_id))
            }
            Some((kind, _)) if kind == Folder::KIND => {
                let folder: Folder = organization.folders().all().rows().decode(item.clone())?;
                let (folder_id, since) = (folder.folder_id, Some(self.free));
                let event = Event::FolderDeleted { organization_id, folder_id, since };
                (Some(event), ("parentFolderId", Some(folder.parent_folder_id)))
            }
            _ => (None, ("", None)),
        };
        let mut condition = Condition {
            expression: "#written <= :cutoff".to_owned(),
            names: [("#written".to_owned(), WRITTEN.to_owned())].into(),
            values: [(":cutoff".to_owned(), Value::N(cutoff.to_string()))].into(),
        };
        // It may have moved since the index was read.
        if let (attribute, Some(folder)) = place {
            condition.expression.push_str(" AND #folder = :folder");
            condition.names.insert("#folder".to_owned(), attribute.to_owned());
            condition.values.insert(":folder".to_owned(), Value::S(folder.into()));
        }
        let key =
            item.into_iter().filter(|(name, _)| name == item::PK || name == item::SK).collect();
        let mut writes = vec![Write::Delete { table, key, condition: Some(condition) }];
        writes.extend(links.into_iter().map(|key| Write::Delete { table, key, condition: None }));
        let emitted = organization.collection::<User>().rows().emitted(event);
        Ok(Unit::new(writes).emitting(emitted))
    }
}

/// The sort key of the head of an editor that a row is a part of, and the epoch of the row.
fn head_of(sort: &str) -> Option<(String, String)> {
    let mut parts = sort.split('#');
    let [crdt, document, part, editor] = std::array::from_fn(|_| parts.next());
    let (document, editor, epoch) = (document?, editor?, parts.nth(1)?);
    let is_part = crdt == Some("crdt") && OF_EDITORS.contains(&part?);
    is_part.then(|| (format!("crdt#{document}#head#{editor}"), epoch.to_owned()))
}
