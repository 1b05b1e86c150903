use serde_json::{Value, json};

use super::{endpoint, start, thread};

fn ids(page: &Value) -> Vec<String> {
    let messages = page["messages"].as_array().unwrap();
    messages.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn messages_are_walked_both_ways_newest_first() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    for n in 0..5 {
        thread(&app, &format!("t{n}")).await;
        app.advance(std::time::Duration::from_millis(5));
        app.settle().await;
    }
    let get = async |sent: Value| app.call("deliveries.messages_get", sent).await.data();
    let all = get(json!({})).await;
    assert_eq!(all["messages"].as_array().unwrap().len(), 5);
    assert_eq!((&all["done"], &all["iterator"]), (&json!(true), &json!(null)));
    let newest = &all["messages"][0];
    assert_eq!(newest["payload"]["data"]["commentAnnotation"]["annotationId"], "t4");
    assert_eq!(newest["type"], "comment_annotation.add");
    for filter in [json!({}), json!({ "endpointId": id })] {
        let with = |iterator: &Value| {
            let mut sent = filter.clone();
            sent["limit"] = json!(2);
            sent["iterator"] = iterator.clone();
            sent
        };
        let first = get(with(&json!(null))).await;
        let second = get(with(&first["iterator"])).await;
        let third = get(with(&second["iterator"])).await;
        assert_eq!([ids(&first), ids(&second), ids(&third)].concat(), ids(&all));
        assert_eq!(third["done"], true);
        let back = get(with(&second["prevIterator"])).await;
        assert_eq!(ids(&back), ids(&first));
    }
    let since = all["messages"][2]["timestamp"].clone();
    assert_eq!(ids(&get(json!({ "since": since })).await), ids(&all)[..3]);
    let other = endpoint(&app, &receiver, json!({})).await;
    assert_eq!(get(json!({ "endpointId": other })).await["messages"], json!([]));
}

#[tokio::test]
async fn messages_are_refused_while_webhooks_are_disabled() {
    let app = crate::app::App::start().await;
    app.call("deliveries.messages_get", json!({})).await.error("FAILED_PRECONDITION");
    let sent = json!({ "endpointId": "ep_x" });
    app.call("deliveries.attempts_get", sent).await.error("FAILED_PRECONDITION");
}

#[tokio::test]
async fn a_key_with_basic_webhooks_alone_lists_messages_and_attempts() {
    let app = crate::app::App::start().await;
    let receiver = crate::app::receiver::Receiver::start(&app).await;
    let sent = json!({ "useWebhookService": true, "webhookServiceConfig": {
        "rawNotificationUrl": receiver.url,
    } });
    app.call("configuration.webhooks_update", sent).await.ok();
    let document = json!({ "organizationId": super::O, "createOrganization": true,
        "documents": [{ "documentId": "welcome" }] });
    app.call("documents.add", document).await.ok();
    app.advance(std::time::Duration::from_millis(1));
    thread(&app, "t1").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    let listed = app.call("deliveries.messages_get", json!({})).await.data();
    let [id] = ids(&listed).try_into().expect("one message");
    let sent = json!({ "messageId": id });
    let attempts = app.call("deliveries.attempts_get", sent).await.data();
    assert_eq!(attempts["attempts"][0]["endpointId"], "basic-raw");
    let sent = json!({ "useWebhookService": false });
    app.call("configuration.webhooks_update", sent).await.ok();
    app.call("deliveries.messages_get", json!({})).await.error("FAILED_PRECONDITION");
}
