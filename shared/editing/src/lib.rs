//! Reading and updating shared editors as a peer, for REST and the live channel.

#![warn(missing_docs)]

pub mod history;
mod marks;
mod peers;
mod working;

use std::time::Duration;

use crdt::{Format, Formed, Root, State};
use error::{Error, Result, Status};
use model::{DocumentId, EditorId, UserId, editor::EditorType};
use rooms::Connection;
use serde_json::Value;
use store::{
    OrganizationStore, aside,
    editors::{Appended, ContentType, EditorStore, Edits, Extent, NewEditor, Rooms, StoredEditor},
    prelude::*,
};

pub use crdt::{clients_in, joined};
pub use marks::{check_mark, write_mark};
use peers::Peers;
pub use working::{in_place, worked_on};

/// The empty update: no items, no deletions.
pub const NOTHING: [u8; 2] = [0, 0];
/// The state vector of an empty document.
pub const EMPTY: [u8; 1] = [0];
/// The default name of the shared type in Tiptap.
const USUAL_KEY: &str = "default";
/// How often, and how long, an update waits for the one before it, which makes the editor: frames of a
/// connection are handled at the same time.
const WAITS: usize = 4;
const WAIT: Duration = Duration::from_millis(100);

/// The document of an editor.
///
/// # Errors
/// INTERNAL when the stored data cannot be read.
pub fn load(stored: &StoredEditor) -> Result<State> {
    State::load(stored.client(), stored.snapshot(), stored.updates())
}

/// The updates that are not empty, if all can be read.
///
/// # Errors
/// INVALID_ARGUMENT, with the position of the update that cannot be read or is too large.
pub fn checked(sent: impl IntoIterator<Item = Vec<u8>>) -> Result<Edits, (usize, Error)> {
    let mut edits = Edits::default();
    for (n, update) in sent.into_iter().enumerate() {
        edits.extend(check(update).map_err(|error| (n, error))?);
    }
    Ok(edits)
}

/// The edits of an update; none of an empty one.
///
/// # Errors
/// INVALID_ARGUMENT when it cannot be read; RESOURCE_EXHAUSTED when it is too large.
pub fn check(update: Vec<u8>) -> Result<Edits> {
    let checked = aside(update.len(), || crdt::check_update(&update))?;
    if update == NOTHING {
        return Ok(Edits::default());
    }
    Ok(Edits {
        footprint: checked.footprint,
        text: checked.text.map(of_root),
        clients: checked.clients,
        updates: vec![update],
        ..Edits::default()
    })
}

/// The writer of updates.
#[derive(Clone, Copy, Default)]
pub struct Writer<'a> {
    /// The user, if there is one.
    pub user: Option<&'a UserId>,
    /// The connection of the live channel, over which it comes.
    pub connection: Option<&'a Connection>,
}

/// Appends updates of a peer, all or none, and returns them as they are stored; see
/// [`EditorStore::append`].
///
/// # Errors
/// NOT_FOUND, INVALID_ARGUMENT, RESOURCE_EXHAUSTED.
pub async fn append(
    editors: &EditorStore,
    id: &EditorId,
    new: Option<NewEditor>,
    edits: &Edits,
    by: Writer<'_>,
) -> Result<Appended> {
    editors.append(id, new, edits, by.user, &Peers { connection: by.connection }).await
}

/// Adds an editor with the updates of its client, and the client's `clock`; see
/// [`EditorStore::add`].
///
/// # Errors
/// ALREADY_EXISTS; RESOURCE_EXHAUSTED when it is too large.
pub async fn add(
    editors: &EditorStore,
    new: NewEditor,
    edits: &Edits,
    clock: u32,
    by: Option<&UserId>,
) -> Result<()> {
    editors.add(new, edits, clock, by, &Peers { connection: None }).await
}

/// Appends updates of a peer, and returns them as they are stored; a missing editor is added with
/// the type of the updates, if they lack nothing.
///
/// # Errors
/// NOT_FOUND for updates of a deleted editor, and of a connection that may have read it; ABORTED for
/// those that lack others, of an editor that does not exist; RESOURCE_EXHAUSTED.
pub async fn append_or_add(
    organization: &OrganizationStore,
    document: &DocumentId,
    id: &EditorId,
    edits: &Edits,
    by: Writer<'_>,
) -> Result<Appended> {
    let editors = organization.editors().of(document);
    for _ in 0..WAITS {
        match append(&editors, id, None, edits, by).await {
            Err(error) if error.status == Status::NotFound => {}
            appended => return appended,
        }
        if edits.updates.is_empty() {
            return Ok(Appended::default());
        }
        if let Some((found, is_open)) = made_of(edits)? {
            organization.own_record().record_if_missing().await?;
            let new = editors.found_editor(id.clone(), found, is_open)?;
            return append(&editors, id, Some(new), edits, by).await;
        }
        if let Some(at) = editors.ended_at(id).await? {
            let (tenant, room) = (organization.tenant(), editors.room(id));
            let peers = Peers { connection: by.connection };
            // Who joined later lacks nothing of what was deleted: the rest is under way.
            if by.connection.is_none() || peers.may_have_read_before(tenant, &room, at).await? {
                return Err(Error::not_found(format!(
                    "The editor {id} was deleted; load it anew."
                )));
            }
        }
        working::wait(WAIT).await;
    }
    Err(Error::under_way(format!(
        "There is no CRDT data for editor {id}, and the updates lack others; send all of it."
    )))
}

/// The type of an editor's content, and whether it is still open. It is the stored type, unless
/// that is open and text has arrived.
///
/// # Errors
/// INTERNAL when the library fails.
pub fn content_type(stored: &StoredEditor, state: &State) -> Result<(ContentType, bool)> {
    let own = stored.content_type();
    if !stored.is_open() {
        return Ok((own, false));
    }
    Ok(match state.roots()?.into_iter().next() {
        Some(root) if root.is_text => (of_root(root), false),
        // An open text is a guess: the first update had no content.
        Some(root) if own.kind.is_text() => (of_root(root), true),
        _ => (own, true),
    })
}

/// Type and content under `key`, or under the editor's own name; none when nothing is under `key`.
///
/// # Errors
/// INTERNAL when the library fails.
pub fn content(
    stored: &StoredEditor,
    state: &State,
    key: Option<&str>,
) -> Result<Option<(ContentType, Value)>> {
    let formed = formed(stored, state, key, Format::Xml)?;
    Ok(formed.map(|(of, formed)| (of, formed.data)))
}

/// As [`content`], in a form.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks would be written too often; INTERNAL when the library fails.
pub fn formed(
    stored: &StoredEditor,
    state: &State,
    key: Option<&str>,
    format: Format,
) -> Result<Option<(ContentType, Formed)>> {
    let (own, _) = content_type(stored, state)?;
    let of = match key {
        Some(key) if key != own.key => {
            match state.roots()?.into_iter().find(|root| root.key == key) {
                Some(root) => of_root(root),
                None => return Ok(None),
            }
        }
        _ => own,
    };
    let formed = state.formed(of.kind, &of.key, format)?;
    Ok(Some((of, formed)))
}

fn of_root(root: Root) -> ContentType {
    ContentType { kind: root.kind, key: root.key }
}

/// Refuses a document that is too large to be stored or read, unless it is smaller than the
/// `stored` one.
///
/// # Errors
/// RESOURCE_EXHAUSTED with the limit named.
pub fn fits(
    editors: &EditorStore,
    id: &EditorId,
    state: State,
    stored: Option<&StoredEditor>,
) -> Result<()> {
    let after = extent(&state)?;
    drop(state);
    if after.state.len() > MAX_DIFF {
        // A peer reads it part by part.
        crdt::split(&after.state, MAX_DIFF, crdt::MAX_UPDATE_BYTES)?;
    }
    let nothing = || Ok(Extent { state: NOTHING.to_vec(), footprint: 0 });
    editors.fits(id, &after, || stored.map_or_else(nothing, |stored| extent(&load(stored)?)))
}

fn extent(state: &State) -> Result<Extent> {
    let state = state.encode();
    Ok(Extent { footprint: crdt::footprint(&state)?, state })
}

/// An update made by the service, ready to be written; none when it is empty.
///
/// # Errors
/// INTERNAL when it cannot be read.
pub fn edits(update: Vec<u8>) -> Result<Edits> {
    if update.is_empty() {
        return Ok(Edits::default());
    }
    Ok(Edits { footprint: crdt::footprint(&update)?, updates: vec![update], ..Edits::default() })
}

/// The type of an editor's first content, and whether that is open: no text arrived yet. None when it
/// lacks others: they are not the first content.
fn made_of(edits: &Edits) -> Result<Option<(ContentType, bool)>> {
    let state = State::load(0, None, edits.updates.iter().map(Vec::as_slice))?;
    if state.has_pending() {
        return Ok(None);
    }
    let found = state.roots()?.into_iter().next();
    Ok(Some(match (found, &edits.text) {
        (Some(root), _) if root.is_text => (of_root(root), false),
        (_, Some(text)) => (text.clone(), false),
        (Some(root), None) => (of_root(root), true),
        (None, None) => (ContentType { kind: EditorType::Xml, key: USUAL_KEY.to_owned() }, true),
    }))
}

/// The diff for a peer.
pub struct Lacking {
    /// The update.
    pub update: Vec<u8>,
    /// The peer's state vector after the update.
    pub state_vector: Vec<u8>,
}

/// Maximum size of a diff in one reply, in bytes: in base64, a function can reply with it.
const MAX_DIFF: usize = 4_300_000;

impl Lacking {
    /// As much of the diff as one reply carries, and whether that is all. A peer that has applied it
    /// asks for the rest with its state vector.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the state vector cannot be read.
    pub fn for_reply(state: &State, seen: &[u8]) -> Result<(Self, bool)> {
        let whole = Self::for_peer(state, Some(seen))?;
        if whole.update.len() <= MAX_DIFF {
            return Ok((whole, true));
        }
        let mut parts = crdt::split(&whole.update, MAX_DIFF, usize::MAX)?.into_iter();
        let update = parts.next().unwrap_or_default();
        let state_vector = crdt::extended(seen, &update)?;
        // Deletions alone do not get further.
        if parts.len() == 0 || state_vector == crdt::extended(seen, &NOTHING)? {
            return Ok((whole, true));
        }
        Ok((Self { update, state_vector }, false))
    }

    /// The diff of an editor without content.
    pub fn nothing() -> Self {
        Self { update: NOTHING.to_vec(), state_vector: vec![0] }
    }

    /// The diff for a peer with this state vector; the whole state without one.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the state vector cannot be read.
    pub fn for_peer(state: &State, seen: Option<&[u8]>) -> Result<Self> {
        let update = match seen {
            Some(seen) => state.diff(seen)?,
            None => state.encode(),
        };
        Ok(Self { update, state_vector: state.state_vector() })
    }
}
