//! Removing what hung on something deleted. Restartable: each step removes some of it, and what
//! is gone is not found again.
//!
//! What was deleted may be there again by now, with new things hanging on it. Then only what was
//! written before the deletion goes; otherwise everything found goes.

use std::collections::BTreeSet;

use aws::{Condition, Item, Query, Value, Write};
use error::Result;
use model::{
    AnnotationId, DocumentId, Millis,
    access::Level,
    comment::{Annotation, ArchivedComment},
    document::Document,
    event::{DomainEvent, Event},
    folder::Folder,
    user::User,
};

use crate::{
    editors,
    inbox::seen_in,
    layout::{Entity, Index, Key, Table, WRITTEN, in_folder, in_group, item, of_document, of_user},
    resources::{counter_of, live_in, presence_behind, presence_of, present_in},
    scopes::{OrganizationStore, place_of},
    threads::{annotations_of, archived_in, archived_of, numbers_in, numbers_of},
    writing::{Fate, Unit},
};

/// Whether a purge came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left.
    Done,
    /// The time was up; it must be called again.
    More,
}

/// Items removed at a time.
const STEP: i32 = 50;
/// Rows removed together with the item they lead to; a transaction has room for 100.
const MAX_LINKS: usize = 90;

impl OrganizationStore {
    /// Removes what hung on what `event` tells was deleted at `at`; stops at `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: some of it is gone, the rest goes with the next call.
    pub async fn purge(&self, event: &Event, at: Millis, deadline: Millis) -> Result<Progress> {
        let cutoff = if self.is_back(event).await? { at } else { self.tenant.db.clock.now() };
        let purge = Purge { organization: self, cutoff, deadline };
        for query in self.hanging_on(event) {
            if purge.run(query).await? == Progress::More {
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }

    async fn is_back(&self, event: &Event) -> Result<bool> {
        Ok(match event {
            Event::OrganizationDeleted { organization_id } => {
                self.tenant.organizations().find(organization_id).await?.is_some()
            }
            Event::FolderDeleted { folder_id, .. } => {
                self.folders().find(folder_id).await?.is_some()
            }
            Event::DocumentDeleted { document_id, .. } => {
                self.documents().find(document_id).await?.is_some()
            }
            Event::GroupDeleted { group_id, .. } => self.groups().find(group_id).await?.is_some(),
            Event::UserDeleted { user_id, .. } => {
                self.users().find(&(Level::Organization, user_id.clone())).await?.is_some()
            }
            Event::Domain(event) => match thread_of(event) {
                Some(thread) => self.annotations().find(&thread).await?.is_some(),
                None => false,
            },
            // The epoch tells an editor from one that was added since.
            _ => false,
        })
    }

    /// Where everything lies that hangs on it.
    fn hanging_on(&self, event: &Event) -> Vec<Query> {
        let under = |key: Key| self.items(Some((item::SK, key.prefix())));
        let realtime = |key: Key| Query { table: Table::Realtime.name(), ..under(key) };
        let indexed = |group: Key| Query {
            index: Some(Index::Container.names()[0]),
            partition: (item::INDEX_PK, self.partition.join(&group).into()),
            ..self.items(None)
        };
        let targeted = |group: Key| Query {
            index: Some(Index::Target.names()[0]),
            partition: (Index::Target.names()[1], self.partition.join(&group).into()),
            ..self.items(None)
        };
        let crdt = |key: Key| Query { table: Table::Crdt.name(), ..under(key) };
        match event {
            Event::OrganizationDeleted { .. } => [Table::Resources, Table::Realtime, Table::Crdt]
                .map(|table| Query { table: table.name(), ..self.items(None) })
                .into(),
            Event::FolderDeleted { folder_id, .. } => vec![
                under(Key::of("folder-user", folder_id.as_str())),
                under(Key::of("folder-grant", folder_id.as_str())),
                indexed(in_folder(folder_id)),
            ],
            Event::DocumentDeleted { document_id, .. } => vec![
                under(Key::of("document-user", document_id.as_str())),
                under(Key::of("document-grant", document_id.as_str())),
                realtime(present_in(document_id)),
                realtime(live_in(document_id)),
                under(annotations_of(document_id)),
                under(archived_in(document_id)),
                under(numbers_in(document_id)),
                under(seen_in(document_id)),
                indexed(of_document(document_id)),
                targeted(of_document(document_id)),
                crdt(editors::of_document(document_id)),
            ],
            Event::EditorDeleted { document_id, editor_id, epoch, .. } => {
                editors::made_of(document_id, editor_id, epoch).map(crdt).into()
            }
            Event::GroupDeleted { group_id, .. } => {
                vec![under(in_group(group_id)), under(counter_of(group_id))]
            }
            Event::UserDeleted { user_id, .. } => {
                vec![indexed(of_user(user_id)), realtime(presence_of(user_id))]
            }
            Event::Domain(event) => thread_of(event).map_or_else(Vec::new, |thread| {
                vec![under(archived_of(&thread)), under(numbers_of(&thread))]
            }),
            // Nothing else is a deletion ([`Event::is_deletion`]).
            _ => vec![],
        }
    }

    pub(crate) fn items(&self, prefix: Option<(&'static str, String)>) -> Query {
        Query { prefix, limit: STEP, ..self.of::<User>().under(String::new()) }
    }
}

/// The thread that an event is about.
fn thread_of(event: &DomainEvent) -> Option<(DocumentId, AnnotationId)> {
    Some((event.document_id.clone(), event.annotation_id.clone()?))
}

/// Removing what was written up to a time.
pub(crate) struct Purge<'a> {
    pub(crate) organization: &'a OrganizationStore,
    pub(crate) cutoff: Millis,
    pub(crate) deadline: Millis,
}

impl Purge<'_> {
    /// Removes what a query finds.
    pub(crate) async fn run(&self, mut query: Query) -> Result<Progress> {
        let db = &self.organization.tenant.db;
        loop {
            if db.clock.now() >= self.deadline {
                return Ok(Progress::More);
            }
            let found = db.query(query.clone()).await?;
            let mut units = Vec::new();
            for item in found.items {
                if self.is_meant(&item) {
                    units.extend(self.surplus(query.table, &item)?);
                    units.push(self.unit(query.table, item)?);
                }
            }
            for fate in db.commit_all(units).await {
                if let Fate::Failed(error) = fate {
                    return Err(error);
                }
            }
            match found.next {
                None => return Ok(Progress::Done),
                next => query.start = next,
            }
        }
    }

    /// Whether what was found was written before the deletion.
    fn is_meant(&self, item: &Item) -> bool {
        match item.get(WRITTEN) {
            Some(Value::N(written)) => written.parse::<Millis>().is_ok_and(|at| at <= self.cutoff),
            _ => false,
        }
    }

    /// Rows that lead to an item and do not fit into the unit that removes it: they go first,
    /// while it lists them.
    fn surplus(&self, table: &'static str, item: &Item) -> Result<Vec<Unit>> {
        let links: Vec<String> = self.links_in(item)?.into_iter().skip(MAX_LINKS).collect();
        let delete = |link: &String| {
            let key = item::named_key(&self.organization.partition, link);
            Write::Delete { table, key, condition: None }
        };
        let unit = |links: &[String]| {
            let writes = links.iter().map(delete).collect();
            Unit { writes, ..Unit::default() }
        };
        Ok(links.chunks(MAX_LINKS).map(unit).collect())
    }

    /// The sort keys of the rows that lead to an item of whatever kind.
    fn links_in(&self, item: &Item) -> Result<BTreeSet<String>> {
        let (_, sort) = place_of(item);
        match sort.split_once('#') {
            Some((Annotation::KIND, _)) => self.organization.annotations().links_of(item),
            Some((ArchivedComment::KIND, _)) => {
                self.organization.of::<ArchivedComment>().links_of(item)
            }
            _ => Ok(item::links(item)),
        }
    }

    /// Removes the item as it was found. Folders and documents go with an event of their own, so
    /// that what hangs on them goes, too.
    fn unit(&self, table: &'static str, item: Item) -> Result<Unit> {
        let (_, sort) = place_of(&item);
        let links = self.links_in(&item)?.into_iter();
        let links = links.chain(presence_behind(&item).map(str::to_owned)).take(MAX_LINKS);
        let links: Vec<Item> =
            links.map(|link| item::named_key(&self.organization.partition, &link)).collect();
        let organization = self.organization;
        let organization_id = organization.id.clone();
        let (event, place) = match sort.split_once('#') {
            Some((kind, _)) if kind == Document::KIND => {
                let document: Document = organization.documents().decode(item.clone())?;
                let event =
                    Event::DocumentDeleted { organization_id, document_id: document.document_id };
                (Some(event), ("folderId", document.folder_id))
            }
            Some((kind, _)) if kind == Folder::KIND => {
                let folder: Folder = organization.folders().decode(item.clone())?;
                let event = Event::FolderDeleted { organization_id, folder_id: folder.folder_id };
                (Some(event), ("parentFolderId", Some(folder.parent_folder_id)))
            }
            _ => (None, ("", None)),
        };
        let mut condition = Condition {
            expression: "#written <= :cutoff".to_owned(),
            names: [("#written".to_owned(), WRITTEN.to_owned())].into(),
            values: [(":cutoff".to_owned(), Value::N(self.cutoff.to_string()))].into(),
        };
        // It may have been moved out since the index was read.
        if let (attribute, Some(folder)) = place {
            condition.expression.push_str(" AND #folder = :folder");
            condition.names.insert("#folder".to_owned(), attribute.to_owned());
            condition.values.insert(":folder".to_owned(), Value::S(folder.into()));
        }
        let key =
            item.into_iter().filter(|(name, _)| name == item::PK || name == item::SK).collect();
        let mut writes = vec![Write::Delete { table, key, condition: Some(condition) }];
        writes.extend(links.into_iter().map(|key| Write::Delete { table, key, condition: None }));
        let emitted = organization.of::<User>().emitted(event);
        Ok(Unit { writes, emitted, ..Unit::default() })
    }
}
