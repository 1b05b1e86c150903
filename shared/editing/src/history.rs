//! The past of editors: what it was at a time, who wrote what, and how an editor becomes again what it
//! was.
//!
//! The history names users by numbers, and so do authors beside a snapshot: only here they become ids.

use crdt::{
    Format, State,
    history::{Authors, Entry, IdRange, Past},
};
use error::{Error, Result};
use model::{EditorId, Millis, UserId, VersionId, editor::VersionKind};
use serde_json::Value;
use store::{
    aside,
    editors::{
        EditId, EditorStore, Edits, History, HistoryUsers, PastEdit, Replaced, Reverts, Since,
        StoredEditor,
    },
};

use crate::{fits, load, working};

/// How often a write is tried again that another one of the service came before.
const ATTEMPTS: usize = 5;

/// A place in the past of an editor.
#[derive(Clone, Debug)]
pub enum Point {
    /// Behind an edit.
    Edit(EditId),
    /// A version that was added.
    Added(VersionId),
    /// A time, in epoch milliseconds.
    Time(Millis),
}

/// A time between two moments, in epoch milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// From this moment on; from the oldest edit that is kept when absent.
    pub from: Option<Millis>,
    /// Up to this moment; until now when absent.
    pub to: Option<Millis>,
}

/// The changes of a time.
pub struct Changes {
    /// The document before, as one update.
    pub before: Vec<u8>,
    /// The changes as one update, with the content of what was deleted meanwhile.
    pub update: Vec<u8>,
    /// Who did it.
    pub attributions: Vec<Attribution>,
}

/// The changes of a user at a time.
pub struct Attribution {
    /// The user; none of nobody.
    pub user: Option<UserId>,
    /// When it was accepted, in epoch milliseconds.
    pub at: Millis,
    /// Inserted items.
    pub inserts: Vec<IdRange>,
    /// Deleted items.
    pub deletes: Vec<IdRange>,
}

/// The author of what a Yjs client wrote.
pub struct Authored {
    /// The client.
    pub client: u64,
    /// The first clock of it.
    pub clock: u32,
    /// How many there are.
    pub length: u32,
    /// The author; none of nobody.
    pub user: Option<UserId>,
}

impl Point {
    /// The place of a version.
    pub fn of(version: VersionId) -> Self {
        match EditId::parse(version.as_str()) {
            Some(edit) => Self::Edit(edit),
            None => Self::Added(version),
        }
    }
}

impl Span {
    fn since(self) -> Since {
        self.from.map_or(Since::Oldest, |from| Since::Time(from.saturating_sub(1)))
    }

    /// The edits of this time, by their positions.
    fn of(self, past: &Past<'_>, edits: usize) -> std::ops::Range<usize> {
        let start = match self.from {
            None | Some(0) => 0,
            Some(from) => past.until(from - 1),
        };
        start..self.to.map_or(edits, |to| past.until(to)).max(start)
    }
}

/// The authors of an editor, with those of its log: bytes to be stored beside its snapshot.
///
/// # Errors
/// INTERNAL when the stored data cannot be read.
pub fn authors(stored: &StoredEditor, users: &HistoryUsers) -> Result<Vec<u8>> {
    Ok(known_authors(stored, users)?.write())
}

fn known_authors(stored: &StoredEditor, users: &HistoryUsers) -> Result<Authors> {
    let kept = stored.authors()?;
    let mut authors = Authors::load(kept.as_deref(), stored.snapshot())?;
    for edit in stored.edits(users) {
        let by = name_of(edit.user);
        edit.updates.iter().try_for_each(|update| authors.take(update, by.as_deref()))?;
    }
    Ok(authors)
}

/// Who wrote what is in an editor now.
///
/// # Errors
/// NOT_FOUND without the editor; RESOURCE_EXHAUSTED when too much of it waits to be merged.
pub async fn authors_of(editors: &EditorStore, id: &EditorId) -> Result<Vec<Authored>> {
    let stored = editors.find(id).await?.ok_or_else(|| missing(id))?;
    let users = editors.users_in(&stored).await?;
    let authors = aside(working::size_of(&stored), || known_authors(&stored, &users))?;
    let authored = authors.ranges().map(|range| Authored {
        client: range.client,
        clock: range.clock,
        length: range.length,
        user: range.user.and_then(|name| user_of(&users, name)),
    });
    Ok(authored.collect())
}

/// An editor as it is now, and its document as it was.
///
/// # Errors
/// NOT_FOUND without the editor, and where its history does not reach; RESOURCE_EXHAUSTED when too much
/// is behind it.
pub async fn version(
    editors: &EditorStore,
    id: &EditorId,
    point: &Point,
) -> Result<(StoredEditor, State)> {
    let (since, until) = match point {
        Point::Added(version) => {
            let found = editors.added_version(id, version).await?.ok_or_else(|| missing(id))?;
            let state = State::load(found.editor.client(), found.base.state(), [])?;
            return Ok((found.editor, state));
        }
        Point::Edit(edit) => (Since::Edit(*edit), edit.at()),
        Point::Time(at) => (Since::Time(*at), *at),
    };
    let history = editors.history(id, since, Some(until)).await?.ok_or_else(|| missing(id))?;
    if matches!(point, Point::Time(at) if *at < history.editor.created_at()) {
        return Err(Error::not_found("The editor did not exist at that time."));
    }
    let edits = &history.edits[..position(point, &history.edits)];
    let state = aside(size_of(&history), || {
        let updates = edits.iter().flat_map(|edit| &edit.updates).map(Vec::as_slice);
        State::load(history.editor.client(), history.base.state(), updates)
    })?;
    Ok((history.editor, state))
}

/// Reads the changes of a time.
///
/// # Errors
/// As of [`version`].
pub async fn changes(editors: &EditorStore, id: &EditorId, span: Span) -> Result<Changes> {
    let history = editors.history(id, span.since(), span.to).await?.ok_or_else(|| missing(id))?;
    let entries = entries(&history.edits);
    let found = aside(size_of(&history), || {
        let past = past(&history, &entries)?;
        past.changes(span.of(&past, entries.len()))
    })?;
    let attributions = found.attributions.into_iter().map(|by| Attribution {
        user: by.user.and_then(|name| user_of(&history.users, &name)),
        at: by.at,
        inserts: by.inserts,
        deletes: by.deletes,
    });
    let attributions = attributions.collect();
    Ok(Changes { before: found.before, update: found.update, attributions })
}

/// Makes an editor what it was; returns the edit that did, if something was to be changed. What peers
/// do meanwhile is merged.
///
/// # Errors
/// As of [`version`]; RESOURCE_EXHAUSTED when the editor would be too large; ABORTED under contention.
pub async fn restore(
    editors: &EditorStore,
    id: &EditorId,
    point: &Point,
    by: Option<&UserId>,
) -> Result<Option<EditId>> {
    for _ in 0..ATTEMPTS {
        let (stored, made) = match point {
            Point::Added(version) => {
                let found = editors.added_version(id, version).await?.ok_or_else(|| missing(id))?;
                // The present content suffices: items that came and went since do not matter.
                let now = found.editor.snapshot().into_iter().chain(found.editor.updates());
                let updates = now.map(<[u8]>::to_vec).collect();
                let entries = [Entry { at: 0, by: None, updates }];
                let made = aside(working::size_of(&found.editor), || {
                    let (client, base) = (found.editor.client(), found.base.state());
                    Past::load(client, base, Authors::load(None, base)?, &entries)?.restore(0)
                })?;
                (found.editor, made)
            }
            Point::Edit(_) | Point::Time(_) => {
                let since = match point {
                    Point::Edit(edit) => Since::Edit(*edit),
                    Point::Time(at) => Since::Time(*at),
                    Point::Added(_) => Since::Oldest,
                };
                let history = editors.history(id, since, None).await?.ok_or_else(|| missing(id))?;
                let entries = entries(&history.edits);
                let made = aside(size_of(&history), || {
                    let past = past(&history, &entries)?;
                    past.restore(position(point, &history.edits))
                })?;
                (history.editor, made)
            }
        };
        let kind = Edits { kind: VersionKind::Restored, ..Edits::default() };
        match write(editors, &stored, made, kind, by).await? {
            Some(edit) => return Ok(edit),
            None => working::wait(crate::WAIT).await,
        }
    }
    Err(Error::aborted())
}

/// Takes back what a user did in a time; returns the edit that did, if something was to be changed.
/// What others did stays.
///
/// # Errors
/// As of [`restore`].
pub async fn revert(
    editors: &EditorStore,
    id: &EditorId,
    author: &UserId,
    span: Span,
    by: Option<&UserId>,
) -> Result<Option<EditId>> {
    for _ in 0..ATTEMPTS {
        let history = editors.history(id, span.since(), None).await?.ok_or_else(|| missing(id))?;
        // The edit keeps the number of the user, which therefore has to stay.
        let user = editors.number_users(&history.editor).await?.number(Some(author));
        let Some(name) = name_of(user) else { return Ok(None) };
        let entries = not_reverted(user, &history.edits);
        let made = aside(size_of(&history), || {
            let past = past(&history, &entries)?;
            past.revert(&name, span.of(&past, entries.len()))
        })?;
        let (from, to) = (span.from.unwrap_or(0), span.to.unwrap_or(Millis::MAX));
        let reverts = Some(Reverts { user, from, to });
        let kind = Edits { kind: VersionKind::Reverted, reverts, ..Edits::default() };
        match write(editors, &history.editor, made, kind, by).await? {
            Some(edit) => return Ok(edit),
            None => working::wait(crate::WAIT).await,
        }
    }
    Err(Error::aborted())
}

/// Writes an update of the service. None when another one came before it; otherwise the edit, if there
/// was something to write.
async fn write(
    editors: &EditorStore,
    stored: &StoredEditor,
    made: crdt::Replacement,
    of: Edits,
    by: Option<&UserId>,
) -> Result<Option<Option<EditId>>> {
    if made.update.is_empty() {
        return Ok(Some(None));
    }
    let mut state = load(stored)?;
    let before = shown(&state)?;
    let seen = state.clock_of(stored.client());
    state.apply(&made.update)?;
    // Items that came back in place of others look like them.
    if before.is_some() && before == shown(&state)? {
        return Ok(Some(None));
    }
    fits(editors, stored.id(), state, Some(stored))?;
    let edits = Edits { kind: of.kind, reverts: of.reverts, ..crate::edits(made.update)? };
    let replaced = Replaced { edits, seen, clock: made.clock, decided: None };
    let written = editors.write_replaced(stored, replaced, by).await?;
    Ok(written.map(|written| written.edit))
}

fn missing(id: &EditorId) -> Error {
    Error::not_found(format!("There is no CRDT data for editor {id}."))
}

/// All content of a document, where its form holds everything.
fn shown(state: &State) -> Result<Option<Vec<(String, Value)>>> {
    let mut shown = Vec::new();
    for root in state.roots()? {
        let formed = state.formed(root.kind, &root.key, Format::Json)?;
        if !formed.lost.is_empty() {
            return Ok(None);
        }
        shown.push((root.key, formed.data));
    }
    Ok(Some(shown))
}

/// The edits, of which those of a user that were taken back before are of another one: what they
/// deleted is back already.
fn not_reverted(user: u64, edits: &[PastEdit]) -> Vec<Entry> {
    let mut entries = entries(edits);
    for (at, edit) in edits.iter().enumerate() {
        let Some(Reverts { from, to, .. }) = edit.reverts.filter(|it| it.user == user) else {
            continue;
        };
        for (entry, edit) in entries[..at].iter_mut().zip(edits) {
            if edit.user == user && (from..=to).contains(&entry.at) {
                entry.by = Some(format!("{user} reverted"));
            }
        }
    }
    entries
}

/// The name of a user in bytes of authors; none of nobody.
fn name_of(user: u64) -> Option<String> {
    (user > 0).then(|| user.to_string())
}

fn user_of(users: &HistoryUsers, name: &str) -> Option<UserId> {
    users.get(name.parse().ok()?).cloned()
}

fn entries(edits: &[PastEdit]) -> Vec<Entry> {
    let entry = |edit: &PastEdit| Entry {
        at: edit.id.at(),
        by: name_of(edit.user),
        updates: edit.updates.clone(),
    };
    edits.iter().map(entry).collect()
}

fn past<'a>(history: &'a History, entries: &'a [Entry]) -> Result<Past<'a>> {
    let base = history.base.state();
    let authors = Authors::load(history.base.authors()?.as_deref(), base)?;
    Past::load(history.editor.client(), base, authors, entries)
}

/// The number of edits up to a place.
fn position(point: &Point, edits: &[PastEdit]) -> usize {
    match point {
        Point::Edit(wanted) => {
            edits.iter().position(|edit| edit.id == *wanted).map_or(edits.len(), |at| at + 1)
        }
        Point::Time(at) => edits.iter().take_while(|edit| edit.id.at() <= *at).count(),
        Point::Added(_) => 0,
    }
}

/// Size of what is read of a past, in bytes.
fn size_of(history: &History) -> usize {
    let edits = history.edits.iter().flat_map(|edit| &edit.updates);
    let base = history.base.state().map_or(0, <[u8]>::len);
    working::size_of(&history.editor) + base + edits.map(Vec::len).sum::<usize>()
}
