//! Pending work and notifications of erased users (rule N17).

use serde_json::{Value, json};
use service::Table;

use super::scene::{counts, delay, inbox, say, sizes, start, wait, windows, work};
use crate::app::App;

async fn erase(app: &App, user: &str) {
    app.call("user-data.delete", json!({ "userIds": [user] })).await.ok();
    app.settle().await;
    wait(app, 120).await;
}

/// Rows of pending work and notifications with names of users.
fn naming(app: &App, user: &str) -> Vec<Value> {
    let name = format!("{}{}", user[..1].to_uppercase(), &user[1..]);
    let items = [Table::Schedule, Table::Resources].map(|table| app.items_of(table, &app.key));
    let items = items.into_iter().flatten();
    items
        .filter(|item| {
            let text = item.to_string();
            let names = [
                format!("recipient#{user}"),
                format!("own-window#{user}"),
                format!("\"{name}\""),
                format!("\\\"{user}\\\""),
            ];
            names.iter().any(|name| text.contains(name))
        })
        .collect()
}

#[tokio::test]
async fn n17_rows_for_an_erased_user_are_deleted_and_other_users_are_still_notified() {
    let app = start().await;
    windows(&app, Some((600, 50)), Some((900, 50))).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    assert!(naming(&app, "bob").len() >= 3);
    erase(&app, "bob").await;
    assert_eq!(naming(&app, "bob"), [] as [Value; 0]);
    wait(&app, 901).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 1, 1]);
}

#[tokio::test]
async fn n17_the_own_window_row_of_an_erased_user_is_deleted() {
    let app = start().await;
    windows(&app, None, Some((600, 50))).await;
    let long = |number: u64| json!({ "userId": number.to_string().repeat(100), "name": "Long" });
    let others: Vec<Value> = (10..20).map(long).collect();
    app.call("users.add", json!({ "organizationId": "acme", "users": others })).await.ok();
    let only =
        json!({ "organizationId": "acme", "documentIds": ["e"], "accessType": "restricted" });
    app.call("documents.access_update", only).await.ok();
    let bob = json!({
        "organizationId": "acme", "documentId": "e", "users": [{ "userId": "bob", "name": "Bob" }],
    });
    app.call("users.add", bob).await.ok();
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    say(&app, "e", "s", "ada").await;
    app.settle().await;
    let own = work(&app, "own-window");
    assert!(own.iter().any(|item| item["SK"]["S"] == "own-window#bob"), "{own:?}");
    erase(&app, "bob").await;
    assert_eq!(naming(&app, "bob"), [] as [Value; 0]);
    wait(&app, 601).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 1, 1]);
    assert_eq!(work(&app, "own-window"), [] as [Value; 0]);
}

#[tokio::test]
async fn n17_texts_of_an_erased_user_are_no_longer_in_digests() {
    let app = start().await;
    windows(&app, None, Some((60, 50))).await;
    say(&app, "d", "t1", "ada").await;
    say(&app, "d", "t2", "cy").await;
    say(&app, "e", "t3", "ada").await;
    wait(&app, 61).await;
    assert_eq!(sizes(&app, "bob").await, [3]);
    erase(&app, "ada").await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert!(!it.to_string().contains("text of t1") && !it.to_string().contains("Ada"), "{it}");
    assert_eq!(it["notificationSourceData"]["batch"]["total"], 1);
    let stored = naming(&app, "ada");
    let own = stored.iter().filter(|item| item["SK"]["S"].as_str().unwrap().starts_with("notif"));
    assert_eq!(own.count(), 0, "{stored:?}");
}

#[tokio::test]
async fn n17_comments_of_an_erased_user_are_in_no_inbox_and_are_not_delivered_later() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    delay(&app, 600).await;
    say(&app, "d", "s", "ada").await;
    app.settle().await;
    erase(&app, "ada").await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 0]);
    wait(&app, 600).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 0]);
    assert_eq!(work(&app, "pending").len(), 2);
}
