//! XML fragments: parsing requests, rendering stored fragments, and changing one into the other.

mod align;
mod parse;
mod render;
mod runs;
mod stored;
mod wanted;
mod write;

use yrs::{TransactionMut, XmlFragmentRef};

use crate::budget::Budget;
pub(crate) use parse::{Node, parse};
use render::Form;
pub(crate) use render::{escaped, escaped_node};

/// Changes `root` into `nodes`, parsed from `source`.
pub(crate) fn replace(
    txn: &mut TransactionMut<'_>,
    root: &XmlFragmentRef,
    source: &str,
    nodes: &[Node],
    budget: &Budget,
) {
    let old = stored::read(txn, root);
    // The rendering of a peer's content may be malformed or ambiguous. Sending it back unchanged
    // must not change the content.
    if Form::ALL.into_iter().any(|form| render::render(txn, &old, form) == source) {
        return;
    }
    let words = wanted::Vocabulary::from_nodes(&old);
    let new = wanted::resolve(nodes, &words);
    write::children(txn, root.as_ref(), &old, &new, &words, budget);
}
