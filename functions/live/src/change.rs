//! An update of a frame, and why it is refused.

use service::{prelude::*, store::editors::Edits};

use crate::refusal::Refusal;

/// An update of a frame.
pub(crate) struct Change {
    pub(crate) edits: Edits,
    pub(crate) is_step_2: bool,
    pub(crate) refused: Option<Refused>,
}

/// Why an update is not stored, or not all of it.
pub(crate) struct Refused {
    pub(crate) refusal: Refusal,
    /// Whether a client is closed that has no word for it.
    pub(crate) closes: bool,
}

impl Change {
    /// An update, which may be unreadable.
    pub(crate) fn read(bytes: Vec<u8>, is_step_2: bool) -> Self {
        match editing::check(bytes) {
            Ok(edits) => Self { edits, is_step_2, refused: None },
            Err(error) => {
                let mut unreadable = Self::known(is_step_2);
                unreadable.refuse(error, true);
                unreadable
            }
        }
    }

    /// A change that says only what is known.
    pub(crate) fn known(is_step_2: bool) -> Self {
        Self { edits: Edits::default(), is_step_2, refused: None }
    }

    pub(crate) fn refuse(&mut self, error: Error, closes: bool) {
        self.refused = Some(Refused { refusal: error.into(), closes });
    }

    pub(crate) fn brings(&self) -> bool {
        self.refused.is_none() && !self.edits.updates.is_empty()
    }
}
