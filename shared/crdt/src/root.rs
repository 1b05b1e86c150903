//! The type of a root. The wire format does not contain it: it follows from the content.

use error::{Error, Result};
use yrs::{Any, Array, Map, Out, ReadTxn, Text, TextRef, Xml, XmlTextRef, types::text::YChange};

use crate::Kind;

/// The kind of data under `key`; none, when it is empty.
pub(crate) fn kind(txn: &impl ReadTxn, key: &str) -> Result<Option<Kind>> {
    let (Some(map), Some(array), Some(text)) =
        (txn.get_map(key), txn.get_array(key), txn.get_text(key))
    else {
        return Ok(None);
    };
    let has_entries = map.keys(txn).next().is_some();
    let kind = sequence(txn, &text, array.len(txn))?;
    match (has_entries, kind) {
        (true, None) => Ok(Some(Kind::Map)),
        (true, Some(Kind::Xml | Kind::Text)) => Err(nested_text()),
        (true, Some(_)) => Err(mixed()),
        (false, kind) => Ok(kind),
    }
}

fn sequence(txn: &impl ReadTxn, text: &TextRef, len: u32) -> Result<Option<Kind>> {
    let (mut strings, mut embeds, mut elements, mut shared) = (0, 0, 0, 0);
    for piece in text.diff(txn, YChange::identity) {
        match piece.insert {
            Out::Any(Any::String(part)) => strings += part.encode_utf16().count(),
            Out::Any(_) => embeds += 1,
            Out::YXmlElement(_) | Out::YXmlFragment(_) => elements += 1,
            Out::YXmlText(text) if is_nested_text(txn, &text) => return Err(nested_text()),
            Out::YXmlText(_) => elements += 1,
            _ => shared += 1,
        }
    }
    // Skipped by texts: plain values of an array.
    let plain = (len as usize).saturating_sub(strings + embeds + elements + shared);
    match (strings + embeds > 0, elements > 0, shared + plain > 0) {
        (false, false, false) => Ok(None),
        (true, false, false) => Ok(Some(Kind::Text)),
        (false, true, false) => Ok(Some(Kind::Xml)),
        (false, _, true) => Ok(Some(Kind::Array)),
        (true, _, _) if plain == 0 => Err(nested_text()),
        (true, _, _) => Err(mixed()),
    }
}

/// A paragraph of Lexical or Slate: a text with attributes or with nested texts. The text of an XML
/// fragment has neither.
fn is_nested_text(txn: &impl ReadTxn, text: &XmlTextRef) -> bool {
    text.attributes(txn).next().is_some()
        || text
            .diff(txn, YChange::identity)
            .iter()
            .any(|piece| !matches!(piece.insert, Out::Any(_)))
}

fn nested_text() -> Error {
    Error::invalid(
        "The data of this editor is nested text, as Lexical and Slate keep it; it can be edited \
         by connected editors only.",
    )
}

fn mixed() -> Error {
    Error::invalid(
        "The data of this editor mixes types; it can be edited by connected editors only.",
    )
}
