//! JSON inside updates that JavaScript writes and reads, and the parser of the library does not.

use crdt::{Kind, State, check_update, without};
use serde_json::json;
use yrs::{Any, Doc, Text, Transact, types::Attrs, updates::decoder::Decode};

use crate::{
    cursors::everything,
    samples::{KEY, SERVER, get, put},
};

/// An update of a text, with `json` in the place of a placeholder of the same length in a format and
/// in an embedded object.
fn update(placeholder: &str, json: &str) -> Vec<u8> {
    assert_eq!(placeholder.len(), json.len());
    let doc = Doc::with_client_id(9);
    let text = doc.get_or_insert_text(KEY);
    let mut txn = doc.transact_mut();
    let value = Any::from_json(&format!(r#"{{"a":{placeholder}}}"#)).expect("JSON");
    text.insert_with_attributes(
        &mut txn,
        0,
        "Hello",
        Attrs::from([("comment".into(), value.clone())]),
    );
    text.insert_embed(&mut txn, 5, value);
    text.insert(&mut txn, 6, " world");
    drop(txn);
    let mut update = everything(&doc);
    while let Some(at) = update.windows(json.len()).position(|part| part == placeholder.as_bytes())
    {
        update[at..at + json.len()].copy_from_slice(json.as_bytes());
    }
    update
}

#[test]
fn an_update_with_json_of_javascript_is_taken_and_what_follows_it() {
    for (placeholder, json) in [
        ("\"Well done 123456\"", "\"Well done \\ud83d\""),
        ("\"12345678 cut\"", "\"\\udc4f__ cut\""),
        ("\"123456789012345678\"", "12345678901234567000"),
    ] {
        let update = update(placeholder, json);
        assert!(yrs::Update::decode_v1(&update).is_err(), "the library reads {json}");
        let checked = check_update(&update).expect(json);
        assert_eq!(checked.clients, [(9, true)].into());
        let mut state = State::load(SERVER, None, [&*update]).expect("a document");
        assert_eq!(get(&state, Kind::Text), json!("Hello world"));
        assert_eq!(state.lacking(&update, []).expect("readable"), [].into());
        assert!(without(&update, &[9].into()).is_ok());
        put(&mut state, Kind::Text, &json!("Hello world, and more"));
        let snapshot = state.encode();
        let again = State::load(SERVER, Some(&snapshot), [&*update]).expect("a document");
        assert_eq!(get(&again, Kind::Text), json!("Hello world, and more"));
        assert_eq!(state.state_vector(), again.state_vector());
    }
}
