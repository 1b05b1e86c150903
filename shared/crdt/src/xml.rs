//! XML fragments: parsing requests, rendering stored fragments, and changing one into the other.

mod align;
mod marks;
mod names;
mod parse;
mod render;
mod runs;
mod stored;
mod wanted;
mod write;

use error::Result;
use yrs::{TransactionMut, XmlFragmentRef};

use crate::budget::Budget;
pub(crate) use parse::{Node, parse};
use render::Form;
pub(crate) use render::{bounded, escaped, escaped_node};
use stored::Stored;
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
    if has_nested(&old) {
        return Err(crate::root::nested_text());
    }
    let words = wanted::Vocabulary::from_nodes(&old);
    let new = wanted::resolve(nodes, &words);
    if wanted::marks_size(&new) > render::MAX_MARKS {
        return Err(render::too_many_marks());
    }
    write::children(txn, root.as_ref(), &old, &new, &words, budget);
    Ok(())
}

fn has_nested(nodes: &[Stored]) -> bool {
    nodes.iter().any(|node| match node {
        Stored::Nested(_) => true,
        Stored::Element(element) => has_nested(&element.children),
        Stored::Text(_) | Stored::Other(_) => false,
    })
}
