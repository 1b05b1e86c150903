use std::{ops::Range, time::Duration};

use embedded::{Effect, Fault};
use serde_json::{Value, json};
use service::Table;

use super::{
    add_comment, add_notification, add_recording, add_thread, call, delete, finish, get, has_word,
    ids, person, react, start, status,
};
use crate::{app::App, end_users};

/// A deployment with data of `zoe` everywhere, and of `bob`.
pub(super) async fn world() -> App {
    let app = start().await;
    call(&app, "folders.add", json!({ "folders": [{ "folderId": "f" }] })).await;
    for level in [json!({}), json!({ "documentId": "d" }), json!({ "folderId": "f" })] {
        let mut sent = level.clone();
        sent["users"] = json!([person("zoe"), person("bob")]);
        call(&app, "users.add", sent).await;
    }
    call(&app, "user-groups.add", json!({ "organizationUserGroups": [{ "groupId": "g" }] })).await;
    let sent = json!({ "organizationUserGroupId": "g", "userIds": ["zoe", "bob"] });
    call(&app, "user-groups.users_add", sent).await;
    for user in ["zoe", "bob"] {
        let grant = json!({ "user": { "userId": user }, "permissions": { "resources": [
            { "type": "document", "id": "e", "organizationId": "acme" },
            { "type": "organization", "id": "acme", "organizationId": "acme" },
        ] } });
        app.call("permissions.add", grant).await.ok();
    }
    let users = json!([person("zoe"), person("bob")]);
    call(&app, "presence.add", json!({ "documentId": "d", "users": users })).await;
    let sent =
        json!({ "documentIds": ["d"], "userIds": ["zoe", "bob"], "config": { "inbox": "MINE" } });
    call(&app, "notifications.config_set", sent).await;
    fill(&app).await;
    app
}

/// Threads, recordings, notifications and activities.
async fn fill(app: &App) {
    add_comment(app, "alone", "zoe").await;
    let comment = |id: u64, by: &str| {
        json!({
            "commentId": id, "from": person(by), "commentText": format!("Text of {by}"),
            "taggedUserContacts": [{ "userId": "zoe", "contact": person("zoe") }, { "userId": "bob" }],
        })
    };
    let both = json!({
        "annotationId": "both", "commentData": [comment(1, "zoe"), comment(2, "bob")],
        "assignedTo": person("zoe"),
        "visibility": { "type": "restricted", "userIds": ["zoe", "bob"] },
    });
    add_thread(app, "d", both).await;
    for id in ["by-bob", "left"] {
        add_comment(app, id, "bob").await;
        react(app, id, 1, "HEART", "bob").await;
    }
    react(app, "by-bob", 1, "HEART", "zoe").await;
    react(app, "by-bob", 1, "SMILE", "zoe").await;
    let at = json!({ "documentId": "d", "annotationId": "left", "user": person("zoe") });
    call(app, "comments.annotations_subscribe", at.clone()).await;
    call(app, "comments.annotations_unsubscribe", at).await;
    for annotation in ["both", "by-bob"] {
        for user in ["zoe", "bob"] {
            let mut seen = json!({ "documentId": "d", "annotationId": annotation });
            seen["userId"] = json!(user);
            call(app, "notifications.seen", seen).await;
        }
    }
    for (id, by) in [("of-zoe", "zoe"), ("of-bob", "bob")] {
        add_recording(app, id, by).await;
    }
    add_notification(app, "to-zoe", "bob", &["zoe"], false).await;
    add_notification(app, "to-both", "bob", &["zoe", "bob"], false).await;
    add_notification(app, "to-bob", "zoe", &["bob"], false).await;
    add_notification(app, "to-all", "bob", &["zoe"], true).await;
    for immutable in [false, true] {
        app.enable_activities(immutable).await;
        for by in ["zoe", "bob"] {
            let activity = json!({
                "id": format!("by-{by}-{immutable}").replace("zoe", "z"), "featureType": "comment",
                "actionType": "comment.add", "actionUser": person(by), "targetEntityId": "both",
                "entityData": { "annotationId": "both", "from": person("zoe"), "involvedUserIds": ["zoe"] },
                "entityTargetData": comment(1, "zoe"),
            });
            call(app, "activities.add", json!({ "documentId": "d", "activities": [activity] }))
                .await;
        }
    }
}

/// The items that name the user, except the job, the outbox, and the record that tokens of the user
/// ended, which expires with the last of them.
pub(super) fn traces(app: &App, name: &str) -> Vec<String> {
    let items = [Table::Resources, Table::Realtime, Table::Crdt];
    let items = items.into_iter().flat_map(|table| app.items_of(table, &app.key));
    let items = items.filter(|item| !item["SK"]["S"].as_str().unwrap().starts_with("erasure#"));
    let items = items.filter(|item| item["left"]["N"].is_null() || item["expires"].is_null());
    items.map(|item| item.to_string()).filter(|item| has_word(item, name)).collect()
}

#[tokio::test]
async fn no_row_names_an_erased_user() {
    let app = world().await;
    assert!(traces(&app, "zoe").len() > 30, "{}", traces(&app, "zoe").len());
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(traces(&app, "zoe"), Vec::<String>::new());
    let mut job: Vec<Value> = app.items_of(Table::Resources, &app.key);
    job.retain(|item| item["SK"]["S"].as_str().unwrap().starts_with("erasure#"));
    assert_eq!(job.len(), 1);
    assert!(!json!(job).to_string().contains("zoe"), "nor does the job");
    let empty = json!({ "comments": [], "reactions": [], "recordings": [], "notifications": [] });
    assert_eq!(get(&app, "zoe").await["data"], empty);
}

/// A token may give a right without any membership or grant.
#[tokio::test]
async fn an_erased_user_has_no_right_by_a_token_from_before_the_erasure() {
    let app = end_users::with_document().await;
    let restricted =
        json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "restricted" });
    app.call("documents.access_update", restricted).await.ok();
    let member = json!({ "documentId": "d", "users": [{ "userId": "cy" }] });
    call(&app, "users.add", member).await;
    let document = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    let grant = json!({
        "user": { "userId": "bob" }, "permissions": { "resources": [document.clone()] },
    });
    app.call("permissions.add", grant).await.ok();
    let mut tokens = Vec::new();
    for user in ["ada", "bob", "cy"] {
        tokens.push(end_users::token(&app, user, json!([document])).await);
    }
    let present = json!({ "users": [{ "userId": "ada" }] });
    for token in &tokens {
        let caller = app.caller().end_user(token);
        caller.call("presence.get", end_users::at(json!({}))).await.ok();
    }
    app.advance(Duration::from_millis(1));
    delete(&app, &["ada", "bob", "cy"]).await;
    finish(&app).await;
    for token in &tokens {
        let caller = app.caller().end_user(token);
        caller.call("presence.get", end_users::at(json!({}))).await.error("NOT_FOUND");
        caller.call("presence.update", end_users::at(present.clone())).await.error("NOT_FOUND");
    }
    app.advance(Duration::from_millis(1));
    let after = end_users::token(&app, "ada", json!([document])).await;
    let caller = app.caller().end_user(&after);
    caller.call("presence.get", end_users::at(json!({}))).await.ok();
}

#[tokio::test]
async fn data_of_other_users_stay_when_a_user_is_erased() {
    let app = world().await;
    let before = get(&app, "bob").await["data"].clone();
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    let after = get(&app, "bob").await["data"].clone();
    assert_eq!(ids(&after["comments"]), ids(&before["comments"]));
    assert_eq!(after["recordings"], before["recordings"]);
    // A notification to zoe alone goes with its recipient.
    let mut notifications = ids(&before["notifications"]);
    notifications.retain(|id| *id != "to-zoe");
    assert_eq!(ids(&after["notifications"]), notifications);
    assert_eq!(ids(&after["reactions"]), ids(&before["reactions"]));
    let both =
        &after["comments"].as_array().unwrap().iter().find(|it| it["annotationId"] == "both");
    let both = both.unwrap();
    assert_eq!(both["from"], json!({ "userId": "deleted-user", "name": "Deleted user" }));
    assert_eq!(both["comments"].as_array().unwrap().len(), 1);
    assert_eq!(both["comments"][0]["commentText"], "Text of bob");
    for (operation, sent) in [
        ("users.get", json!({})),
        ("users.get", json!({ "documentId": "d" })),
        ("users.get", json!({ "folderId": "f" })),
        ("presence.get", json!({ "documentId": "d" })),
    ] {
        let found = call(&app, operation, sent).await;
        assert_eq!(found.as_array().unwrap().len(), 1, "{operation}: {found}");
        assert_eq!(found[0]["userId"], "bob", "{operation}");
    }
    let notifications = call(&app, "notifications.get", json!({})).await;
    let mut left = ids(&notifications);
    left.sort_unstable();
    assert_eq!(left, ["to-all", "to-bob", "to-both"]);
    let activities = call(&app, "activities.get", json!({})).await;
    let by = |id: &str| {
        let mut found = activities.as_array().unwrap().iter();
        found.find(|activity| activity["id"] == id).unwrap()["actionUser"]["userId"].clone()
    };
    assert_eq!((by("by-z-true"), by("by-bob-true")), (json!("deleted-user"), json!("bob")));
}

#[tokio::test]
async fn data_of_a_user_of_the_same_id_at_another_tenant_stay() {
    let app = world().await;
    let second = app.second_key().await;
    let documents = json!({
        "organizationId": "acme", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call_as(&second, "documents.add", documents).await.ok();
    let thread = json!({ "annotationId": "t", "commentData": [{ "from": person("zoe") }] });
    let sent =
        json!({ "organizationId": "acme", "documentId": "d", "commentAnnotations": [thread] });
    app.call_as(&second, "comments.annotations_add", sent).await.ok();
    let before = app.items_of(Table::Resources, &second);
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(app.items_of(Table::Resources, &second), before);
}

/// Whichever call fails or times out, later calls complete the erasure.
#[tokio::test]
async fn an_erasure_interrupted_at_any_call_is_completed_later() {
    let app = world().await;
    let job = delete(&app, &["zoe"]).await;
    app.forget_calls();
    run_with_every_call_failing(&app, &task(&app, &job, 0), 11..200).await;
    finish(&app).await;
    assert_eq!(traces(&app, "zoe"), Vec::<String>::new());
    assert_eq!(status(&app, &job).await["tasksLeft"], 0);
}

/// Repeats a step, each time with a fault at another call, until none is left: with at least as many
/// failures as the range begins with, and fewer repetitions than it ends with.
pub(super) async fn run_with_every_call_failing(app: &App, step: &Value, of: Range<usize>) {
    let mut failures = 0;
    for skip in 0..of.end {
        let effect = Effect::InternalError;
        app.fault(Fault { operation: "*".to_owned(), skip, times: 3, effect });
        let before = app.calls().len();
        let answer = run_step(app, step).await;
        failures += answer["batchItemFailures"].as_array().expect("a list").len();
        app.embedded().clear_faults();
        if app.calls().len() - before < skip {
            break;
        }
        assert!(skip < of.end - 1, "it came to no end");
    }
    assert!(failures >= of.start, "{failures} failures");
}

/// The task of zoe in a pass of the job.
fn task(app: &App, job: &str, pass: u32) -> Value {
    json!({ "jobId": job, "userId": "zoe", "at": app.now(), "pass": pass })
}

pub(super) async fn run(app: &App, job: &str, pass: u32) -> Value {
    run_step(app, &task(app, job, pass)).await
}

async fn run_step(app: &App, step: &Value) -> Value {
    let body = json!({ "tenant": app.key.api_key, "message": step }).to_string();
    let event = json!({ "Records": [{ "messageId": "m", "body": body }] });
    app.stack().run_worker("user-data.erase", event).await.expect("the worker")
}

#[tokio::test]
async fn a_task_delivered_several_times_is_counted_once() {
    let app = world().await;
    let sent = json!({ "userIds": ["zoe", "bob"] });
    let job = app.call("user-data.delete", sent).await.data()["jobId"].as_str().unwrap().to_owned();
    for _ in 0..3 {
        assert_eq!(run(&app, &job, 1).await, json!({ "batchItemFailures": [] }));
        // Until both are erased, one walk is left for both.
        assert_eq!(status(&app, &job).await["tasksLeft"], 2);
    }
    finish(&app).await;
    assert_eq!(status(&app, &job).await["tasksLeft"], 0);
}

#[tokio::test]
async fn a_user_who_came_back_after_the_erasure_stays_when_its_task_is_delivered_again() {
    let app = world().await;
    let job = delete(&app, &["zoe"]).await;
    finish(&app).await;
    app.advance(Duration::from_secs(1));
    call(&app, "users.add", json!({ "users": [person("zoe")] })).await;
    add_comment(&app, "again", "zoe").await;
    let before = app.items_of(Table::Resources, &app.key);
    run(&app, &job, 0).await;
    finish(&app).await;
    assert_eq!(app.items_of(Table::Resources, &app.key), before, "a second delivery does nothing");
}

#[tokio::test]
async fn data_written_during_the_erasure_are_erased_in_the_second_pass() {
    let app = world().await;
    let job = delete(&app, &["zoe"]).await;
    app.settle().await;
    add_comment(&app, "late", "zoe").await;
    add_recording(&app, "late-one", "zoe").await;
    finish(&app).await;
    assert_eq!(traces(&app, "zoe"), Vec::<String>::new());
    assert_eq!(status(&app, &job).await["isDeleteCompleted"], true);
}

#[tokio::test]
async fn sixty_threads_and_sixty_recordings_of_a_user_are_erased() {
    let app = start().await;
    let thread = |n: usize| json!({ "annotationId": format!("t{n}"), "commentData": [{ "from": person("zoe") }, { "from": person("bob") }] });
    let threads: Vec<Value> = (0..60).map(thread).collect();
    for some in threads.chunks(50) {
        let sent = json!({ "documentId": "d", "commentAnnotations": some });
        call(&app, "comments.annotations_add", sent).await;
    }
    for n in 0..60 {
        add_recording(&app, &format!("r{n}"), "zoe").await;
    }
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(traces(&app, "zoe"), Vec::<String>::new());
    assert_eq!(get(&app, "bob").await["data"]["comments"].as_array().unwrap().len(), 60);
}
