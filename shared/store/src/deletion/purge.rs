//! Deletion of dependent data. Restartable: each step deletes some of it, and deleted items are not
//! found again.
//!
//! The removal follows from the lives of containers, never from the time of the clean-up (decision
//! 101): the container of the event is read after its rows, and a row that is of an earlier life of
//! it, or cannot be without it, goes in the version that was read. A clean-up ends when a look
//! finds nothing more; then the tombstone of the container may expire.

use std::sync::atomic::AtomicBool;

use aws::{Failure, Query, Update, Value};
use error::Result;
use model::{
    AnnotationId, DocumentId, Millis,
    activity::Activity,
    comment::Thread,
    document::Document,
    event::{DomainEvent, Event},
    folder::Folder,
    life::Life,
    organization::Organization,
    permissions::Level,
    user::User,
    user_group::Group,
};
use tenancy::{
    layout::{
        ENDED, EVENTS, EVER, EXPIRES, Entity, Index, Key, LISTED, Place, Table, archived_of, home,
        homes_of_links, in_folder, in_group, item, listing, lives, numbers_of, of_document,
        of_kind, of_user, presence_of, seen_of, threads_in,
    },
    prelude::*,
    scopes::{Deadline, report},
};

use super::{fate::Of, items::Purge};
use crate::{deletion::Deletion, editors, prelude::*, user_groups::counter_of};

/// Progress of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left.
    Done,
    /// Out of time; call it again.
    More,
}

/// A purge, and whether it has found anything to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purged {
    /// How far it came.
    pub progress: Progress,
    /// Whether it found something that had to go.
    pub found: bool,
}

/// How far apart the time of an event and the end that it names may be, by the clocks of two
/// machines, in milliseconds: less than a look is from the next.
const APART: Millis = 60_000;
/// Items removed at a time.
const STEP: i32 = 50;
/// The tables with document partitions.
pub(super) const CONTENT: [Table; 3] = [Table::Resources, Table::Realtime, Table::Crdt];

impl Deletion<'_> {
    /// Deletes the dependent data of `event`, a deletion at `at`; stops at `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn purge(self, event: &Event, at: Millis, deadline: Deadline) -> Result<Purged> {
        let end = Life::after(event.since().unwrap_or(at).min(at));
        let of = self.container_of(event);
        let purge = Purge { organization: self.0, of, end, deadline, found: AtomicBool::default() };
        let progress = self.purge_with(&purge, event).await?;
        Ok(Purged { progress, found: purge.found.into_inner() })
    }

    pub(crate) async fn purge_with(self, purge: &Purge<'_>, event: &Event) -> Result<Progress> {
        for query in self.hanging_on(event) {
            if purge.run(query).await? == Progress::More {
                return Ok(Progress::More);
            }
        }
        match event {
            Event::DocumentDeleted { document_id, .. } => purge.listed(&listing(document_id)).await,
            Event::UserDeleted { user_id, .. } => {
                // A membership by a call that had begun before the departure.
                let id = (Level::Organization, user_id.clone());
                let users = self.0.users().all();
                let found = users.rows().read(std::slice::from_ref(&id)).await?.remove(&id);
                let membership = found.into_iter().filter(item::is_there).collect();
                purge.remove(User::TABLE.name(), membership).await?;
                Ok(Progress::Done)
            }
            // Added documents have an event of their own.
            Event::OrganizationDeleted { .. } => purge.listed(&Key::named(LISTED)).await,
            _ => Ok(Progress::Done),
        }
    }

    /// Lets the tombstone of the event's container expire, after a look that found nothing. `at` is
    /// the time of the deletion: the tombstone of a later one waits for a clean-up of its own.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn confirm(self, event: &Event, at: Millis) -> Result<()> {
        let Of::Container(partition, sort) = self.container_of(event) else { return Ok(()) };
        let now = self.0.tenant().db().clock().now();
        let expires = Value::N(lives::expiring(now).to_string());
        let latest = Value::N(at.saturating_add(APART).to_string());
        // The events have been handled: without them, the stream brings them no second time.
        let update = Update {
            expression: "SET #expires = :expires REMOVE #events".to_owned(),
            condition: Some("#ended <= :latest AND attribute_not_exists(#expires)".to_owned()),
            names: [("#expires", EXPIRES), ("#events", EVENTS), ("#ended", ENDED)]
                .map(|(name, attribute)| (name.to_owned(), attribute.to_owned()))
                .into(),
            values: [(":expires".to_owned(), expires), (":latest".to_owned(), latest)].into(),
        };
        let key = item::key(&partition, &sort);
        // Half the price of a transaction: applied twice, its condition fails.
        match self.0.tenant().db().dynamo().update(Table::Resources.name(), key, update).await {
            Ok(_) | Err(Failure::Condition(_)) => Ok(()),
            Err(failure) => Err(report(failure)),
        }
    }

    /// The container of the rows of an event.
    fn container_of(self, event: &Event) -> Of {
        let here = |key: Place| Of::Container(self.0.partition().clone(), key.into_key());
        match event {
            Event::OrganizationDeleted { organization_id } => {
                let sort = Organization::place(organization_id).into_key();
                Of::Container(self.0.tenant().partition().clone(), sort)
            }
            Event::FolderDeleted { folder_id, .. } => here(Folder::place(folder_id)),
            Event::DocumentDeleted { document_id, .. } => here(Document::place(document_id)),
            Event::GroupDeleted { group_id, .. } => here(Group::place(group_id)),
            Event::EditorDeleted { .. } => Of::Epoch,
            Event::Domain(event) => match thread_of(event) {
                Some(thread) => {
                    let home = self.content_of(&thread.0);
                    Of::Thread(home, Thread::place(&thread).into_key())
                }
                None => Of::User,
            },
            // A departure ends rights and memberships that are older; others are no deletions.
            _ => Of::User,
        }
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
            ]
            .into_iter()
            .chain(CONTENT.map(|table| self.content(&self.content_of(document_id), table)))
            .chain([indexed(of_document(document_id)), targeted(of_document(document_id))])
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

    /// Everything in the partition of a document: archived comments before the threads, by which an
    /// erasure finds them.
    pub(super) fn content(self, partition: &Key, table: Table) -> Query {
        Query { ascending: table != Table::Resources, ..self.whole(partition, table) }
    }

    /// The partition of a document.
    fn content_of(self, document: &DocumentId) -> Key {
        home(self.0.partition(), &threads_in(document).prefix())
    }
}

/// The thread of an event.
fn thread_of(event: &DomainEvent) -> Option<(DocumentId, AnnotationId)> {
    Some((event.document_id.clone(), event.annotation_id.clone()?))
}
