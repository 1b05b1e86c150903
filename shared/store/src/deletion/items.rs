//! Deletion of items of any kind, with their link rows.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use aws::{Condition, Item, Query, Write};
use error::Result;
use model::{
    DocumentId,
    comment::{ArchivedComment, Thread},
    document::Document,
    folder::Folder,
    life::Life,
    user::User,
    user_group::{Group, GroupMember},
};
use tenancy::{
    layout::{Container, Entity, Key, Table, VERSION, WRITTEN, item, lives},
    prelude::*,
    reading::new_version,
    scopes::{Deadline, OrganizationStore, place_of},
    writing::{Unit, no_failure},
};

use super::{
    fate::{Judge, Of},
    purge::{CONTENT, Progress},
};
use crate::{prelude::*, presence::presence_behind};

/// Link rows deleted together with their item; a transaction has room for 100.
const MAX_LINKS: usize = 90;

/// Deletion of what belongs to no present life.
pub(crate) struct Purge<'a> {
    pub(crate) organization: &'a OrganizationStore,
    /// The container of the rows.
    pub(crate) of: Of,
    /// The time of the deletion.
    pub(crate) end: Life,
    pub(crate) deadline: Deadline,
    /// Whether anything had to go.
    pub(crate) found: AtomicBool,
}

impl Purge<'_> {
    /// Deletes the content of documents listed under a key, and the listing rows when nothing is
    /// left.
    pub(super) async fn listed(&self, under: &Key) -> Result<Progress> {
        let (organization, db) = (self.organization, self.organization.tenant().db());
        for table in [Table::Realtime, Table::Crdt] {
            let mut query =
                Query { table: table.name(), ..organization.deletion().items(Some(under)) };
            loop {
                let found = db.query_everything(query.clone()).await?;
                let mut empty = Vec::new();
                for row in found.items {
                    let Some(home) = self.content_home(&row) else { continue };
                    if self.contents(&home).await? == Progress::More {
                        return Ok(Progress::More);
                    }
                    let remaining =
                        Query { limit: 1, ..organization.deletion().whole(&home, table) };
                    if db.query_everything(remaining).await?.items.is_empty() {
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
            if self.run(self.organization.deletion().content(home, table)).await? == Progress::More
            {
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
            let found = db.query_everything(query.clone()).await?;
            self.remove(query.table, found.items).await?;
            match found.next {
                None => return Ok(Progress::Done),
                next => query.start = next,
            }
        }
    }

    /// Deletes those of the items that have to go.
    pub(crate) async fn remove(&self, table: &'static str, items: Vec<Item>) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        let judge = self.judge(&items).await?;
        let gone: Vec<Item> = items.into_iter().filter(|item| judge.removes(item)).collect();
        self.close(&gone, &judge).await?;
        self.leave(&gone).await?;
        let mut units = Vec::new();
        for item in gone {
            self.found.store(true, Relaxed);
            units.extend(self.surplus(table, &item)?);
            let end = judge.end(&item);
            units.push(self.unit(table, item, end)?);
        }
        no_failure(self.organization.tenant().db().commit_all(units).await)
    }

    /// Closes the editors of documents that go, up to the end of their life.
    async fn close(&self, gone: &[Item], judge: &Judge) -> Result<()> {
        let is_document = |item: &&Item| {
            place_of(item).1.split_once('#').is_some_and(|pair| pair.0 == Document::KIND)
        };
        let documents = self.organization.documents().all();
        let mut ended: BTreeMap<Life, Vec<DocumentId>> = BTreeMap::new();
        for item in gone.iter().filter(is_document) {
            let id = documents.rows().decode(item.clone())?.document_id;
            ended.entry(judge.end(item)).or_default().push(id);
        }
        for (end, ids) in ended {
            self.organization.editors().close_until(&ids, end).await?;
        }
        Ok(())
    }

    /// Takes the members of groups that go out of the memberships of their users. Before the rows
    /// that name them, which an interrupted clean-up finds again.
    async fn leave(&self, gone: &[Item]) -> Result<()> {
        match &self.of {
            Of::Container(_, group) if group.as_str().starts_with("group#") => {}
            Of::Container(..) | Of::Lives | Of::Thread(..) | Of::Epoch | Of::User | Of::Erased => {
                return Ok(());
            }
        }
        let rows = self.organization.user_groups().members();
        let is_member = |item: &&Item| place_of(item).1.split('#').nth(2) == Some("user");
        let members = gone.iter().filter(is_member).map(|item| rows.rows().decode(item.clone()));
        let members: Vec<GroupMember> = members.collect::<Result<_>>()?;
        self.organization.user_groups().dissolve(&members).await
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
            Some((Thread::KIND, _)) => {
                self.organization.comments().all().rows().links().links_of(item)
            }
            Some((ArchivedComment::KIND, _)) => {
                self.organization.collection::<ArchivedComment>().rows().links().links_of(item)
            }
            _ => Ok(item::links(item)),
        }
    }

    /// Deletes the item in the version that was read. Folders, documents and groups have an event of
    /// their own, so that their dependent data is deleted as well: their lives end with that of
    /// what took them along.
    fn unit(&self, table: &'static str, item: Item, end: Life) -> Result<Unit> {
        let (_, sort) = place_of(&item);
        let links = self.links_in(&item)?.into_iter();
        let links = links.chain(presence_behind(&item).map(str::to_owned)).take(MAX_LINKS);
        let links: Vec<Item> =
            links.map(|link| item::named_key(self.organization.partition(), &link)).collect();
        let condition = as_read(&item);
        let organization = self.organization;
        let (of, parts) = (organization.id(), sort.split('#').count());
        let event = match sort.split_once('#') {
            Some((Document::KIND, _)) => {
                let documents = organization.documents().all();
                Some(documents.rows().decode(item.clone())?.deletion(of, end))
            }
            Some((Folder::KIND, _)) => {
                let folders = organization.folders().all();
                Some(folders.rows().decode(item.clone())?.deletion(of, end))
            }
            Some((Group::KIND, _)) if parts == 3 => {
                let groups = organization.user_groups().all();
                Some(groups.rows().decode(item.clone())?.deletion(of, end))
            }
            _ => None,
        };
        let key = item::key_of(&item);
        let first = match &event {
            None => Write::Delete { table, key, condition: Some(condition) },
            Some(_) => {
                let now = organization.tenant().db().clock().now();
                let mut item = item::tombstone(&key, &new_version()?, now);
                lives::end(&mut item, end);
                Write::Put { table, item, condition: Some(condition) }
            }
        };
        let mut writes = vec![first];
        writes.extend(links.into_iter().map(|key| Write::Delete { table, key, condition: None }));
        let emitted = organization.collection::<User>().rows().emitted(event);
        Ok(Unit::new(writes).emitting(emitted))
    }
}

/// The condition that an item is as it was read.
fn as_read(item: &Item) -> Condition {
    let (name, attribute) = match item.contains_key(VERSION) {
        true => ("#version", VERSION),
        false => ("#written", WRITTEN),
    };
    let (expression, values) = match item.get(attribute) {
        Some(value) => (format!("{name} = :read"), [(":read".to_owned(), value.clone())].into()),
        None => (format!("attribute_not_exists({name})"), Item::new()),
    };
    Condition { expression, names: [(name.to_owned(), attribute.to_owned())].into(), values }
}
