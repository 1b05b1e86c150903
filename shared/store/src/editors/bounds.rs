//! How large an editor may become, and what a full one refuses.

use error::Error;
use model::EditorId;

pub(super) const MIB: usize = 1024 * 1024;

/// Maximum size of an editor compressed, in bytes: a reply of a function can carry its content.
pub(super) const MAX_COMPRESSED: usize = 4_300_000;
/// This close to a limit of size, appends happen one after the other.
pub(super) const NEAR: usize = MIB;
/// Maximum memory of an editor's document: some 450,000 blocks.
pub(super) const MAX_FOOTPRINT: usize = 96 * MIB;
/// Limits of one read of logs: rows, stored bytes, and memory.
pub(super) const MAX_ROWS: usize = 20_000;
pub(super) const MAX_PACKED: usize = 24 * MIB;
pub(super) const MAX_UNMERGED: usize = 64 * MIB;
/// Maximum memory of updates with missing dependencies.
pub(super) const MAX_WAITING: usize = 4 * MIB;

/// The reason for blocking peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// The editor is too large; until it is smaller.
    Large,
    /// Too much waits to be merged; until the next merge.
    Unmerged,
    /// Too much waits for missing dependencies; until one of them arrives.
    Waiting,
}

impl Full {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Large => "large",
            Self::Unmerged => "unmerged",
            Self::Waiting => "waiting",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Large, Self::Unmerged, Self::Waiting].into_iter().find(|full| full.name() == name)
    }

    pub(super) fn error(self, id: &EditorId) -> Error {
        match self {
            Self::Large => too_large(id),
            Self::Unmerged => too_long(),
            Self::Waiting => Error::exhausted(format!(
                "Too many updates of editor {id} wait for others that are missing; send those first."
            )),
        }
    }
}

pub(super) fn data_of(id: &EditorId) -> String {
    format!("The data of editor {id}")
}

pub(super) fn too_large(id: &EditorId) -> Error {
    Error::exhausted(format!(
        "{} takes more than {MAX_COMPRESSED} bytes compressed, which is all that an editor may have, \
         or consists of too many parts to be read; make it smaller first.",
        data_of(id)
    ))
}

pub(super) fn too_long() -> Error {
    let max = MAX_PACKED / MIB;
    Error::exhausted(format!(
        "More than {max} MB of updates wait to be merged; please try again later."
    ))
}
