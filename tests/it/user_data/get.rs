use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    add_comment, add_notification, add_recording, add_thread, call, get, ids, person, react, start,
};
use crate::app::{App, cost};

const LISTS: [&str; 4] = ["comments", "reactions", "recordings", "notifications"];

#[tokio::test]
async fn lists_hold_the_items_that_the_user_made_or_that_name_the_user() {
    let app = start().await;
    add_comment(&app, "by-ada", "ada").await;
    add_comment(&app, "by-bob", "bob").await;
    let mention = json!({ "from": person("bob"), "taggedUserContacts": [{ "userId": "ada" }] });
    add_thread(&app, "e", json!({ "annotationId": "mentions", "commentData": [mention] })).await;
    react(&app, "by-bob", 1, "HEART", "ada").await;
    react(&app, "by-bob", 1, "SMILE", "bob").await;
    add_recording(&app, "recorded", "ada").await;
    add_recording(&app, "of-bob", "bob").await;
    add_notification(&app, "to-ada", "bob", &["ada"], false).await;
    add_notification(&app, "to-bob", "ada", &["bob"], false).await;

    let found = get(&app, "ada").await;
    assert_eq!(found["nextPageToken"], Value::Null);
    let data = &found["data"];
    assert_eq!(ids(&data["comments"]), ["by-ada", "mentions"]);
    assert_eq!(data["reactions"][0]["icon"], "HEART");
    assert_eq!(data["reactions"].as_array().unwrap().len(), 1);
    assert_eq!(ids(&data["recordings"]), ["recorded"]);
    assert_eq!(ids(&data["notifications"]), ["to-ada", "to-bob"], "to and by the user");
}

#[tokio::test]
async fn items_are_returned_as_their_own_operations_return_them() {
    let app = start().await;
    add_comment(&app, "thread", "ada").await;
    react(&app, "thread", 1, "HEART", "ada").await;
    add_recording(&app, "recorded", "ada").await;
    add_notification(&app, "news", "bob", &["ada"], false).await;
    let data = get(&app, "ada").await["data"].clone();
    let threads = call(&app, "comments.annotations_get", json!({ "documentId": "d" })).await;
    assert_eq!(data["comments"], threads);
    assert_eq!(data["reactions"][0], threads[0]["comments"][0]["reactionAnnotations"][0]);
    assert_eq!(data["recordings"], call(&app, "recordings.get", json!({})).await);
    assert_eq!(data["notifications"], call(&app, "notifications.get", json!({})).await);
}

#[tokio::test]
async fn threads_beyond_the_size_of_a_reply_are_not_read() {
    let mut units = vec![];
    for threads in [20, 40] {
        let app = start().await;
        for n in 0..threads {
            let comment = json!({ "from": person("ada"), "commentText": "x".repeat(100_000) });
            let thread = json!({ "annotationId": format!("t{n}"), "commentData": [comment] });
            add_thread(&app, "d", thread).await;
        }
        app.forget_calls();
        assert_eq!(get(&app, "ada").await["data"]["comments"].as_array().unwrap().len(), 9);
        units.push(cost::Cost::of(&app.calls()).read_units);
    }
    assert!(units[1] - units[0] < 10.0, "{units:?}");
}

#[tokio::test]
async fn an_unknown_user_or_organization_has_four_empty_lists() {
    let app = start().await;
    add_comment(&app, "thread", "ada").await;
    let empty = json!({ "comments": [], "reactions": [], "recordings": [], "notifications": [] });
    for (organization, user) in [("acme", "nobody"), ("nowhere", "ada")] {
        for path in ["/v2/users/data/get", "/v1/users/data/get"] {
            let sent = json!({ "organizationId": organization, "userId": user });
            let found = app.call_at(path, sent).await.ok();
            assert_eq!(found["data"], empty, "{path}");
            assert!(found.as_object().unwrap().contains_key("nextPageToken"));
            assert_eq!(found["nextPageToken"], Value::Null);
        }
    }
}

async fn page(app: &App, token: &Value) -> Value {
    let sent = json!({ "organizationId": "acme", "userId": "ada", "pageToken": token });
    app.call("user-data.get", sent).await.ok()
}

/// Adds `n` entries to each list of ada.
async fn fill(app: &App, [comments, reactions, recordings, notifications]: [usize; 4]) {
    let thread = |n: usize| json!({ "annotationId": format!("t{n:03}"), "commentData": [{ "from": person("ada") }] });
    let threads: Vec<Value> = (0..comments).map(thread).collect();
    for some in threads.chunks(50) {
        let sent = json!({ "documentId": "d", "commentAnnotations": some });
        call(app, "comments.annotations_add", sent).await;
    }
    if reactions > 0 {
        add_comment(app, "by-bob", "bob").await;
    }
    for n in 0..reactions {
        react(app, "by-bob", 1, &format!("ICON_{n}"), "ada").await;
    }
    let recording = |n: usize| json!({ "annotationId": format!("r{n:03}"), "recordedTime": { "duration": 1 }, "attachments": [], "from": person("ada") });
    let recorded: Vec<Value> = (0..recordings).map(recording).collect();
    if !recorded.is_empty() {
        call(app, "recordings.add", json!({ "documentId": "d", "recordings": recorded })).await;
    }
    for n in 0..notifications {
        add_notification(app, &format!("n{n:03}"), "bob", &["ada"], false).await;
    }
}

#[tokio::test]
async fn pages_of_all_four_lists_are_complete_and_without_repetition() {
    for counts in [[100, 0, 0, 0], [101, 0, 100, 1], [3, 101, 201, 0], [0, 0, 0, 101]] {
        let app = start().await;
        fill(&app, counts).await;
        let (mut token, mut pages) = (Value::Null, 0);
        let mut found: [Vec<String>; 4] = Default::default();
        loop {
            let reply = page(&app, &token).await;
            pages += 1;
            for (list, found) in LISTS.iter().zip(&mut found) {
                let items = ids(&reply["data"][list]);
                assert!(items.len() <= 100, "{list}");
                found.extend(items.into_iter().map(str::to_owned));
            }
            token = reply["nextPageToken"].clone();
            if token.is_null() {
                break;
            }
            assert!(pages < 5, "{counts:?}");
        }
        assert_eq!(pages, counts.into_iter().max().unwrap().div_ceil(100), "{counts:?}");
        for ((list, found), count) in LISTS.iter().zip(&found).zip(counts) {
            assert_eq!(found.len(), count, "{list} of {counts:?}");
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), count, "{list}: {found:?}");
        }
    }
}

#[tokio::test]
async fn large_items_make_shorter_pages() {
    let app = start().await;
    let text = "x".repeat(250_000);
    for n in 0..5 {
        let comment = json!({ "from": person("ada"), "commentText": text });
        let thread = json!({ "annotationId": format!("t{n}"), "commentData": [comment] });
        add_thread(&app, "d", thread).await;
    }
    let first = page(&app, &Value::Null).await;
    assert_eq!(ids(&first["data"]["comments"]), ["t0", "t1", "t2"]);
    let second = page(&app, &first["nextPageToken"]).await;
    assert_eq!(ids(&second["data"]["comments"]), ["t3", "t4"]);
    assert_eq!(second["nextPageToken"], Value::Null);
}

#[tokio::test]
async fn a_page_token_is_refused_for_another_user_or_organization() {
    let app = start().await;
    fill(&app, [0, 0, 101, 0]).await;
    let token = page(&app, &Value::Null).await["nextPageToken"].clone();
    for (organization, user) in [("acme", "bob"), ("other", "ada")] {
        let sent = json!({ "organizationId": organization, "userId": user, "pageToken": token });
        app.call("user-data.get", sent).await.error("INVALID_ARGUMENT");
    }
    let sent = json!({ "organizationId": "acme", "userId": "ada", "pageToken": "x" });
    app.call("user-data.get", sent).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn the_longest_ids_fit_into_a_token() {
    let app = start().await;
    let user = "\"".repeat(256);
    let id = |n: usize| format!("{n:03}{}", "\"".repeat(253));
    let document = "\"".repeat(256);
    let documents = json!({ "documents": [{ "documentId": document }] });
    call(&app, "documents.add", documents).await;
    let annotation = |n: usize| id(n).replace(':', "");
    let thread = |n: usize| json!({ "annotationId": annotation(n), "commentData": [{ "commentId": 1, "from": { "userId": user } }] });
    let threads: Vec<Value> = (0..101).map(thread).collect();
    for some in threads.chunks(50) {
        let sent = json!({ "documentId": document, "commentAnnotations": some });
        call(&app, "comments.annotations_add", sent).await;
    }
    let recording = |n: usize| json!({ "annotationId": id(n), "recordedTime": { "duration": 1 }, "attachments": [], "from": { "userId": user } });
    let recordings: Vec<Value> = (0..101).map(recording).collect();
    call(&app, "recordings.add", json!({ "documentId": document, "recordings": recordings })).await;
    let sent =
        |token: &Value| json!({ "organizationId": "acme", "userId": user, "pageToken": token });
    let first = app.call("user-data.get", sent(&Value::Null)).await.ok();
    let second = app.call("user-data.get", sent(&first["nextPageToken"])).await.ok();
    assert_eq!(second["data"]["comments"].as_array().unwrap().len(), 1);
    assert_eq!(second["data"]["recordings"].as_array().unwrap().len(), 1);
    assert_eq!(second["nextPageToken"], Value::Null);
}

/// Entries beyond the size of a reply are left for the next page, and not read.
#[tokio::test]
async fn each_large_thread_is_read_once_over_all_pages() {
    const THREADS: usize = 30;
    let app = start().await;
    for n in 0..THREADS {
        let comment = json!({ "from": person("ada"), "commentText": "x".repeat(150_000) });
        let thread = json!({ "annotationId": format!("t{n:02}"), "commentData": [comment] });
        add_thread(&app, "d", thread).await;
    }
    app.forget_calls();
    let (mut token, mut found, mut pages) = (Value::Null, 0, 0);
    loop {
        let reply = page(&app, &token).await;
        (found, pages) = (found + ids(&reply["data"]["comments"]).len(), pages + 1);
        token = reply["nextPageToken"].clone();
        if token.is_null() {
            break;
        }
    }
    let reads = app.calls().into_iter().filter(|call| call.operation == "BatchGetItem");
    // Beside threads, each has the document and the organization.
    let read: usize = reads.map(|call| call.items.saturating_sub(2)).sum();
    assert_eq!((found, pages), (THREADS, 5));
    assert!(read <= THREADS + pages, "{read} threads were read for {THREADS}");
}
