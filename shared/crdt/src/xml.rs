//! XML fragments: parsing what callers send, rendering what is stored, and making the one the
//! other.

use error::Result;
use std::time::Instant;
use yrs::{GetString, Out, ReadTxn, TransactionMut, XmlFragmentRef};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Text(String),
}
pub(crate) fn parse(_: &str) -> Result<Vec<Node>> {
    Ok(vec![])
}
pub(crate) fn escaped(txn: &impl ReadTxn, root: &XmlFragmentRef) -> String {
    root.get_string(txn)
}
pub(crate) fn escaped_node(txn: &impl ReadTxn, out: &Out) -> String {
    out.clone().to_string(txn)
}
pub(crate) fn replace(
    _: &mut TransactionMut<'_>,
    _: &XmlFragmentRef,
    _: &str,
    _: &[Node],
    _: Instant,
) {
}
