//! The history of editors as a whole: crashes, cost, expiry, deletion, erasure and rights.

use std::time::Duration;

use embedded::{Effect, Fault};
use futures_util::future::join;
use serde_json::{Value, json};
use service::Table;

use super::{
    Peer, add_version, base64, bytes, count, data, noise, of, push_by, shown, stored, text_at,
    update, versions, with, with_text, work,
};
use crate::end_users::{at, member, with_document, with_document_in_parts};

/// More than the number of calls of the worker.
const CALLS: usize = 16;

/// Wherever a merge stops, each version stays what it was, and its author who it was.
async fn survives(effect: Effect, text: &str) {
    for call in 0..CALLS {
        let app = with_text("").await;
        let peer = Peer::new(7);
        push_by(&app, "ada", peer.insert(0, text)).await;
        assert!(work(&app, "merge").await);
        add_version(&app, "merged").await;
        let mut expected = vec![];
        for n in 0..4 {
            app.advance(Duration::from_secs(660));
            push_by(&app, ["ada", "bob"][n % 2], peer.insert(0, &n.to_string())).await;
            expected.push(json!(peer.text()));
            if n == 1 {
                let times = if effect == Effect::LoseReply { 1 } else { 3 };
                let effect = effect.clone();
                app.fault(Fault { operation: "*".to_owned(), skip: call, times, effect });
                app.call("editors.versions_add", with(of("e"), json!({ "name": "crashes" }))).await;
                app.embedded().clear_faults();
            }
        }
        for is_merged in [false, true] {
            if is_merged {
                add_version(&app, "last").await;
            }
            let mut found = versions(&app).await;
            found.retain(|version| version["kind"] == "edited");
            found.truncate(4);
            found.reverse();
            let users: Vec<_> = shown(&found);
            let [ada, bob] = [(vec!["ada"], 1), (vec!["bob"], 1)];
            assert_eq!(users, [ada.clone(), bob.clone(), ada, bob], "{effect:?} at call {call}");
            for (version, text) in found.iter().zip(&expected) {
                let id = json!({ "versionId": version["versionId"] });
                assert!(text_at(&app, id).await == *text, "{effect:?} at call {call}");
            }
            let authors = app.call("editors.authors_get", of("e")).await.data();
            let of_peer: Vec<&Value> = authors["ranges"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|range| range["client"] == 7)
                .map(|range| &range["userId"])
                .collect();
            assert_eq!(of_peer, ["ada", "bob", "ada", "bob"], "{effect:?} at call {call}");
        }
        for _ in 0..2 {
            app.advance(Duration::from_secs(21 * 60));
            app.tick().await;
            app.settle().await;
        }
        assert!(data(&app, "e").await == *expected.last().unwrap());
    }
}

#[tokio::test]
async fn a_crash_before_any_step_of_a_merge_changes_no_version() {
    survives(Effect::InternalError, "x").await;
    survives(Effect::InternalError, &noise(8_000)).await;
}

#[tokio::test]
async fn a_crash_after_any_step_of_a_merge_changes_no_version() {
    survives(Effect::LoseReply, "x").await;
    survives(Effect::LoseReply, &noise(8_000)).await;
}

#[tokio::test]
async fn of_two_merges_at_once_one_is_in_the_history() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    for n in 0..5 {
        app.advance(Duration::from_secs(660));
        push_by(&app, "ada", peer.insert(n, "x")).await;
        join(add_version(&app, "a"), add_version(&app, "b")).await;
    }
    let mut found = versions(&app).await;
    found.retain(|version| version["kind"] == "edited");
    assert_eq!(found.len(), 5);
    for (n, version) in found.iter().rev().enumerate() {
        let id = json!({ "versionId": version["versionId"] });
        assert_eq!(text_at(&app, id).await, "x".repeat(n + 1));
    }
}

/// Edits end after 30 days, and with them the snapshots that were kept for them.
#[tokio::test]
async fn edits_are_kept_for_30_days_and_nothing_of_them_after_that() {
    let app = with_text(&noise(9_000)).await;
    let start = app.now();
    let peer = Peer::new(7);
    peer.pull(&app).await;
    for day in 1..=40 {
        app.advance(Duration::from_secs(24 * 60 * 60));
        push_by(&app, "ada", peer.insert(0, &format!("{day},"))).await;
        let id = add_version(&app, "merges").await;
        let gone = with(of("e"), json!({ "versionId": id }));
        app.call("editors.versions_delete", gone).await.ok();
        app.tick().await;
        app.settle().await;
    }
    // The clock goes on a little with each call.
    let day = |n: u64| start + n * 24 * 60 * 60 * 1000 + 60_000;
    let found = versions(&app).await;
    let oldest = found.last().unwrap()["from"].as_u64().unwrap();
    assert!((day(11) - 60_000..day(11)).contains(&oldest), "{found:?}");
    for n in [12, 25, 40] {
        let text = text_at(&app, json!({ "at": day(n) })).await;
        assert!(text.as_str().unwrap().starts_with(&format!("{n},{},", n - 1)), "{n}");
    }
    let sent = with(of("e"), json!({ "at": day(5) }));
    app.call("editors.versions_get", sent).await.error("NOT_FOUND");
    let kept = count(&app, "version");
    assert!((30..=32).contains(&kept), "{kept}");
    app.advance(Duration::from_secs(45 * 24 * 60 * 60));
    for _ in 0..2 {
        app.advance(Duration::from_secs(21 * 60));
        app.tick().await;
        app.settle().await;
    }
    assert_eq!(versions(&app).await, [] as [Value; 0]);
    let sent = with(of("e"), json!({ "at": day(40) }));
    app.call("editors.versions_get", sent).await.error("NOT_FOUND");
    assert_eq!((count(&app, "snapshot"), count(&app, "version")), (1, 0), "{:?}", stored(&app));
}

#[tokio::test]
async fn a_deleted_editor_leaves_nothing_of_its_history() {
    let app = with_text(&noise(9_000)).await;
    add_version(&app, "First").await;
    app.advance(Duration::from_secs(25 * 60 * 60));
    push_by(&app, "ada", Peer::new(7).insert(0, "x")).await;
    add_version(&app, "Second").await;
    let kinds = ["history", "users", "version", "snapshot"].map(|kind| count(&app, kind));
    assert_eq!(kinds, [2, 1, 3, 2], "{:?}", stored(&app));
    let gone = json!({ "organizationId": "o", "documentId": "d", "editorIds": ["e"] });
    app.call("editors.delete", gone).await.ok();
    app.call("editors.authors_get", of("e")).await.error("NOT_FOUND");
    app.settle().await;
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!(stored(&app), Vec::<String>::new());
    super::add(&app, "e", "text", json!("new")).await;
    assert_eq!(versions(&app).await.len(), 1, "another one begins anew");
}

#[tokio::test]
async fn an_erased_user_is_nobody_in_the_history() {
    let app = with_text("").await;
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    push_by(&app, "ada", ada.insert(0, "one")).await;
    push_by(&app, "bob", bob.insert(0, "two")).await;
    add_version(&app, "merges").await;
    push_by(&app, "ada", ada.insert(0, "three")).await;
    let erased = json!({ "userIds": ["ada"], "organizationIds": ["o"] });
    app.call("user-data.delete", erased).await.ok();
    app.settle().await;
    for _ in 0..2 {
        app.advance(Duration::from_secs(21 * 60));
        app.tick().await;
        app.settle().await;
    }
    let rows = app.items_of(Table::Crdt, &app.key);
    let named: Vec<&Value> =
        rows.iter().filter(|row| row.to_string().contains("\"ada\"")).collect();
    assert_eq!(named, [] as [&Value; 0]);
    let found = versions(&app).await;
    let users: Vec<&Value> = found.iter().map(|version| &version["userIds"]).collect();
    assert!(users.iter().all(|users| !users.to_string().contains("ada")), "{users:?}");
    assert!(users.contains(&&json!(["bob"])), "{users:?}");
    let authors = app.call("editors.authors_get", of("e")).await.data();
    let authors: Vec<&Value> =
        authors["ranges"].as_array().unwrap().iter().map(|range| &range["userId"]).collect();
    assert!(authors.contains(&&json!("bob")) && !authors.contains(&&json!("ada")), "{authors:?}");
    let sent = with(of("e"), json!({ "authorId": "ada" }));
    let made = app.call("editors.changes_revert", sent).await.data();
    assert_eq!(made["version"], Value::Null);
}

/// Operations of the history.
const OPERATIONS: [&str; 9] = [
    "versions_list",
    "versions_get",
    "versions_add",
    "versions_update",
    "versions_restore",
    "changes_get",
    "changes_revert",
    "authors_get",
    "versions_delete",
];

#[tokio::test]
async fn end_users_need_the_right_to_write_because_a_history_has_what_was_deleted() {
    let app = with_document().await;
    let (ada, eve) = (member(&app, "ada", "editor").await, member(&app, "eve", "viewer").await);
    let sent = json!({ "editorId": "e", "updates": [base64(&Peer::new(7).insert(0, "x"))] });
    app.caller().end_user(&ada).call("editors.updates_add", at(sent)).await.ok();
    let sent = at(json!({ "editorId": "e", "name": "First" }));
    let version = app.caller().end_user(&ada).call("editors.versions_add", sent).await.data();
    assert_eq!(version["userIds"], json!(["ada"]));
    for operation in OPERATIONS {
        let members = match operation {
            "versions_get" | "versions_delete" | "versions_restore" => {
                json!({ "versionId": version["versionId"] })
            }
            "versions_update" => json!({ "versionId": version["versionId"], "name": "x" }),
            "changes_revert" => json!({ "authorId": "ada" }),
            _ => json!({}),
        };
        let sent = with(at(json!({ "editorId": "e" })), members);
        let name = format!("editors.{operation}");
        let refused = app.caller().end_user(&eve).call(&name, sent.clone()).await;
        refused.error("PERMISSION_DENIED");
        let other = app.second_key().await;
        let foreign = app.call_as(&other, &name, sent.clone()).await;
        assert!(!foreign.text().contains("First") && !foreign.text().contains("\"ada\""));
        app.caller().end_user(&ada).call(&name, sent).await.ok();
    }
}

#[tokio::test]
async fn a_keystroke_is_one_put_and_the_history_of_200_takes_three_units() {
    let app = with_document_in_parts().await;
    let ada = member(&app, "ada", "editor").await;
    let push = async |update: Vec<u8>| {
        let sent = at(json!({ "editorId": "e", "updates": [base64(&update)] }));
        app.caller().end_user(&ada).call("editors.updates_add", sent).await.ok();
    };
    let peer = Peer::new(7);
    push(peer.insert(0, "The first text.")).await;
    let sentence = "People write a text letter by letter, and nobody knows what comes next. ";
    let letters = sentence.chars().cycle().take(200);
    for (n, letter) in letters.enumerate() {
        let update = peer.insert(15 + n as u32, &letter.to_string());
        app.forget_calls();
        push(update).await;
        if n == 150 {
            let calls = app.calls();
            let writes: Vec<&str> = calls
                .iter()
                .filter(|call| call.service == embedded::Service::DynamoDb)
                .map(|call| call.operation.as_str())
                .filter(|operation| !operation.contains("Get") && *operation != "Query")
                .collect();
            assert_eq!(writes, ["PutItem"], "{calls:?}");
        }
        app.advance(Duration::from_millis(180));
    }
    let rows = app.items_of(Table::Crdt, &app.key);
    let before: usize =
        rows.iter().filter(|row| row["SK"]["S"].as_str().unwrap().contains("#log#")).count();
    assert!(before > 100, "{before}");
    let sent = at(json!({ "editorId": "e" }));
    app.forget_calls();
    app.call("editors.versions_add", sent).await.ok();
    let rows = app.items_of(Table::Crdt, &app.key);
    let kept: Vec<usize> = rows
        .iter()
        .filter(|row| row["SK"]["S"].as_str().unwrap().contains("#history#"))
        .map(|row| bytes(&row["data"]["B"]).len())
        .collect();
    // Beside the keys and three numbers.
    assert!(kept.len() == 1 && kept[0] + 400 < 3 * 1024, "{kept:?}");
}

#[tokio::test]
async fn a_large_history_is_refused_with_the_limit_named() {
    let app = with_text("x").await;
    let start = app.now();
    for n in 0..9 {
        let text = format!("{n}{}", noise(4_000_000));
        update(&app, "e", "text", json!(text)).await.ok();
        update(&app, "e", "text", json!("x")).await.ok();
        add_version(&app, "merges").await;
    }
    for (name, sent) in [
        ("editors.versions_get", json!({ "at": start })),
        ("editors.versions_restore", json!({ "at": start })),
        ("editors.changes_get", json!({ "from": start })),
        ("editors.changes_revert", json!({ "from": start, "authorId": "ada" })),
    ] {
        let error = app.call(name, with(of("e"), sent)).await.error("RESOURCE_EXHAUSTED");
        assert!(error["message"].as_str().unwrap().contains("24 MB"), "{error}");
    }
}
