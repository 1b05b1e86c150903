use serde_json::{Value, json};

use super::{add_comment, add_documents, call_in, finish, get, person, start, status};

#[tokio::test]
async fn a_deletion_is_accepted_with_one_task_for_each_distinct_user() {
    let app = start().await;
    for path in ["/v2/users/data/delete", "/v1/users/data/delete"] {
        let sent = json!({ "userIds": ["ada", "bob", "ada"] });
        let reply = app.call_at(path, sent).await;
        assert_eq!(reply.status(), 200, "{path}");
        let ordered = reply.ok();
        assert_eq!(ordered["statusCode"], 202);
        assert_eq!(ordered["data"]["tasksCount"], 2, "the same user twice is one task");
        let whole = reply.json();
        for member in ["status", "message", "data", "statusCode"] {
            assert_eq!(whole[member], ordered[member], "{member} is beside result, too");
        }
        let id = ordered["data"]["jobId"].as_str().unwrap().to_owned();
        assert!(id.len() == 20 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
        assert_eq!(status(&app, &id).await["tasksLeft"], 2);
    }
}

#[tokio::test]
async fn a_deletion_takes_1_to_500_users_and_1_to_30_organizations() {
    let app = start().await;
    let many = |n: usize| -> Vec<String> { (0..n).map(|n| format!("x{n}")).collect() };
    let order = |users: usize, organizations: Value| {
        let app = &app;
        let sent = json!({ "userIds": many(users), "organizationIds": organizations });
        async move { app.call("user-data.delete", sent).await }
    };
    for (users, organizations) in [(1, 1), (500, 30)] {
        order(users, json!(many(organizations))).await.ok();
    }
    order(1, Value::Null).await.ok();
    for (users, organizations) in [(0, 1), (501, 1), (1, 0), (1, 31)] {
        order(users, json!(many(organizations))).await.error("INVALID_ARGUMENT");
    }
    app.call("user-data.delete", json!({})).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn a_deletion_erases_users_only_in_the_organizations_named() {
    let app = start().await;
    add_comment(&app, "thread", "ada").await;
    add_documents(&app, "other").await;
    let thread = json!({ "annotationId": "t", "commentData": [{ "from": person("ada") }] });
    let sent = json!({ "documentId": "d", "commentAnnotations": [thread] });
    call_in(&app, "other", "comments.annotations_add", sent).await;
    let sent = json!({ "userIds": ["ada"], "organizationIds": ["nowhere", "other"] });
    app.call("user-data.delete", sent).await.ok();
    finish(&app).await;
    assert_eq!(get(&app, "ada").await["data"]["comments"].as_array().unwrap().len(), 1);
    let sent = json!({ "organizationId": "other", "userId": "ada" });
    let theirs = app.call("user-data.get", sent).await.data();
    assert_eq!(theirs["comments"], json!([]));
}

#[tokio::test]
async fn five_hundred_users_are_erased() {
    let app = start().await;
    add_comment(&app, "last", "u499").await;
    let users: Vec<String> = (0..500).map(|n| format!("u{n}")).collect();
    let users: Vec<&str> = users.iter().map(String::as_str).collect();
    let job = super::delete(&app, &users).await;
    finish(&app).await;
    assert_eq!(status(&app, &job).await["tasksLeft"], 0);
    assert_eq!(get(&app, "u499").await["data"]["comments"], json!([]));
}
