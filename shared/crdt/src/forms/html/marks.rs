//! The marks around words in HTML.

use serde_json::Value;

/// A mark with those around it. In the document that is read, all of them are written for each of the
/// words below them.
pub(super) struct Marks<'a> {
    around: Option<&'a Self>,
    mark: Value,
    size: usize,
}

impl<'a> Marks<'a> {
    pub(super) fn new(mark: Value, around: Option<&'a Self>) -> Self {
        let size = mark.to_string().len() + around.map_or(0, Self::size);
        Self { around, mark, size }
    }

    /// Size of all of them, in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The marks, from the outermost.
    pub(super) fn each(&self) -> impl Iterator<Item = &Value> {
        let mut marks: Vec<&Self> = std::iter::successors(Some(self), |it| it.around).collect();
        marks.reverse();
        marks.into_iter().map(|it| &it.mark)
    }
}
