//! Reading and updating shared editors as a peer, for REST and the live channel.

use crdt::State;
use error::{Error, Result, Status};
use model::{DocumentId, EditorId, Text, UserId, editor::EditorType};
use store::{EditorStore, Edits, NewEditor, OrganizationStore, StoredEditor};

/// The empty update: no items, no deletions.
pub const NOTHING: [u8; 2] = [0, 0];
/// The default name of the shared type in Tiptap.
const USUAL_KEY: &str = "default";

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
        let footprint = crdt::check_update(&update).map_err(|error| (n, error))?;
        if update != NOTHING {
            edits.updates.push(update);
            edits.footprint += footprint;
        }
    }
    Ok(edits)
}

/// Appends updates of a peer, all or none; see [`EditorStore::append`].
///
/// # Errors
/// NOT_FOUND, INVALID_ARGUMENT, RESOURCE_EXHAUSTED.
pub async fn append(
    editors: &EditorStore,
    id: &EditorId,
    new: Option<NewEditor>,
    edits: &Edits,
    by: Option<&UserId>,
) -> Result<()> {
    let is_ready = |stored: &StoredEditor| {
        let mut state = load(stored)?;
        edits.updates.iter().try_fold(true, |ready, update| Ok(state.apply(update)? && ready))
    };
    editors.append(id, new, edits, by, is_ready).await
}

/// Appends updates of a peer; a missing editor is added with the type of the updates.
///
/// # Errors
/// RESOURCE_EXHAUSTED.
pub async fn append_or_add(
    organization: &OrganizationStore,
    document: &DocumentId,
    id: &EditorId,
    edits: &Edits,
    by: Option<&UserId>,
) -> Result<()> {
    let editors = organization.editors(document);
    match append(&editors, id, None, edits, by).await {
        Err(error) if error.status == Status::NotFound && !edits.updates.is_empty() => {
            let (kind, key) = made_of(edits)?;
            organization.imply().await?;
            let new = editors.new_editor(id.clone(), kind, key)?;
            match append(&editors, id, Some(new), edits, by).await {
                // Another peer was first, with another type.
                Err(error) if error.status == Status::InvalidArgument => {
                    append(&editors, id, None, edits, by).await
                }
                appended => appended,
            }
        }
        Err(error) if error.status == Status::NotFound => Ok(()),
        appended => appended,
    }
}

/// The type of an editor's first content, and the name of its shared type.
fn made_of(edits: &Edits) -> Result<(EditorType, Text)> {
    let state = State::load(0, None, edits.updates.iter().map(Vec::as_slice))?;
    let roots = state.roots();
    let kinds = roots.iter().filter_map(|name| Some((state.kind(name).ok()??, name.clone())));
    // Other content is nested text, which only editors can read.
    let other = || (EditorType::Xml, roots.first().cloned().unwrap_or(USUAL_KEY.to_owned()));
    let (kind, name) = kinds.min_by_key(|(_, name)| name.clone()).unwrap_or_else(other);
    let usual = |_| USUAL_KEY.to_owned().try_into().map_err(Error::internal);
    Ok((kind, name.try_into().or_else(usual)?))
}

/// The diff for a peer.
pub struct Lacking {
    /// The update.
    pub update: Vec<u8>,
    /// The peer's state vector after the update.
    pub state_vector: Vec<u8>,
}

impl Lacking {
    /// The diff of an editor without content.
    pub fn nothing() -> Self {
        Self { update: NOTHING.to_vec(), state_vector: vec![0] }
    }

    /// The diff for a peer with this state vector; the whole state without one.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the state vector cannot be read.
    pub fn of(state: &State, seen: Option<&[u8]>) -> Result<Self> {
        let update = match seen {
            Some(seen) => state.diff(seen)?,
            None => state.encode(),
        };
        Ok(Self { update, state_vector: state.state_vector() })
    }
}
