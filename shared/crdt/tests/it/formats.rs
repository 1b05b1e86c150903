//! Formatting of text that no one asked to change.

use crdt::Kind;
use serde_json::json;
use yrs::{
    Any, Text, Transact,
    types::{
        Attrs,
        text::{Diff, YChange},
    },
};

use crate::{
    cursors::{everything, peer, receive},
    samples::{KEY, empty, get, loaded, put},
};

fn bold() -> Attrs {
    Attrs::from([("bold".into(), Any::from(true))])
}

/// "plain bold plain" by a peer, replaced by `new`; the runs after it.
fn runs(new: &str) -> Vec<(String, bool)> {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    {
        let mut txn = doc.transact_mut();
        shared.insert(&mut txn, 0, "plain bold plain");
        shared.format(&mut txn, 6, 4, bold());
    }
    let mut state = loaded(&everything(&doc));
    receive(&doc, &put(&mut state, Kind::Text, &json!(new)).update);
    assert_eq!(get(&state, Kind::Text), json!(new));
    let diff = shared.diff(&doc.transact(), YChange::identity);
    diff.into_iter()
        .map(|Diff { insert, attributes, .. }| {
            let text = insert.cast::<String>().expect("text");
            (text, attributes.is_some_and(|attributes| *attributes == bold()))
        })
        .collect()
}

#[test]
fn new_text_looks_like_what_is_left_of_it() {
    let expected = |runs: &[(&str, bool)]| {
        runs.iter().map(|(text, bold)| ((*text).to_owned(), *bold)).collect::<Vec<_>>()
    };
    assert_eq!(
        runs("plain bold, new text plain"),
        expected(&[("plain ", false), ("bold, new text", true), (" plain", false)])
    );
    assert_eq!(
        runs("plain BOLD plain"),
        expected(&[("plain ", false), ("BOLD", true), (" plain", false)])
    );
    assert_eq!(
        runs("very plain bold plain, too"),
        expected(&[("very plain ", false), ("bold", true), (" plain, too", false)])
    );
    assert_eq!(runs("plain plain"), expected(&[("plain plain", false)]));
    assert_eq!(runs("bold"), expected(&[("bold", true)]));
}

/// Lines as Quill keeps them, with the format of a line at its break; the ones after a replacement.
fn lines(old: &[(&str, &str)], new: &str) -> Vec<(String, String)> {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    for (text, look) in old {
        let mut txn = doc.transact_mut();
        let at = shared.len(&txn);
        shared.insert_with_attributes(&mut txn, at, text, Attrs::new());
        let line = look.split_whitespace().map(|name| (name.into(), Any::from(true))).collect();
        let at = shared.len(&txn);
        shared.insert_with_attributes(&mut txn, at, "\n", line);
    }
    let mut state = loaded(&everything(&doc));
    receive(&doc, &put(&mut state, Kind::Text, &json!(new)).update);
    let (mut lines, mut text) = (Vec::new(), String::new());
    for Diff { insert, attributes, .. } in shared.diff(&doc.transact(), YChange::identity) {
        let look = attributes.map(|it| it.keys().map(|key| &**key).collect::<String>());
        let look = look.unwrap_or_default();
        for part in insert.cast::<String>().expect("text").split_inclusive('\n') {
            match part.strip_suffix('\n') {
                Some(end) => lines.push((std::mem::take(&mut text) + end, look.clone())),
                None => text += part,
            }
            assert!(part.ends_with('\n') || look.is_empty(), "{part} looks like a line");
        }
    }
    lines
}

#[test]
fn lines_keep_their_format_when_others_come_and_go() {
    let expected = |lines: &[(&str, &str)]| {
        lines.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>()
    };
    let old = [("The title", "header"), ("The first", "list"), ("The last", "")];
    for (new, lines) in [
        ("The first\nThe last\n", &[("The first", "list"), ("The last", "")][..]),
        ("The title\nThe last\n", &[("The title", "header"), ("The last", "")]),
        ("A name\nA first\nThe last\n", &[("A name", "header"), ("A first", "list"), old[2]]),
        ("The title\nA text\nThe first\nThe last\n", &[old[0], ("A text", ""), old[1], old[2]]),
        (
            "The title\nThe first\nThe second\nA third\nThe last\n",
            &[old[0], old[1], ("The second", "list"), ("A third", "list"), old[2]],
        ),
        ("The title\nThe last one\n", &[old[0], ("The last one", "")]),
    ] {
        assert_eq!(self::lines(&old, new), expected(lines));
    }
}

/// A line that goes takes its own characters with it, and no others that read the same.
#[test]
fn a_deleted_line_is_the_one_that_was_deleted() {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    shared.insert(&mut doc.transact_mut(), 0, "The first\nThe last\n");
    let mut state = loaded(&everything(&doc));
    // Another peer types into the line that stays.
    shared.insert(&mut doc.transact_mut(), 11, "XX");
    put(&mut state, Kind::Text, &json!("The last\n"));
    state.apply(&everything(&doc)).expect("applied");
    assert_eq!(get(&state, Kind::Text), json!("TXXhe last\n"));
    put(&mut state, Kind::Text, &json!("TXXhe first\nTXXhe last\n"));
    assert_eq!(get(&state, Kind::Text), json!("TXXhe first\nTXXhe last\n"));
}

#[test]
fn embedded_objects_stay_where_they_are() {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    {
        let mut txn = doc.transact_mut();
        shared.insert(&mut txn, 0, "before after");
        shared.insert_embed(&mut txn, 7, Any::from_json(r#"{"image":"a"}"#).expect("JSON"));
    }
    let mut state = loaded(&everything(&doc));
    assert_eq!(state.kind(KEY).expect("a kind"), Some(Kind::Text));
    put(&mut state, Kind::Text, &json!("BEFORE AFTER"));
    assert_eq!(get(&state, Kind::Text), json!("BEFORE AFTER"));
    receive(&doc, &state.encode());
    let diff = shared.diff(&doc.transact(), YChange::identity);
    let embeds = diff.iter().filter(|piece| !matches!(piece.insert, yrs::Out::Any(Any::String(_))));
    assert_eq!(embeds.count(), 1);
    let again = put(&mut empty(), Kind::Text, &json!(""));
    assert!(again.update.is_empty());
}
