//! Dependent data of documents and users.

use std::time::Duration;

use serde_json::{Value, json};

use super::{add, ids, start, stored};
use crate::app::App;

async fn filled() -> App {
    let app = start().await;
    let users =
        json!({ "organizationId": "acme", "users": [{ "userId": "ada" }, { "userId": "bob" }] });
    app.call("users.add", users).await.ok();
    let many: Vec<Value> = (0..120).map(|n| json!({ "userId": format!("u{n}") })).collect();
    for document in ["d", "e"] {
        let both = json!({ "documentId": document, "notificationId": format!("{document}-many"),
            "notifyUsers": many });
        add(&app, both).await;
        let all = json!({ "documentId": document, "notificationId": format!("{document}-all"),
            "notifyAll": true });
        add(&app, all).await;
        let sent = json!({
            "organizationId": "acme", "userIds": ["ada", "bob"], "documentIds": [document],
            "config": { "inbox": "NONE" },
        });
        app.call("notifications.config_set", sent).await.ok();
        for user in ["ada", "bob"] {
            let sent = json!({
                "organizationId": "acme", "documentId": document, "annotationId": "t",
                "userId": user,
            });
            app.call("notifications.seen", sent).await.ok();
        }
    }
    let sent = json!({
        "organizationId": "acme", "userIds": ["ada", "bob"], "config": { "inbox": "MINE" },
    });
    app.call("notifications.config_set", sent).await.ok();
    app
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

#[tokio::test]
async fn a_deleted_document_is_removed_with_its_notifications_preferences_and_marks() {
    let app = filled().await;
    let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(sorted(ids(&app, json!({})).await), ["e-all", "e-many"]);
    assert_eq!(sorted(ids(&app, json!({ "userId": "u119" })).await), ["e-all", "e-many"]);
    // Rows of users who acted are among them.
    assert_eq!(stored(&app, &["link"]).len(), 123);
    assert_eq!(
        sorted(stored(&app, &["preference", "seen"])),
        [
            "preference#document#e#user#ada",
            "preference#document#e#user#bob",
            "preference#organization#user#ada",
            "preference#organization#user#bob",
            "seen#e#annotation#t#user#ada",
            "seen#e#annotation#t#user#bob",
        ]
    );
}

#[tokio::test]
async fn preferences_and_marks_of_a_user_who_leaves_are_removed() {
    let app = filled().await;
    let sent = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.call("users.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(
        sorted(stored(&app, &["preference", "seen"])),
        [
            "preference#document#d#user#bob",
            "preference#document#e#user#bob",
            "preference#organization#user#bob",
            "seen#d#annotation#t#user#bob",
            "seen#e#annotation#t#user#bob",
        ]
    );
    assert_eq!(ids(&app, json!({})).await.len(), 4, "those of others stay");
}

#[tokio::test]
async fn a_deleted_organization_leaves_no_notifications_preferences_or_marks() {
    let app = filled().await;
    let sent = json!({ "organizationIds": ["acme"] });
    app.call("organizations.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(stored(&app, &["link", "notification", "preference", "seen"]), [""; 0]);
}
