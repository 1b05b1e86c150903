//! `/v2/workspace/advancedwebhook/endpoints/delete`.

use serde_json::json;
use service::Table;

use super::{call, create, enabled, id, secret};

#[tokio::test]
async fn a_deleted_endpoint_and_its_secrets_are_gone_and_other_endpoints_stay() {
    let app = enabled().await;
    let other = create(&app, json!({ "uid": "other" })).await;
    // How many there are is counted beside them.
    let stored = || {
        let mut items = app.items_of(Table::Resources, &app.key);
        items.iter_mut().filter(|item| item["SK"]["S"] == "webhook-count").for_each(|count| {
            *count = count["endpoints"].take();
        });
        items
    };
    let before = stored();
    let gone = id(&create(&app, json!({ "uid": "crm" })).await);
    call(&app, "secret_rotate", json!({ "endpointId": gone })).await.ok();
    let data = call(&app, "delete", json!({ "endpointId": gone })).await.data();
    assert_eq!(data, json!({ "endpointId": gone, "deleted": true }));
    for operation in ["secret_get", "secret_rotate", "delete"] {
        call(&app, operation, json!({ "endpointId": gone })).await.error("NOT_FOUND");
    }
    let update = json!({ "endpointId": gone, "disabled": false });
    call(&app, "update", update).await.error("NOT_FOUND");
    assert_eq!(stored(), before);
    assert_eq!(call(&app, "get", json!({})).await.data()["endpoints"], json!([other]));
    secret(&app, &id(&other)).await;
}

#[tokio::test]
async fn the_uid_of_a_deleted_endpoint_can_be_used_again() {
    let app = enabled().await;
    let first = id(&create(&app, json!({ "uid": "crm" })).await);
    let clash = json!({ "url": "https://x.example", "uid": "crm" });
    call(&app, "create", clash.clone()).await.error("ALREADY_EXISTS");
    call(&app, "delete", json!({ "endpointId": first })).await.ok();
    let second = call(&app, "create", clash).await.data();
    assert_ne!(id(&second), first);
    assert_eq!(second["uid"], "crm");
}

#[tokio::test]
async fn of_simultaneous_deletions_one_succeeds() {
    let app = enabled().await;
    let id = id(&create(&app, json!({ "uid": "crm" })).await);
    let calls = (0..4).map(|_| call(&app, "delete", json!({ "endpointId": id })));
    let replies = futures_util::future::join_all(calls).await;
    assert_eq!(replies.iter().filter(|reply| reply.status() == 200).count(), 1);
    for late in replies.iter().filter(|reply| reply.status() != 200) {
        late.error("NOT_FOUND");
    }
}
