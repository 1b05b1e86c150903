//! What peers do with shared editors, over REST as over the live channel: they ask for what they
//! lack, and send what they changed.

use crdt::State;
use error::{Error, Result, Status};
use model::{DocumentId, EditorId, Text, UserId, editor::EditorType};
use store::{EditorStore, Edits, NewEditor, OrganizationStore, StoredEditor};

/// An update that says nothing: no items, no deletions.
pub const NOTHING: [u8; 2] = [0, 0];
/// The name of what most editors keep their content in, those of Tiptap.
const USUAL_KEY: &str = "default";

/// The document of an editor.
///
/// # Errors
/// INTERNAL when what is stored cannot be read.
pub fn load(stored: &StoredEditor) -> Result<State> {
    State::load(stored.client(), stored.snapshot(), stored.updates())
}

/// The updates that say something, if all can be read.
///
/// # Errors
/// INVALID_ARGUMENT, with the place of the update that cannot be read or is too large.
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

/// Appends updates of a peer; an editor that is not there yet is added as what they make it.
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
                // Another peer was first, and made something else of it.
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

/// The type of the first content of an editor, and the name of what holds it.
fn made_of(edits: &Edits) -> Result<(EditorType, Text)> {
    let state = State::load(0, None, edits.updates.iter().map(Vec::as_slice))?;
    let roots = state.roots();
    let kinds = roots.iter().filter_map(|name| Some((state.kind(name).ok()??, name.clone())));
    // What is of no kind is nested text, which editors alone can read.
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
    /// What is lacked of an editor that nobody has written to.
    pub fn nothing() -> Self {
        Self { update: NOTHING.to_vec(), state_vector: vec![0] }
    }

    /// What a peer lacks that has what its state vector says; all, without one.
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
