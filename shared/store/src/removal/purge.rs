//! Deletion of dependent data. Restartable: each step deletes some of it, and deleted items are not
//! found again.
//!
//! The resource may have been added again, or data may belong to an id that was never added. Such
//! data is kept. Data that needs the resource can only be of before the deletion, or of a call in
//! flight during it, unless the resource is back; other data is of before the deletion up to the
//! time of that (decision 80).

use aws::Query;
use error::Result;
use model::{
    AnnotationId, DocumentId, Millis,
    access::Level,
    activity::Activity,
    event::{DomainEvent, Event},
    user::User,
};
use tenancy::{
    layout::{
        EVER, Index, Key, LISTED, Table, annotations_of, archived_of, home, homes_of_links,
        in_folder, in_group, item, listing, numbers_of, of_document, of_kind, of_user, presence_of,
        seen_of,
    },
    prelude::*,
    scopes::Deadline,
};

use super::items::Purge;
use crate::{editors, features::Removal, prelude::*, resources::counter_of};

/// Progress of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left.
    Done,
    /// Out of time; call it again.
    More,
}

/// Maximum duration of a call that began before a deletion, in milliseconds.
pub(super) const UNDER_WAY: Millis = 2 * 60 * 1000;
/// Items removed at a time.
const STEP: i32 = 50;
/// The tables with document partitions.
pub(super) const CONTENT: [Table; 3] = [Table::Resources, Table::Realtime, Table::Crdt];

impl Removal<'_> {
    /// Deletes the dependent data of `event`, a deletion at `at`; stops at `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn purge(self, event: &Event, at: Millis, deadline: Deadline) -> Result<Progress> {
        let settled = at.saturating_add(UNDER_WAY).min(self.0.tenant().db().clock().now());
        let is_back = self.is_back(event).await?;
        let (cutoff, free) = match event {
            // The epoch distinguishes its rows from those of a later one.
            Event::EditorDeleted { .. } => (settled, settled),
            // A membership needs its document or folder, and that of a group is a transaction.
            Event::UserDeleted { .. } => (at, at),
            _ => (if is_back { at } else { settled }, event.since().unwrap_or(at).min(at)),
        };
        let purge = Purge { organization: self.0, cutoff, free, deadline };
        for query in self.hanging_on(event) {
            if purge.run(query).await? == Progress::More {
                return Ok(Progress::More);
            }
        }
        match event {
            Event::DocumentDeleted { document_id, .. } => purge.listed(&listing(document_id)).await,
            // Added documents have an event of their own.
            Event::OrganizationDeleted { .. } => purge.listed(&Key::named(LISTED)).await,
            _ => Ok(Progress::Done),
        }
    }

    async fn is_back(self, event: &Event) -> Result<bool> {
        Ok(match event {
            Event::OrganizationDeleted { organization_id } => {
                self.0.tenant().organizations().all().find(organization_id).await?.is_some()
            }
            Event::FolderDeleted { folder_id, .. } => {
                self.0.folders().all().find(folder_id).await?.is_some()
            }
            Event::DocumentDeleted { document_id, .. } => {
                self.0.documents().all().find(document_id).await?.is_some()
            }
            Event::GroupDeleted { group_id, .. } => {
                self.0.groups().all().find(group_id).await?.is_some()
            }
            Event::UserDeleted { user_id, .. } => {
                self.0.users().all().find(&(Level::Organization, user_id.clone())).await?.is_some()
            }
            Event::Domain(event) => match thread_of(event) {
                Some(thread) => self.0.comments().all().find(&thread).await?.is_some(),
                None => false,
            },
            // The epoch distinguishes an editor from a later one with the same id.
            _ => false,
        })
    }

    /// Partition of its dependent data.
    fn hanging_on(self, event: &Event) -> Vec<Query> {
        let under = |key: Key| self.items(Some(&key));
        let realtime = |key: Key| Query { table: Table::Realtime.name(), ..under(key) };
        let indexed = |group: Key| Query {
            index: Some(Index::Container.names()[0]),
            partition: (item::INDEX_PK, self.0.partition().join(&group).into()),
            ..self.items(None)
        };
        let targeted = |group: Key| Query {
            index: Some(Index::Target.names()[0]),
            partition: (Index::Target.names()[1], self.0.partition().join(&group).into()),
            ..self.items(None)
        };
        let crdt = |key: Key| Query { table: Table::Crdt.name(), ..under(key) };
        match event {
            Event::OrganizationDeleted { .. } => {
                let own = self.whole(self.0.partition(), Table::Resources);
                let rows = homes_of_links(self.0.partition()).flat_map(|home| {
                    [Table::Resources, Table::Realtime].map(|table| self.whole(&home, table))
                });
                let activities = self.0.activities().all();
                let activities =
                    activities.rows().during(Index::Kind, &of_kind::<Activity>(), EVER, false);
                let activities = Query { limit: STEP, ..activities };
                [own].into_iter().chain(rows).chain([activities]).collect()
            }
            Event::FolderDeleted { folder_id, .. } => vec![
                under(Key::pair("folder-user", folder_id.as_str())),
                under(Key::pair("folder-grant", folder_id.as_str())),
                indexed(in_folder(folder_id)),
            ],
            Event::DocumentDeleted { document_id, .. } => [
                under(Key::pair("document-user", document_id.as_str())),
                under(Key::pair("document-grant", document_id.as_str())),
                indexed(of_document(document_id)),
                targeted(of_document(document_id)),
            ]
            .into_iter()
            .chain(CONTENT.map(|table| self.whole(&self.content_of(document_id), table)))
            .collect(),
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
                vec![
                    under(archived_of(&thread)),
                    under(numbers_of(&thread)),
                    under(seen_of(&thread)),
                ]
            }),
            // Other events are no deletions ([`Event::is_deletion`]).
            _ => vec![],
        }
    }

    pub(crate) fn items(self, under: Option<&Key>) -> Query {
        let query =
            self.0.collection::<User>().rows().under(under.map_or_else(String::new, Key::prefix));
        Query { prefix: query.prefix.filter(|_| under.is_some()), limit: STEP, ..query }
    }

    /// Everything in a partition.
    pub(super) fn whole(self, partition: &Key, table: Table) -> Query {
        let partition = (item::PK, partition.as_str().to_owned());
        Query { table: table.name(), partition, ..self.items(None) }
    }

    /// The partition of a document.
    fn content_of(self, document: &DocumentId) -> Key {
        home(self.0.partition(), &annotations_of(document).prefix())
    }
}

/// The thread of an event.
fn thread_of(event: &DomainEvent) -> Option<(DocumentId, AnnotationId)> {
    Some((event.document_id.clone(), event.annotation_id.clone()?))
}
