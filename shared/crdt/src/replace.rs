//! Replacement of content by the smallest update.

use error::{Error, Result};
use yrs::{Transact, TransactionMut, Update, WriteTxn};

use crate::{Content, Kind, State, budget::Budget, content::Body, guard::contain, json, text, xml};

/// Result of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The update to store and to relay. Empty for equal content.
    pub update: Vec<u8>,
    /// The clock of the document's client after this update.
    pub clock: u32,
    /// The parts that were sent and are not in the data, and those that the form does not show and
    /// that are gone with others: sorted, at most 50 entries.
    pub lost: Vec<String>,
}

/// Makes the data under `key` equal to `content`.
///
/// Equal parts stay untouched, and with them cursors, formatting, and concurrent edits.
///
/// # Errors
/// INVALID_ARGUMENT, when data of another kind is under `key`. INTERNAL, when the library fails;
/// then the state must not be used.
pub fn replace(state: &mut State, key: &str, content: &Content) -> Result<Replacement> {
    let kind = content.kind();
    match state.kind(key) {
        Ok(Some(found)) if found != kind => return Err(wrong_kind(found, kind)),
        Ok(_) => (),
        // Content that cannot be changed may be sent back as it was read.
        Err(refusal) if !is_there(state, key, content)? => return Err(refusal),
        Err(_) => return Ok(nothing(state, content)),
    }
    let mut hidden = Vec::new();
    if let Body::Rich { format, source, .. } = &content.0 {
        let shown = state.formed(kind, key, *format)?;
        // Parts that a form cannot hold stay, when it is sent back as it was read.
        if shown.data == *source {
            return Ok(nothing(state, content));
        }
        hidden = shown.lost;
    }
    let update = contain(state.bytes, || {
        let mut txn = state.doc.transact_mut();
        write(&mut txn, key, &content.0, &Budget::new(state.bytes))?;
        let update = txn.encode_update_v1();
        Ok(if update == Update::EMPTY_V1 { Vec::new() } else { update })
    })?;
    state.bytes += update.len();
    state.known = None;
    let lost = lost(state, key, content, hidden)?;
    Ok(Replacement { update, clock: state.clock_of(state.client()), lost })
}

/// Whether the content reads as it was sent.
fn is_there(state: &State, key: &str, content: &Content) -> Result<bool> {
    let Some((format, source)) = content.source() else { return Ok(false) };
    Ok(state.formed(content.kind(), key, format)?.data == source)
}

fn nothing(state: &State, content: &Content) -> Replacement {
    let clock = state.clock_of(state.client());
    Replacement { update: Vec::new(), clock, lost: content.lost().named() }
}

/// The parts of the content that were not taken over, and those of the data before that its form hid
/// and that are gone.
fn lost(state: &State, key: &str, content: &Content, hidden: Vec<String>) -> Result<Vec<String>> {
    let mut lost = content.lost();
    if let Body::Rich { format, .. } = content.0
        && !hidden.is_empty()
    {
        let still = state.hidden(key, format)?;
        lost.join(hidden.into_iter().filter(|part| !still.contains(part)));
    }
    Ok(lost.named())
}

fn write(txn: &mut TransactionMut<'_>, key: &str, body: &Body, budget: &Budget) -> Result<()> {
    match body {
        Body::Text(new) => {
            let root = txn.get_or_insert_text(key);
            text::replace(txn, &root, new, budget);
        }
        Body::Map(new) => {
            let root = txn.get_or_insert_map(key);
            json::replace_map(txn, &root, new, budget);
        }
        Body::Array(new) => {
            let root = txn.get_or_insert_array(key);
            json::replace_array(txn, &root, new, budget);
        }
        Body::Xml { source, nodes } => {
            let root = txn.get_or_insert_xml_fragment(key);
            xml::replace(txn, &root, source, nodes, budget)?;
        }
        Body::Rich { format, nodes, .. } => {
            let root = txn.get_or_insert_xml_fragment(key);
            xml::json::replace(txn, &root, nodes, *format, budget)?;
        }
        Body::Delta { ops, .. } => {
            let root = txn.get_or_insert_text(key);
            xml::delta::replace(txn, &root, ops, budget)?;
        }
    }
    Ok(())
}

fn wrong_kind(found: Kind, asked: Kind) -> Error {
    let (found, asked) = (found.as_str(), asked.as_str());
    Error::invalid(format!("The data of this editor has type {found}, not {asked}."))
}
