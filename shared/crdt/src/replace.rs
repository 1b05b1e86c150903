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
        Err(_) => return Ok(nothing(state)),
    }
    // Parts that a form cannot hold stay, when it is sent back as it was read.
    if matches!(content.0, Body::Rich { .. }) && is_there(state, key, content)? {
        return Ok(nothing(state));
    }
    let update = contain(state.bytes, || {
        let mut txn = state.doc.transact_mut();
        write(&mut txn, key, &content.0, &Budget::new(state.bytes))?;
        let update = txn.encode_update_v1();
        Ok(if update == Update::EMPTY_V1 { Vec::new() } else { update })
    })?;
    state.bytes += update.len();
    state.known = None;
    Ok(Replacement { update, clock: state.clock_of(state.client()) })
}

/// Whether the content reads as it was sent.
fn is_there(state: &State, key: &str, content: &Content) -> Result<bool> {
    let Some((format, source)) = content.source() else { return Ok(false) };
    Ok(state.formed(content.kind(), key, format)?.data == source)
}

fn nothing(state: &State) -> Replacement {
    Replacement { update: Vec::new(), clock: state.clock_of(state.client()) }
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
