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
