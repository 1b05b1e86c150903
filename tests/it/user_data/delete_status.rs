use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{delete, finish, start, status};

#[tokio::test]
async fn the_status_changes_from_two_tasks_left_to_none_after_the_second_pass() {
    let app = start().await;
    let job = delete(&app, &["ada", "bob"]).await;
    let open = json!({
        "isDeleteCompleted": false, "tasksLeft": 2, "lastTaskCompletedTime": null,
    });
    assert_eq!(status(&app, &job).await, open);
    app.settle().await;
    assert_eq!(status(&app, &job).await, open, "a second pass comes a minute later");
    finish(&app).await;
    let done = status(&app, &job).await;
    assert_eq!((&done["isDeleteCompleted"], &done["tasksLeft"]), (&json!(true), &json!(0)));
    let at = done["lastTaskCompletedTime"].as_u64().unwrap();
    assert!(at <= app.now() && at + 60_000 > app.now(), "{at}");
    let v1 = app.call_at("/v1/users/data/delete/status", json!({ "jobId": job })).await.data();
    assert_eq!(v1, done);
}

#[tokio::test]
async fn a_job_that_is_unknown_of_another_tenant_or_30_days_old_is_not_found() {
    let app = start().await;
    let job = delete(&app, &["ada"]).await;
    finish(&app).await;
    let sent = json!({ "jobId": job });
    let second = app.second_key().await;
    app.call_as(&second, "user-data.delete_status", sent.clone()).await.error("NOT_FOUND");
    let error =
        app.call("user-data.delete_status", json!({ "jobId": "x" })).await.error("NOT_FOUND");
    assert_eq!(error["code"], 404);
    let error = app.call("user-data.delete_status", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(error["code"], 400);
    app.advance(Duration::from_secs(30 * 24 * 60 * 60 - 120));
    app.call("user-data.delete_status", sent.clone()).await.ok();
    app.advance(Duration::from_secs(120));
    app.call("user-data.delete_status", sent).await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_job_that_is_done_names_nobody() {
    let app = start().await;
    delete(&app, &["ada-1", "bob-1"]).await;
    let items = || app.items_of(Table::Resources, &app.key);
    let job = |items: Vec<Value>| {
        let is_job = |item: &Value| item["SK"]["S"].as_str().unwrap().starts_with("erasure#");
        items.into_iter().find(is_job).unwrap().to_string()
    };
    assert!(job(items()).contains("ada-1"));
    finish(&app).await;
    let job = job(items());
    assert!(!job.contains("ada-1") && !job.contains("bob-1"), "{job}");
}
