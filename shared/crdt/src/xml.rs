//! XML fragments: parsing requests, rendering stored fragments, and changing one into the other.

mod align;
pub(crate) mod delta;
pub(crate) mod json;
mod lexical;
mod marks;
mod parse;
mod render;
mod runs;
mod stored;
mod values;
mod wanted;
mod write;

use error::Result;
use yrs::{TransactionMut, XmlFragmentRef};

use crate::budget::Budget;
pub(crate) use parse::{Node, parse};
use render::Form;
pub(crate) use render::{bounded, escaped, escaped_node};
pub(crate) use stored::is_block;

/// Changes `root` into `nodes`, parsed from `source`.
///
/// # Errors
/// INVALID_ARGUMENT, when some of it is nested text; RESOURCE_EXHAUSTED, when marks would be stored too
/// often. Then nothing is changed.
pub(crate) fn replace(
    txn: &mut TransactionMut<'_>,
    root: &XmlFragmentRef,
    source: &str,
    nodes: &[Node],
    budget: &Budget,
) -> Result<()> {
    let old = stored::read(txn, root);
    // The rendering of a peer's content may be malformed or ambiguous. Sending it back unchanged
    // must not change the content.
    let is_same = |form| bounded(|| render::render(txn, &old, form) == source);
    if Form::ALL.into_iter().any(|form| is_same(form).unwrap_or(false)) {
        return Ok(());
    }
    if stored::has_nested_in(&old) {
        return Err(crate::root::nested_text());
    }
    let words = wanted::Vocabulary::from_nodes(&old, values::Reading::Shown);
    let new = wanted::resolve(nodes, &words);
    if wanted::marks_size(&new) > crate::limits::MAX_MARKS {
        return Err(crate::limits::too_many_marks());
    }
    write::children(txn, root.as_ref(), &old, &new, &words, budget);
    Ok(())
}
