//! `/v2/crdt/versions/get`.

use std::time::Duration;

use serde_json::{Value, json};
use simulator::Dice;

use super::{Peer, base64, bytes, of, push_by, text_at, versions, with, with_text, work};
use crate::workspace::field;

/// Edits of three peers that get each other's now and then, with merges in between: each version is
/// what the text was then.
#[tokio::test]
async fn each_version_has_the_text_of_its_time_also_after_merges() {
    for seed in 0..4 {
        let dice = &mut Dice::new(seed);
        let app = with_text("").await;
        let peers = [Peer::new(7), Peer::new(8), Peer::new(9)];
        let (mut texts, mut times) = (Vec::new(), Vec::new());
        for n in 0..30 {
            app.advance(Duration::from_secs(660));
            let peer = &peers[dice.below(3) as usize];
            if dice.chance(5_000) {
                peer.pull(&app).await;
            }
            let len = peer.text().chars().count() as u64;
            let at = dice.below(len + 1) as u32;
            push_by(&app, "ada", peer.insert(at, &format!("<{n}>"))).await;
            if len > 3 && dice.chance(3_000) {
                let update = peer.remove(dice.below(len - 1) as u32, 2);
                push_by(&app, "bob", update).await;
            }
            let whole = Peer::new(20);
            whole.pull(&app).await;
            texts.push(json!(whole.text()));
            times.push(app.now());
            if dice.chance(3_000) {
                assert!(work(&app, "merge").await);
            }
            if dice.chance(1_000) {
                super::add_version(&app, "v").await;
            }
        }
        let mut found = versions(&app).await;
        found.retain(|version| version["kind"] == "edited");
        found.reverse();
        assert_eq!(found.len(), 30, "{seed}");
        for (version, text) in found.iter().zip(&texts) {
            let id = json!({ "versionId": version["versionId"] });
            assert_eq!(text_at(&app, id).await, *text, "seed {seed}: {version}");
        }
        for (at, text) in times.iter().zip(&texts) {
            assert_eq!(text_at(&app, json!({ "at": at })).await, *text, "seed {seed} at {at}");
        }
    }
}

#[tokio::test]
async fn a_peer_gets_what_it_lacks_of_a_version() {
    let app = with_text("").await;
    let ada = Peer::new(7);
    push_by(&app, "ada", ada.insert(0, "one ")).await;
    let seen = base64(&yrs::updates::encoder::Encode::encode_v1(&ada.vector()));
    app.advance(Duration::from_secs(660));
    push_by(&app, "ada", ada.insert(4, "two ")).await;
    let id = versions(&app).await[0]["versionId"].clone();
    app.advance(Duration::from_secs(660));
    push_by(&app, "ada", ada.insert(8, "three")).await;
    let sent = with(of("e"), json!({ "versionId": id, "stateVector": seen }));
    let found = app.call("editors.versions_get", sent).await.data();
    assert_eq!((&found["isComplete"], &found["content"]), (&json!(true), &Value::Null));
    let other = Peer::new(9);
    let sent = with(of("e"), json!({ "versionId": id }));
    other.apply(&bytes(&app.call("editors.versions_get", sent).await.data()["update"]));
    assert_eq!(other.text(), "one two ");
    let sent = with(of("e"), json!({ "versionId": id, "format": "json", "contentKey": "content" }));
    let content = app.call("editors.versions_get", sent).await.data()["content"].take();
    let expected = json!({
        "type": "text", "contentKey": "content", "lost": [],
        "data": { "ops": [{ "insert": "one two " }] },
    });
    assert_eq!(content, expected);
}

#[tokio::test]
async fn what_names_no_version_is_refused() {
    let app = with_text("x").await;
    let id = versions(&app).await[0]["versionId"].clone();
    for (members, named) in [
        (json!({}), "data.versionId"),
        (json!({ "versionId": id, "at": 1 }), "data.at"),
        (json!({ "versionId": "" }), "data.versionId"),
        (json!({ "at": "yesterday" }), "data.at"),
        (json!({ "versionId": id, "stateVector": "AQ" }), "data.stateVector"),
        (json!({ "versionId": id, "stateVector": "/w==" }), "data.stateVector"),
        (json!({ "versionId": id, "format": "pdf" }), "data.format"),
    ] {
        let sent = with(of("e"), members.clone());
        let error = app.call("editors.versions_get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), named, "{members}");
    }
    let other = "01KBM0Q5ZVX3J8M5T2R4C6D7E8";
    for members in [
        json!({ "versionId": "nope" }),
        json!({ "versionId": other }),
        json!({ "versionId": other[..14] }),
        json!({ "at": 1_000 }),
    ] {
        let sent = with(of("e"), members.clone());
        app.call("editors.versions_get", sent).await.error("NOT_FOUND");
    }
    let sent = with(of("nope"), json!({ "versionId": id }));
    app.call("editors.versions_get", sent).await.error("NOT_FOUND");
    assert_eq!(text_at(&app, json!({ "versionId": id })).await, "x");
    assert_eq!(text_at(&app, json!({ "at": app.now() + 1_000_000 })).await, "x", "of the future");
}
