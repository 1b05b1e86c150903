//! Changes of archived comments of long threads.

use std::{collections::BTreeSet, time::Duration};

use embedded::{Effect, Fault};
use serde_json::{Value, json};

use super::{
    at, by, events_in, find, list,
    long::{long, numbers},
    names_after, rows, start, thread, with_thread,
};
use crate::app::App;

async fn comment(app: &App, id: u64) -> Value {
    app.call("comments.get", thread(json!({ "commentIds": [id] }))).await.data()[0].clone()
}

#[tokio::test]
async fn an_old_comment_is_edited_like_any_other() {
    let app = long(60).await;
    let before = events_in(&app, "d").len();
    let patch = json!({ "commentText": "new", "taggedUserContacts": [{ "userId": "eve" }] });
    let sent = thread(json!({ "commentIds": [5, 999, 59], "updatedData": patch }));
    let entries = app.call("comments.update", sent).await.data();
    let done = |id: &str| entries[id]["success"].as_bool().unwrap();
    assert_eq!((done("5"), done("999"), done("59")), (true, false, true));
    assert_eq!(comment(&app, 5).await["commentText"], "new");
    assert_eq!(names_after(&app, before), ["comment.update", "comment.update"]);
    let event = events_in(&app, "d")[before]["event"].clone();
    assert_eq!(
        (&event["commentId"], &event["changes"]["commentText"]["to"]),
        (&json!(5), &json!("new"))
    );
    assert_eq!(event["data"]["targetComment"]["commentText"], "new");
    assert_eq!(event["data"]["commentAnnotation"]["commentsCount"], 60);
    let shown = list(&app, json!({ "mentionedUserIds": ["eve"] })).await[0].clone();
    assert_eq!(shown["mentionedUserIds"], json!(["eve"]));
    assert!(shown["subscribedUsers"]["eve"].is_object());
    let patch = json!({ "taggedUserContacts": null });
    let sent = thread(json!({ "commentIds": [5, 59], "updatedData": patch }));
    app.call("comments.update", sent).await.ok();
    assert_eq!(find(&app, "a").await["involvedUserIds"], json!(["ada", "bob"]));
    assert_eq!(numbers(&app, 1_000).await, (0..60).collect::<Vec<u64>>());
}

#[tokio::test]
async fn reactions_to_an_old_comment_are_added_and_deleted() {
    let app = long(60).await;
    let before = events_in(&app, "d").len();
    let reaction =
        |icon: &str| thread(json!({ "commentId": 5, "icon": icon, "from": { "userId": "eve" } }));
    for icon in ["HEART", "SMILE"] {
        app.call("comments.reactions_add", reaction(icon)).await.ok();
    }
    app.call(
        "comments.reactions_add",
        thread(json!({ "commentId": 59, "icon": "HEART", "from": { "userId": "eve" } })),
    )
    .await
    .ok();
    assert_eq!(comment(&app, 5).await["reactionAnnotations"].as_array().unwrap().len(), 2);
    let sent = json!({ "organizationId": "o", "userId": "eve" });
    let data = app.call("user-data.get", sent.clone()).await.data();
    let found: Vec<&Value> =
        data["reactions"].as_array().unwrap().iter().map(|one| &one["commentId"]).collect();
    assert_eq!(found, [5, 5, 59]);
    assert_eq!(data["comments"], json!([]), "who reacts is not involved");
    app.call("comments.reactions_delete", reaction("HEART")).await.ok();
    app.call("comments.reactions_delete", reaction("HEART")).await.error("NOT_FOUND");
    let data = app.call("user-data.get", sent).await.data();
    assert_eq!(data["reactions"].as_array().unwrap().len(), 2);
    let expected = [
        "comment.reaction_add",
        "comment.reaction_add",
        "comment.reaction_add",
        "comment.reaction_delete",
    ];
    assert_eq!(names_after(&app, before), expected);
    assert_eq!(events_in(&app, "d")[before]["event"]["data"]["targetComment"]["commentId"], 5);
}

#[tokio::test]
async fn old_comments_are_deleted() {
    let app = long(60).await;
    let before = events_in(&app, "d").len();
    let sent = thread(json!({ "commentIds": [5, 6, 999, 59] }));
    let entries = app.call("comments.delete", sent.clone()).await.data();
    assert_eq!(
        entries.as_object().unwrap().values().filter(|one| one["success"] == true).count(),
        3
    );
    assert_eq!(app.call("comments.delete", sent).await.data()["5"]["success"], false);
    assert!(comment(&app, 5).await.is_null());
    assert_eq!(names_after(&app, before), ["comment.delete"; 3]);
    assert_eq!(events_in(&app, "d")[before]["event"]["data"]["targetComment"]["commentId"], 5);
    let left: Vec<u64> = (0..59).filter(|id| ![5, 6].contains(id)).collect();
    assert_eq!(numbers(&app, 10).await, left);
    assert_eq!(find(&app, "a").await["comments"].as_array().unwrap().len(), 57);
    let again = json!({ "commentId": 5, "from": { "userId": "cy" } });
    app.call("comments.add", thread(json!({ "commentData": [again] }))).await.ok();
    assert_eq!(numbers(&app, 1_000).await.last(), Some(&5));
    let all = app.call("comments.delete", thread(json!({}))).await.data();
    assert_eq!(all.as_object().unwrap().len(), 58);
    assert_eq!(numbers(&app, 10).await, [0; 0]);
    assert_eq!(find(&app, "a").await["comments"], json!([]));
    let left: Vec<String> = rows(&app)
        .into_iter()
        .filter(|row| row.contains("omment") || row.contains("archived"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn a_user_takes_the_place_of_another_in_old_comments() {
    let app = long(60).await;
    let users = json!([{ "oldUser": { "userId": "ada" }, "newUser": { "userId": "eve" } }]);
    let sent = at("d", json!({ "annotationIds": ["a"], "updateUsers": users }));
    app.call("comments.annotations_update", sent).await.ok();
    let all = app.call("comments.get", thread(json!({}))).await.data().to_string();
    assert!(!all.contains("\"ada\"") && all.contains("\"eve\""));
    let shown = find(&app, "a").await;
    assert_eq!(shown["involvedUserIds"], json!(["bob", "eve"]));
    assert!(!rows(&app).iter().any(|row| row.starts_with("link#ada#")));
}

#[tokio::test]
async fn deleting_a_long_thread_or_its_document_deletes_old_comments() {
    for whole_document in [false, true] {
        let app = long(60).await;
        if whole_document {
            let sent = json!({ "organizationId": "o", "documentIds": ["d"] });
            app.call("documents.delete", sent).await.ok();
        } else {
            app.call("comments.annotations_delete", at("d", json!({ "annotationIds": ["a"] })))
                .await
                .ok();
        }
        app.advance(Duration::from_secs(1));
        app.settle().await;
        assert_eq!(rows(&app), Vec::<String>::new(), "{whole_document}");
    }
}

#[tokio::test]
async fn a_new_thread_of_the_same_id_has_no_comments_of_a_deleted_long_thread() {
    let app = long(60).await;
    app.call("comments.annotations_delete", at("d", json!({ "annotationIds": ["a"] }))).await.ok();
    app.advance(Duration::from_millis(1));
    super::add_to(&app, "d", json!({ "annotationId": "a", "commentData": [by("cy")] })).await;
    assert_eq!(numbers(&app, 100).await.len(), 1);
    assert!(comment(&app, 5).await.is_null());
    for _ in 0..20 {
        app.call("comments.add", thread(json!({ "commentData": [by("cy")] }))).await.ok();
    }
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(numbers(&app, 100).await.len(), 21);
    assert!(comment(&app, 5).await.is_null());
}

#[tokio::test]
async fn a_user_is_erased_from_a_long_thread() {
    let app = long(60).await;
    let tagged = json!({ "commentIds": [3, 5], "updatedData": { "taggedUserContacts": [{ "userId": "ada" }] } });
    app.call("comments.update", thread(tagged)).await.ok();
    let reaction = json!({ "commentId": 7, "icon": "HEART", "from": { "userId": "ada" } });
    app.call("comments.reactions_add", thread(reaction)).await.ok();
    app.call("user-data.delete", json!({ "userIds": ["ada"] })).await.ok();
    app.settle().await;
    app.advance(Duration::from_secs(61));
    app.settle().await;
    let all = app.call("comments.get", thread(json!({}))).await.data();
    assert_eq!(all.as_array().unwrap().len(), 30);
    assert!(!all.to_string().contains("\"ada\""));
    let shown = find(&app, "a").await;
    assert_eq!(shown["comments"].as_array().unwrap().len(), 30);
    assert_eq!(shown["involvedUserIds"], json!(["bob", "deleted-user"]));
    assert!(!json!(rows(&app)).to_string().contains("ada"));
    app.call("user-data.delete", json!({ "userIds": ["bob"] })).await.ok();
    app.settle().await;
    app.advance(Duration::from_secs(61));
    app.settle().await;
    assert!(find(&app, "a").await.is_null(), "with its last comment the thread goes");
}

/// Whichever write fails or is interrupted, no comment is lost, duplicated or out of order.
#[tokio::test]
async fn a_reply_that_is_cut_off_anywhere_leaves_every_comment_once() {
    for effect in [Effect::InternalError, Effect::LoseReply] {
        let app = long(12).await;
        let mut accepted: BTreeSet<u64> = (0..12).collect();
        let mut tried = accepted.clone();
        for skip in 0..8_u64 {
            let effect = effect.clone();
            let skip_calls = usize::try_from(skip).unwrap();
            app.fault(Fault { operation: "*".to_owned(), skip: skip_calls, times: 40, effect });
            let id = 100 + skip;
            let sent = json!({ "commentId": id, "from": { "userId": "ada" }, "commentText": "x".repeat(700) });
            let reply = app.call("comments.add", thread(json!({ "commentData": [sent] }))).await;
            app.embedded().clear_faults();
            tried.insert(id);
            if reply.status() == 200 {
                accepted.insert(id);
            }
            // Comments that an interrupted move left in the thread are edited before a retry.
            let patch = json!({ "commentIds": [8, 9, 10, 11], "updatedData": { "commentText": format!("{skip}") } });
            app.call("comments.update", thread(patch)).await.ok();
            let found = numbers(&app, 3).await;
            let distinct: BTreeSet<u64> = found.iter().copied().collect();
            assert_eq!(found.len(), distinct.len(), "{found:?}");
            assert!(distinct.is_superset(&accepted) && tried.is_superset(&distinct), "{found:?}");
            assert!(found.is_sorted(), "{found:?}");
            for id in 8..12 {
                assert_eq!(comment(&app, id).await["commentText"], format!("{skip}"));
            }
        }
        assert!(find(&app, "a").await["commentsCount"].is_null(), "all fit into one that is named");
    }
}

#[tokio::test]
async fn simultaneous_replies_to_a_long_thread_are_all_kept_once() {
    let app = long(30).await;
    let mut left: Vec<u64> = (1_000..1_020).collect();
    for _ in 0..20 {
        let replies = left.iter().map(|id| {
            let sent = json!({ "commentId": id, "from": { "userId": "ada" }, "commentText": "x".repeat(500) });
            app.call("comments.add", thread(json!({ "commentData": [sent] })))
        });
        let replies = futures_util::future::join_all(replies).await;
        let lost = left.iter().zip(&replies).filter(|(_, reply)| reply.status() != 200);
        left = lost.map(|(id, _)| *id).collect();
        if left.is_empty() {
            break;
        }
    }
    let found = numbers(&app, 7).await;
    let distinct: BTreeSet<u64> = found.iter().copied().collect();
    assert_eq!((found.len(), distinct.len()), (50, 50), "{found:?}");
}

/// The numbers in a call.
fn numbered(from: u64, count: u64) -> Vec<Value> {
    (from..from + count)
        .map(|id| {
            let mut one = by("ada");
            one["commentId"] = json!(id);
            one
        })
        .collect()
}

#[tokio::test]
async fn an_interrupted_call_of_120_comments_is_completed_when_it_is_repeated() {
    for named in [true, false] {
        for skip in 0..4 {
            let at_step = format!("{named} {skip}");
            let app = with_thread().await;
            let before = numbers(&app, 1000).await.len();
            let mut comments = numbered(1000, 120);
            if !named {
                comments.iter_mut().for_each(|one| *one = by("ada"));
            }
            let sent = thread(json!({ "commentData": comments }));
            let fault = |operation: &str| Fault {
                operation: operation.to_owned(),
                skip,
                times: 100,
                effect: Effect::InternalError,
            };
            let writes =
                ["PutItem", "TransactWriteItems", "BatchWriteItem", "BatchExecuteStatement"];
            writes.into_iter().for_each(|operation| app.fault(fault(operation)));
            let first = app.call("comments.add", sent.clone()).await;
            app.embedded().clear_faults();
            let added = match first.status() {
                200 => first.data(),
                _ => app.call("comments.add", sent.clone()).await.data(),
            };
            assert_eq!(added.as_array().unwrap().len(), 120, "{at_step}");
            let found = numbers(&app, 1000).await;
            assert_eq!(found.len(), before + 120, "{at_step}");
            let added: Vec<u64> =
                added.as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
            assert_eq!(found[before..], added, "{at_step}");
            if named {
                app.call("comments.add", sent).await.error("ALREADY_EXISTS");
            }
        }
    }
}

#[tokio::test]
async fn an_interrupted_addition_of_a_thread_of_120_comments_is_completed_when_repeated() {
    for skip in 0..4 {
        let app = start().await;
        let new = json!({ "organizationId": "o", "documentId": "d", "commentAnnotations": [
            { "annotationId": "a", "commentData": numbered(0, 120) },
            { "annotationId": "b", "commentData": [by("bob")] },
        ] });
        for operation in ["PutItem", "TransactWriteItems"] {
            let (operation, effect) = (operation.to_owned(), Effect::InternalError);
            app.fault(Fault { operation, skip, times: 100, effect });
        }
        let _ = app.call("comments.annotations_add", new.clone()).await;
        app.embedded().clear_faults();
        let again = app.call("comments.annotations_add", new.clone()).await.data();
        assert_eq!(numbers(&app, 1000).await, (0..120).collect::<Vec<u64>>(), "{skip}: {again}");
        let ids = again["a"]["commentIds"].as_array().map(Vec::len);
        assert!(ids == Some(120) || again["a"]["success"] == json!(false), "{skip}: {again}");
        let once_more = app.call("comments.annotations_add", new).await;
        assert!(once_more.text().contains("already"), "{}", once_more.text());
    }
}

#[tokio::test]
async fn of_120_comments_none_is_added_when_one_of_their_ids_is_taken() {
    let app = long(60).await;
    let mut comments = numbered(1000, 120);
    for taken in [3, 59] {
        comments[110]["commentId"] = json!(taken);
        let sent = thread(json!({ "commentData": comments }));
        app.call("comments.add", sent).await.error("ALREADY_EXISTS");
    }
    assert_eq!(numbers(&app, 1000).await.len(), 60);
}
