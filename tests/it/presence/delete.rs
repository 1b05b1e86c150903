use serde_json::{Value, json};

use super::{online, present, present_in, send, send_to, stored};
use crate::app::App;

async fn delete(app: &App, ids: Value) {
    let sent = json!({ "organizationId": "o", "documentId": "d", "userIds": ids });
    assert_eq!(app.call("presence.delete", sent).await.data(), json!({ "success": true }));
}

#[tokio::test]
async fn named_users_are_removed_from_one_document_and_others_stay() {
    let app = App::start().await;
    for document in ["d", "e"] {
        send_to(&app, "presence.add", document, online(&["ada", "bob", "cy"])).await;
    }
    delete(&app, json!(["ada", "cy", "ada"])).await;
    assert_eq!(present(&app).await, online(&["bob"]));
    assert_eq!(present_in(&app, "e").await, online(&["ada", "bob", "cy"]));
    assert_eq!(stored(&app).len(), 8, "a record and a row for each");
}

#[tokio::test]
async fn deleting_a_user_who_is_not_present_is_no_error() {
    let app = App::start().await;
    delete(&app, json!(["ada"])).await;
    send(&app, "presence.add", online(&["ada"])).await;
    delete(&app, json!(["ada", "nobody"])).await;
    delete(&app, json!(["ada"])).await;
    assert_eq!(present(&app).await, json!([]));
}

#[tokio::test]
async fn one_to_500_users_are_deleted_at_a_time() {
    let app = App::start().await;
    let ids = |n: usize| -> Vec<String> { (0..n).map(|n| format!("u{n}")).collect() };
    for n in [0, 501] {
        let sent = json!({ "organizationId": "o", "documentId": "d", "userIds": ids(n) });
        let error = app.call("presence.delete", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "userIds"]));
    }
    let users: Vec<Value> = ids(500).iter().map(|id| json!({ "userId": id })).collect();
    send(&app, "presence.add", json!(users)).await;
    delete(&app, json!(ids(500))).await;
    assert_eq!(stored(&app), Vec::<String>::new());
}
