//! Lists of threads by time. Each uses the index with the fewest other threads; several sorted
//! lists are merged, and further filters apply while reading, within bounds.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    ops::RangeInclusive,
};

use aws::{Item, Query, Value};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{AnnotationId, DocumentId, FolderId, Millis, UserId, comment::Thread};
use tenancy::{
    layout::{
        EVER, Entity, Index, in_folder, involving, item, of_document, of_kind, with_annotation_id,
    },
    prelude::*,
    reading::{Followed, MAX_PAGE_BYTES, MAX_SCANNED, Page, Paged, merge, sort_name},
    scopes::PARALLEL,
};

use crate::{comments::Comments, prelude::*};

/// Maximum number of documents of a folder whose threads are listed by document; beyond it, all
/// threads are read.
const MAX_DOCUMENTS: usize = 2_000;
/// Threads of link rows read at once.
const FOLLOWED: usize = 100;
/// Maximum number of merged lists of documents; beyond it, all threads are read.
const MAX_MERGED: usize = 50;

/// The index of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadSource {
    /// Documents.
    Documents(BTreeSet<DocumentId>),
    /// Threads that involve users: as authors, by mentions and more.
    Users(BTreeSet<UserId>),
    /// The whole organization.
    All,
}

/// A list by creation time.
#[derive(Clone, Debug)]
pub struct ThreadList {
    /// Index of the list.
    pub source: ThreadSource,
    /// Created in this span.
    pub created: RangeInclusive<Millis>,
    /// Whether it is newest first.
    pub newest_first: bool,
}

/// A list that contributes to another one.
struct Source {
    query: Query,
    /// The prefix of its sort keys before the time.
    prefix: String,
}

/// Position of a row in a list: its time, then the sort key of the thread.
type Position = String;

/// An item of a list, or a link row to one.
struct ListedRow {
    position: Position,
    item: Item,
}

/// The thread of a row.
struct RowThread {
    position: Position,
    /// The size of its item.
    size: usize,
    /// None if it was deleted.
    thread: Option<Thread>,
}

impl Comments<'_> {
    /// The documents of a folder, `root` for those in none, unless they are very many. Read from an
    /// index: recently added or moved ones may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn documents_in(&self, folder: &FolderId) -> Result<Option<BTreeSet<DocumentId>>> {
        let documents = self.0.documents().all();
        let query = documents.rows().indexed(&in_folder(folder));
        let (found, more) = documents.rows().fetch(query, MAX_DOCUMENTS).await?;
        let found = found.into_iter().map(|item| Ok(documents.rows().decode(item)?.document_id));
        let found = found.collect::<Result<_>>()?;
        Ok((!more).then_some(found))
    }

    /// The given documents that are in a folder, `root` for those in none.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn lying_in(
        &self,
        folder: &FolderId,
        documents: BTreeSet<DocumentId>,
    ) -> Result<BTreeSet<DocumentId>> {
        let found = self.0.documents().all().find_all(documents).await?.into_values();
        let root = FolderId::root();
        let found = found.filter(|document| document.folder_id.as_ref().unwrap_or(&root) == folder);
        Ok(found.map(|document| document.document_id).collect())
    }
}

impl Comments<'_> {
    /// One page of a list, filtered by `keep`. A page is short if the filter keeps little; the next
    /// one continues behind the items read. Read from indexes: recent changes may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_by(
        &self,
        list: &ThreadList,
        page: &Page,
        keep: impl Fn(&Thread) -> bool,
    ) -> Result<Paged<Thread>> {
        let (mut kept, mut scanned, mut bytes) = (Vec::new(), 0, 0);
        if list.created.is_empty() {
            return Ok(Paged { items: kept, next: None });
        }
        let sources = self.sources(list);
        let is_by_rows = matches!(list.source, ThreadSource::Users(_));
        let mut after: Option<Position> = match page.cursor() {
            None => None,
            Some([after]) => Some(after.clone()),
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        loop {
            // Threads of link rows are read whole: some at a time.
            let most = if is_by_rows { FOLLOWED } else { page.limit() };
            let wanted = (page.limit() - kept.len()).clamp(1, most);
            let lists = self.rows(&sources, after.as_deref(), wanted).await?;
            let order = |row: &ListedRow| match list.newest_first {
                true => (Some(Reverse(row.position.clone())), None),
                false => (None, Some(row.position.clone())),
            };
            let (rows, mut more) = merge(lists, wanted, order);
            for RowThread { position, size, thread } in self.resolve(rows).await? {
                if bytes > MAX_PAGE_BYTES {
                    more = true;
                    break;
                }
                scanned += 1;
                after = Some(position);
                if let Some(thread) = thread.filter(|thread| keep(thread)) {
                    bytes += size;
                    kept.push(thread);
                }
            }
            let is_full = kept.len() >= page.limit() || bytes > MAX_PAGE_BYTES;
            match &after {
                Some(after) if more && (is_full || scanned >= MAX_SCANNED) => {
                    return Ok(Paged { items: kept, next: Some(page.token(&[after])?) });
                }
                _ if !more => return Ok(Paged { items: kept, next: None }),
                _ => {}
            }
        }
    }

    /// One page of the threads with these ids, in their order, with none for one that does not
    /// exist or that `keep` drops. In these documents, or in all when none are named: then read
    /// from an index, so that recently added ones may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of_ids(
        &self,
        documents: Option<&BTreeSet<DocumentId>>,
        ids: &[AnnotationId],
        page: &Page,
        keep: impl Fn(&Thread) -> bool,
    ) -> Result<Paged<Option<Thread>>> {
        let done: usize = match page.cursor() {
            None => 0,
            Some([done]) => done.parse().map_err(Error::internal)?,
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        let found: Vec<Thread> = match documents {
            Some(documents) => {
                let pair = |document: &DocumentId| {
                    ids.iter().map(|id| (document.clone(), id.clone())).collect::<Vec<_>>()
                };
                let pairs: Vec<_> = documents.iter().flat_map(pair).collect();
                self.1.find_all(pairs).await?.into_values().collect()
            }
            None => {
                let queries = ids.iter().map(|id| {
                    self.1.rows().during(Index::Target, &with_annotation_id(id), EVER, true)
                });
                let lists = self.1.rows().lists(queries.collect(), MAX_SCANNED).await?;
                lists.into_iter().flat_map(|(found, _)| found).collect()
            }
        };
        let mut all = Vec::new();
        for id in ids {
            let of_id = found.iter().filter(|one| one.annotation_id == *id && keep(one));
            let before = all.len();
            all.extend(of_id.cloned().map(Some));
            if all.len() == before {
                all.push(None);
            }
        }
        let next = done.saturating_add(page.limit());
        let token = match next < all.len() {
            true => Some(page.token(&[next.to_string().as_str()])?),
            false => None,
        };
        Ok(Paged { items: all.into_iter().skip(done).take(page.limit()).collect(), next: token })
    }

    fn sources(&self, list: &ThreadList) -> Vec<Source> {
        let (span, newest_first) = (&list.created, list.newest_first);
        let prefix = || format!("{}#", Thread::KIND);
        let indexed = |index, group| {
            let query = self.1.rows().during(index, &group, span.clone(), newest_first);
            Source { query, prefix: prefix() }
        };
        match &list.source {
            ThreadSource::Documents(ids) if ids.len() <= MAX_MERGED => {
                ids.iter().map(|id| indexed(Index::Container, of_document(id))).collect()
            }
            ThreadSource::Users(ids) => {
                let links = ids.iter().map(|user| {
                    let prefix = involving(user).prefix();
                    let bound = |time: Millis, end: &str| format!("{prefix}{time:013}{end}");
                    let first = *span.start();
                    let last = (*span.end()).min(*EVER.end()).max(first);
                    // `$` sorts behind `#`.
                    let between = Some((item::SK, bound(first, ""), bound(last, "$")));
                    let all = self.1.rows().under(prefix.clone());
                    let ascending = !newest_first;
                    Source { query: Query { prefix: None, between, ascending, ..all }, prefix }
                });
                links.collect()
            }
            ThreadSource::Documents(_) | ThreadSource::All => {
                vec![indexed(Index::Kind, of_kind::<Thread>())]
            }
        }
    }

    /// The next rows of each source, and whether it has more.
    async fn rows(
        &self,
        sources: &[Source],
        after: Option<&str>,
        wanted: usize,
    ) -> Result<Vec<(Vec<ListedRow>, bool)>> {
        let reads = sources.iter().map(|source| self.rows_of(source, after, wanted));
        let reads: Vec<_> = reads.collect();
        stream::iter(reads).buffered(PARALLEL).try_collect().await
    }

    async fn rows_of(
        &self,
        source: &Source,
        after: Option<&str>,
        wanted: usize,
    ) -> Result<(Vec<ListedRow>, bool)> {
        let Source { query, prefix } = source;
        let start = after.map(|after| self.behind(source, after));
        let sort = sort_name(query);
        let (items, more) = self.1.rows().fetch(Query { start, ..query.clone() }, wanted).await?;
        let position = |item: &Item| match item.get(sort) {
            Some(Value::S(text)) => text.get(prefix.len()..).unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        let row = |item| ListedRow { position: position(&item), item };
        Ok((items.into_iter().map(row).collect(), more))
    }

    /// The continuation of a source behind a position, which may be in another source.
    fn behind(&self, source: &Source, after: &str) -> Item {
        let Source { query, prefix } = source;
        let text = |text: &str| Value::S(text.to_owned());
        let sort = format!("{prefix}{after}");
        let mut start: Item = [(query.partition.0.to_owned(), text(&query.partition.1))].into();
        if query.index.is_some() {
            let (_, place) = after.split_once('#').unwrap_or_default();
            start.extend(item::named_key(self.1.rows().partition(), place));
        }
        start.insert(sort_name(query).to_owned(), text(&sort));
        start
    }

    /// The threads of rows.
    async fn resolve(&self, rows: Vec<ListedRow>) -> Result<Vec<RowThread>> {
        let is_link = |item: &Item| item.contains_key(item::TARGET);
        let links: Vec<Item> =
            rows.iter().map(|row| &row.item).filter(|item| is_link(item)).cloned().collect();
        let mut followed: HashMap<String, Followed<Thread>> = match links.is_empty() {
            true => HashMap::new(),
            false => {
                let followed = self.1.rows().links().follow_sized(&links).await?.into_iter();
                followed.map(|followed| (followed.link.clone(), followed)).collect()
            }
        };
        let items = rows.iter().map(|row| &row.item).filter(|item| !is_link(item));
        self.1.rows().learn(items).await?;
        let thread = |ListedRow { position, item }| {
            let (size, thread) = match item.get(item::SK) {
                Some(Value::S(link)) if is_link(&item) => {
                    followed.remove(link).map(|target| (target.size, target.entity)).unzip()
                }
                _ => (Some(item::size(&item)), self.1.rows().visible(item)?),
            };
            Ok(RowThread { position, size: size.unwrap_or_default(), thread })
        };
        rows.into_iter().map(thread).collect()
    }
}
