//! Formats of text, as marks.

use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use yrs::Any;

/// The rendered attributes of a mark.
pub(super) type Shown = BTreeMap<String, String>;

/// The marks of a run by name. Runs share them, as the document does: a mark of a megabyte may have
/// thousands of runs below it.
pub(super) type Marks = BTreeMap<Arc<str>, Arc<Shown>>;

/// Text of one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) marks: Marks,
}

impl Hash for Run {
    /// Marks of equal runs are as many; to read all of them for each run would take too long.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        self.marks.len().hash(state);
    }
}

/// Size of marks as they are written, in bytes.
pub(super) fn size_of(marks: &Marks) -> usize {
    let size =
        |shown: &Shown| shown.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
    marks.iter().map(|(name, shown)| 2 * name.len() + size(shown)).sum()
}

/// The place in memory of a value that copies share.
pub(super) fn place(value: &Any) -> Option<usize> {
    match value {
        Any::Map(entries) => Some(Arc::as_ptr(entries).addr()),
        Any::Array(items) => Some(Arc::as_ptr(items).addr()),
        Any::String(text) => Some(Arc::as_ptr(text).addr()),
        Any::Buffer(bytes) => Some(Arc::as_ptr(bytes).addr()),
        _ => None,
    }
}
