//! Marks of threads in rich texts, written in the name of the service.

use base64::{Engine, engine::general_purpose::STANDARD};
use crdt::{Mark, NoRange, Replacement};
use error::{Error, Result};
use model::{AnnotationId, comment::Anchor};
use serde_json::json;
use store::editors::{EditorStore, Replaced, StoredEditor};

/// The name of BlockNote's mark, which has an attribute of its own.
const OF_BLOCKNOTE: &str = "comment";

/// Checks that the mark of a thread can be written now.
///
/// # Errors
/// INVALID_ARGUMENT when the editor is not there, or the positions are not in its rich text.
pub async fn check_mark(
    editors: &EditorStore,
    anchor: &Anchor,
    thread: &AnnotationId,
) -> Result<()> {
    let stored = editors.find(&anchor.editor_id).await?.ok_or_else(|| no_editor(anchor))?;
    marked(&stored, anchor, thread).map(drop)
}

/// Writes the mark of a thread, and returns whether it was not there yet. Nothing else of the
/// document changes.
///
/// # Errors
/// As of [`check_mark`]; RESOURCE_EXHAUSTED when the editor is too large; ABORTED under contention.
pub async fn write_mark(
    editors: &EditorStore,
    anchor: &Anchor,
    thread: &AnnotationId,
) -> Result<bool> {
    let mut is_new = false;
    let replace = |stored: &StoredEditor| {
        let (state, seen, written) = marked(stored, anchor, thread)?;
        is_new = !written.update.is_empty();
        if !is_new {
            return Ok(None);
        }
        crate::fits(editors, stored.id(), state, Some(stored))?;
        let Replacement { update, clock, .. } = written;
        Ok(Some(Replaced { edits: crate::edits(update)?, seen, clock, decided: None }))
    };
    editors.replace(&anchor.editor_id, None, replace).await?;
    Ok(is_new)
}

/// The document with the mark, the clock of its client before, and what was written.
fn marked(
    stored: &StoredEditor,
    anchor: &Anchor,
    thread: &AnnotationId,
) -> Result<(crdt::State, u32, Replacement)> {
    let mut state = crate::load(stored)?;
    let (own, _) = crate::content_type(stored, &state)?;
    let seen = state.clock_of(stored.client());
    let mark = mark_of(anchor.mark.as_str(), thread.as_str());
    let written = crdt::mark(&mut state, &own.key, [&anchor.from, &anchor.to], &mark)?;
    let written = written.map_err(|refusal| Error::invalid(sentence(refusal)))?;
    Ok((state, seen, written))
}

fn sentence(refusal: NoRange) -> &'static str {
    match refusal {
        NoRange::NoRichText => "The content of the editor of the anchor is no rich text.",
        NoRange::NoBeginning => "The beginning of the anchor is not in the text.",
        NoRange::NoEnd => "The end of the anchor is not in the text.",
        NoRange::NoCharacters => "There are no characters between the ends of the anchor.",
        NoRange::TooLong => "The range of the anchor has more than 200 texts.",
    }
}

fn no_editor(anchor: &Anchor) -> Error {
    Error::invalid(format!("The editor {} of the anchor does not exist.", anchor.editor_id))
}

/// The mark as y-prosemirror stores one that may overlap others of its type: its name with a digest
/// of it. With another digest each editor would write it anew.
fn mark_of(name: &str, thread: &str) -> Mark {
    let named = ("threadId", Some(thread));
    let (key, value) = match name {
        OF_BLOCKNOTE => (
            digest(name, &[("orphan", None), named]),
            json!({ "orphan": false, "threadId": thread }),
        ),
        _ => (digest(name, &[named]), json!({ "threadId": thread })),
    };
    Mark { key: format!("{name}--{key}"), value }
}

/// The digest of `{type, attrs}` in the encoding of lib0: SHA-256 folded into six bytes, in base64.
/// An attribute is a text or, when none, false.
fn digest(name: &str, attributes: &[(&str, Option<&str>)]) -> String {
    const OBJECT: u8 = 118;
    const TEXT: u8 = 119;
    const FALSE: u8 = 121;
    let mut bytes = vec![OBJECT, 2];
    put(&mut bytes, "type");
    bytes.push(TEXT);
    put(&mut bytes, name);
    put(&mut bytes, "attrs");
    bytes.push(OBJECT);
    length(&mut bytes, attributes.len());
    for (name, value) in attributes {
        put(&mut bytes, name);
        match value {
            Some(value) => {
                bytes.push(TEXT);
                put(&mut bytes, value);
            }
            None => bytes.push(FALSE),
        }
    }
    let mut folded = [0; 6];
    for (at, byte) in keyring::sha256(&bytes).into_iter().enumerate() {
        folded[at % 6] ^= byte;
    }
    STANDARD.encode(folded)
}

fn put(bytes: &mut Vec<u8>, text: &str) {
    length(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

/// A length of seven bits a byte, the lowest first.
fn length(bytes: &mut Vec<u8>, mut length: usize) {
    while length > 127 {
        bytes.push(128 | (length % 128) as u8);
        length /= 128;
    }
    bytes.push(length as u8);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::mark_of;

    /// The keys are those of `hashOfJSON` of y-prosemirror 1.3.
    #[test]
    fn a_mark_has_the_key_of_y_prosemirror() {
        let of_blocknote = mark_of("comment", "t1");
        assert_eq!(of_blocknote.value, json!({ "orphan": false, "threadId": "t1" }));
        assert_eq!(of_blocknote.key, "comment--ls84bLav");
        let long = "t".repeat(200);
        assert_eq!(mark_of("roundtableComment", &long).key, "roundtableComment--iOgzPSLq");
    }
}
