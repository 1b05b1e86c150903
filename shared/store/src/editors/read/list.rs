//! Lists of the editors of a document.
//!
//! A page is read in portions that fit into memory, each like a single editor: logs, then heads,
//! then snapshots. A page ends early where the reply has no more room.

use aws::{Item, Query};
use error::{Error, Result};
use model::{DocumentId, Millis, life::Life};
use serde::Serialize;
use tenancy::{
    layout::{Key, Table, item, listing},
    prelude::*,
    reading::{MAX_PAGE_BYTES, Page, Paged},
    scopes::{ATTEMPTS, back_off},
};

use crate::editors::Editors;
use crate::editors::{EditorStore, bounds::MIB, head::Head, of_document, read::StoredEditor};

/// Maximum number of editors of one portion.
const AT_ONCE: usize = 50;
/// Maximum number of parts of their snapshots, and size of these: one editor may have more.
const PARTS: usize = 70;
const BYTES: usize = 4 * MIB;
/// A page ends behind editors of this size together: to read them takes time, also if they have
/// little content.
const MAX_READ: usize = 16 * MIB;

/// Rounds of deletion of all editors of a document, each of some thousands.
const MAX_ROUNDS: usize = 10;

/// Some editors in a row.
struct Portion {
    editors: Vec<StoredEditor>,
    /// The head of the last one, or of one that was deleted meanwhile.
    last: Option<String>,
    more: bool,
}

impl Editors<'_> {
    /// Deletes the editors of documents that were just deleted, so that nobody is told that an
    /// update of one was stored. If this fails, the clean-up does it a moment later.
    pub async fn close(self, documents: &[DocumentId]) {
        let end = Life::after(Millis::MAX);
        if let Err(error) = self.close_until(documents, end).await {
            tracing::warn!(error = ?error, "Editors of a deleted document are deleted later.");
        }
    }

    /// The documents that have editors.
    async fn with_editors(self, documents: &[DocumentId]) -> Result<Vec<DocumentId>> {
        let row = |id: &DocumentId| listing(id).join(&Key::named("document"));
        let rows = documents.iter().map(row);
        let listed = self.0.tenant().db().get_all(Table::Crdt, self.0.partition(), rows).await?;
        let found = documents.iter().filter(|id| listed.contains_key(row(id).as_str()));
        Ok(found.cloned().collect())
    }

    /// Deletes the editors of documents that are of an earlier life, up to the end of that: before
    /// the documents are added again, or go with what took them along.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn close_until(self, documents: &[DocumentId], end: Life) -> Result<()> {
        if documents.is_empty() {
            return Ok(());
        }
        for id in self.with_editors(documents).await? {
            let editors = self.of(&id);
            for _ in 0..MAX_ROUNDS {
                if !editors.delete_until(end).await? {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl EditorStore {
    /// One page of the editors, in the order of their ids, each as `show` makes it. An editor that
    /// cannot be read at once is a part ([`StoredEditor::is_part`]).
    ///
    /// # Errors
    /// The errors of `show`; ABORTED under contention.
    pub async fn list<V: Serialize + Send>(
        &self,
        page: &Page,
        show: impl Fn(&StoredEditor) -> Result<Option<V>> + Send + Sync,
    ) -> Result<Paged<V>> {
        let mut last = page.cursor().and_then(<[String]>::first).cloned();
        let (mut items, mut sent, mut read) = (Vec::new(), 0, 0);
        let organization = self.organization_life().await?;
        loop {
            let portion =
                self.portion(last.as_deref(), page.limit() - items.len(), organization).await?;
            for editor in &portion.editors {
                if let Some(view) = show(editor)? {
                    let size = serde_json::to_string(&view).map_err(Error::internal)?.len();
                    if sent + size > MAX_PAGE_BYTES && !items.is_empty() {
                        return Ok(Paged { items, next: next(page, last)? });
                    }
                    sent += size;
                    items.push(view);
                }
                read += editor.bytes();
                last = Some(self.head_key(editor.id()).into());
            }
            last = portion.last.or(last);
            if !portion.more {
                return Ok(Paged { items, next: None });
            }
            if items.len() == page.limit() || read > MAX_READ {
                return Ok(Paged { items, next: next(page, last)? });
            }
        }
    }

    /// The editors behind a head.
    async fn portion(
        &self,
        after: Option<&str>,
        limit: usize,
        organization: Option<Life>,
    ) -> Result<Portion> {
        let (mut heads, mut more) = self.heads(after, limit.min(AT_ONCE), organization).await?;
        let fitting = fitting(&heads);
        more |= fitting < heads.len();
        heads.truncate(fitting);
        for attempt in 0..ATTEMPTS {
            let Some(last) = heads.last().map(|head| self.head_key(&head.id)) else {
                return Ok(Portion { editors: vec![], last: None, more: false });
            };
            let log = self.rows(self.logs_of(&heads)).await?;
            let keys = heads.iter().map(|head| self.head_key(&head.id));
            let found = self.db().get_all(Table::Crdt, self.organization.partition(), keys).await?;
            // By their keys: in the order of the list.
            let mut found: Vec<(&String, &Item)> = found.iter().collect();
            found.sort_unstable_by_key(|(sort, _)| *sort);
            let now = found.into_iter().map(|(_, item)| Head::read(item));
            match self.assemble(now.collect::<Result<_>>()?, log).await? {
                Some(editors) if heads.len() > 1 && editors.iter().any(StoredEditor::is_part) => {
                    heads.truncate(heads.len() / 2);
                    more = true;
                }
                Some(editors) => return Ok(Portion { editors, last: Some(last.into()), more }),
                None => back_off(attempt).await,
            }
        }
        Err(Error::aborted())
    }

    /// Heads behind another one, in the order of their ids, and whether there are more; for workers,
    /// also those of earlier lives.
    pub(in crate::editors) async fn heads(
        &self,
        after: Option<&str>,
        limit: usize,
        organization: Option<Life>,
    ) -> Result<(Vec<Head>, bool)> {
        let start = after.map(|sort| item::named_key(self.organization.partition(), sort));
        let query = self.under(of_document(&self.document).and_prefix("head"), vec![]);
        let mut query = Query { start, ..query };
        let mut heads = Vec::new();
        loop {
            query.limit = i32::try_from(limit + 1 - heads.len()).map_err(Error::internal)?;
            let found = self.db().query(query.clone()).await?;
            for item in &found.items {
                let head = Head::read(item)?;
                heads.extend(self.later_life(&head, organization).is_none().then_some(head));
            }
            let more = heads.len() > limit;
            heads.truncate(limit);
            match found.next {
                Some(next) if !more => query.start = Some(next),
                _ => return Ok((heads, more)),
            }
        }
    }

    /// The logs of editors, and of others between them: an id and a longer one that begins with it
    /// sort differently among heads than among logs.
    fn logs_of(&self, heads: &[Head]) -> Query {
        let keys = heads.iter().map(|head| self.rows_key("log", &head.id).prefix());
        let (first, last) = (keys.clone().min(), keys.max());
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let behind = format!("{last}{}", char::MAX);
        let between = Some((item::SK, first.clone(), behind));
        Query { prefix: None, between, ..self.under(first, vec![]) }
    }
}

/// How many of the heads are read at once.
fn fitting(heads: &[Head]) -> usize {
    let (mut parts, mut bytes) = (0, 0);
    let is_fitting = |head: &&Head| {
        parts += head.snapshot.as_ref().map_or(0, |snapshot| snapshot.parts);
        bytes += head.snapshot.as_ref().map_or(0, |snapshot| snapshot.bytes);
        parts <= PARTS && bytes <= BYTES
    };
    heads.iter().take_while(is_fitting).count().max(1)
}

fn next(page: &Page, last: Option<String>) -> Result<Option<model::PageToken>> {
    last.map(|last| page.token(&[&last])).transpose()
}
