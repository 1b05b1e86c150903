//! How large an editor may become, and what a full one refuses.

use error::Error;
use model::EditorId;
use tenancy::layout::pack;

pub(super) const MIB: usize = 1024 * 1024;

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
    /// It is too large; until the next merge after a caller made it smaller.
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
            Self::Large => pack::full(&data_of(id)),
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

pub(super) fn too_long() -> Error {
    let max = MAX_PACKED / MIB;
    Error::exhausted(format!(
        "More than {max} MB of updates wait to be merged; please try again later."
    ))
}
