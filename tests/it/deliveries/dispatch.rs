use std::time::Duration;

use serde_json::{Value, json};
use service::sha256_hex;

use super::{O, endpoint, secret, start, thread, verify};
use crate::app::receiver::Answer;

#[tokio::test]
async fn a_comment_is_sent_signed_with_the_members_of_the_contract() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    thread(&app, "t1").await;
    app.settle().await;
    let received = receiver.take();
    let [one] = received.as_slice() else { panic!("{received:?}") };
    verify(one, &secret(&app, &id).await);
    assert_eq!(one.header("content-type"), "application/json");
    assert!(one.header("user-agent").starts_with("Roundtable-Webhooks/"));
    assert!(one.id().starts_with("msg_") && !one.id().contains('.'));
    let text = String::from_utf8(one.body.clone()).unwrap();
    let order = ["{\"type\":", ",\"timestamp\":", ",\"id\":", ",\"seq\":", ",\"data\":"];
    let places: Vec<usize> = order.iter().map(|member| text.find(member).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");
    let body = one.json();
    assert_eq!(body["type"], "comment_annotation.add");
    assert_eq!(body["id"], json!(one.id()));
    assert_eq!(body["seq"], 1);
    let at = body["timestamp"].as_str().unwrap();
    assert!(at.len() == 24 && at.ends_with('Z'), "{at}");
    let data = &body["data"];
    assert_eq!(data["apiKey"], json!(app.key.api_key));
    assert_eq!((&data["organizationId"], &data["documentId"]), (&json!(O), &json!("welcome")));
    assert_eq!(data["actionUser"]["userId"], "ada");
    assert_eq!(data["commentAnnotation"]["annotationId"], "t1");
    assert_eq!(data["metadata"]["document"]["documentName"], "Welcome");
    assert_eq!(data["metadata"]["organizationMetadata"]["tier"], "gold");
    // Nothing is left to be done.
    app.settle().await;
    assert_eq!(receiver.count(), 0);
}

/// Contract `webhook-endpoints`.
#[tokio::test]
async fn an_endpoint_gets_the_events_of_its_types_and_channels() {
    let (app, receiver) = start().await;
    let wanted = [
        (json!({ "filterTypes": null }), true),
        (json!({ "filterTypes": ["comment_annotation.add"] }), true),
        (json!({ "filterTypes": ["comment.add", "comment_annotation.add"] }), true),
        (json!({ "filterTypes": ["comment.add"] }), false),
        (json!({ "filterTypes": ["comment_annotation"] }), false),
        (json!({ "channels": ["a"] }), false),
        (json!({ "filterTypes": null, "channels": ["a", "document.welcome"] }), true),
        (json!({ "filterTypes": ["comment.add"], "channels": ["document.welcome"] }), false),
        (json!({ "disabled": true }), false),
    ];
    let mut endpoints = Vec::new();
    for (n, (members, is_wanted)) in wanted.into_iter().enumerate() {
        let mut members = members;
        members["url"] = json!(format!("{}/{n}", receiver.url));
        if members["filterTypes"].is_null() && members.get("filterTypes").is_some() {
            members["filterTypes"] = json!(["comment_annotation.add"]);
            let id = endpoint(&app, &receiver, members).await;
            let sent = json!({ "endpointId": id, "filterTypes": null });
            app.call("webhook-endpoints.update", sent).await.ok();
        } else {
            endpoint(&app, &receiver, members).await;
        }
        endpoints.push(is_wanted);
    }
    app.settle().await;
    receiver.take();
    app.advance(Duration::from_millis(1));
    thread(&app, "t1").await;
    app.settle().await;
    let paths: Vec<String> = receiver.take().into_iter().map(|it| it.path).collect();
    for (n, is_wanted) in endpoints.into_iter().enumerate() {
        let path = format!("/hook/{n}");
        assert_eq!(paths.contains(&path), is_wanted, "{path}");
    }
    assert_eq!(paths.len(), 4);
}

/// Contract `webhook-endpoints`.
#[tokio::test]
async fn an_event_has_the_channels_of_its_organization_and_document() {
    let (app, receiver) = start().await;
    let (odd, digest) = ("no channel/é", sha256_hex("no channel/é"));
    let channels = [
        json!(null),
        json!(["organization.acme"]),
        json!(["document.welcome"]),
        json!(["document.acme", "organization.welcome", "acme", "welcome"]),
        json!([format!("document:{digest}"), "document.other"]),
    ];
    for (n, channels) in channels.into_iter().enumerate() {
        let at = json!({ "url": format!("{}/{n}", receiver.url), "channels": channels });
        endpoint(&app, &receiver, at).await;
    }
    // Events about endpoints have no channels, and other types than these want.
    app.settle().await;
    let paths = async |organization: &str, document: &str| {
        app.advance(Duration::from_millis(1));
        let threads = json!({ "organizationId": organization, "documentId": document,
            "createOrganization": true, "createDocument": true,
            "commentAnnotations": [{ "commentData": [{ "from": { "userId": "ada" } }] }] });
        app.call("comments.annotations_add", threads).await.ok();
        app.settle().await;
        let mut paths: Vec<String> = receiver.take().into_iter().map(|it| it.path).collect();
        paths.sort_unstable();
        paths
    };
    let at = |n: u8| format!("/hook/{n}");
    assert_eq!(paths(O, "welcome").await, [at(0), at(1), at(2)]);
    assert_eq!(paths(O, "other").await, [at(0), at(1), at(4)]);
    assert_eq!(paths(O, odd).await, [at(0), at(1), at(4)]);
    assert_eq!(paths("globex", "welcome").await, [at(0), at(2)]);
    let listed = app.call("deliveries.messages_get", json!({})).await.data();
    let shown = |n: usize| listed["messages"][n]["channels"].clone();
    assert_eq!(shown(0), json!(["organization.globex", "document.welcome"]));
    assert_eq!(shown(1), json!(["organization.acme", format!("document:{digest}")]));
}

#[tokio::test]
async fn changes_of_an_editor_are_sent_on_the_channel_of_its_document() {
    let (app, receiver) = start().await;
    for (n, document) in ["welcome", "other"].into_iter().enumerate() {
        let at = json!({ "url": format!("{}/{n}", receiver.url),
            "filterTypes": ["crdt.update_data"], "channels": [format!("document.{document}")] });
        endpoint(&app, &receiver, at).await;
    }
    let sent = json!({ "organizationId": O, "documentId": "other", "editorId": "body",
        "type": "text", "data": "a" });
    app.call("editors.add", sent).await.ok();
    app.settle().await;
    app.advance(Duration::from_secs(6));
    app.settle().await;
    let paths: Vec<String> = receiver.take().into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["/hook/1"]);
}

/// Contract `webhook-endpoints`.
#[tokio::test]
async fn an_event_is_sent_by_the_filter_of_the_endpoint_at_the_time_of_the_event() {
    let (app, receiver) = start().await;
    let early = endpoint(&app, &receiver, json!({})).await;
    let other = endpoint(&app, &receiver, json!({ "filterTypes": ["comment.add"] })).await;
    thread(&app, "t1").await;
    app.advance(Duration::from_millis(1));
    // All of this comes after the event, and before it is looked at.
    let update = |id: &str, types: Value| json!({ "endpointId": id, "filterTypes": types });
    app.call("webhook-endpoints.update", update(&early, json!(["comment.add"]))).await.ok();
    let all = json!(["comment_annotation.add"]);
    app.call("webhook-endpoints.update", update(&other, all)).await.ok();
    endpoint(&app, &receiver, json!({})).await;
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    verify(&received[0], &secret(&app, &early).await);
}

#[tokio::test]
async fn an_event_while_webhooks_are_disabled_is_neither_kept_nor_sent_later() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    let disable = json!({ "isEnabled": false });
    app.call("configuration.advanced_webhooks_update", disable).await.ok();
    app.advance(Duration::from_millis(1));
    thread(&app, "t1").await;
    let enable = json!({ "isEnabled": true });
    app.advance(Duration::from_millis(1));
    app.call("configuration.advanced_webhooks_update", enable).await.ok();
    app.settle().await;
    assert_eq!(receiver.count(), 0);
    let listed = app.call("deliveries.messages_get", json!({})).await.data();
    assert_eq!(listed["messages"], json!([]));
}

#[tokio::test]
async fn an_event_delivered_to_the_journal_again_is_not_sent_again() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    thread(&app, "t1").await;
    app.settle().await;
    let records = app.records();
    for _ in 0..2 {
        let event = json!({ "Records": records });
        app.stack().run_worker("journal.events", event).await.unwrap();
        app.settle().await;
    }
    assert_eq!(receiver.count(), 1);
}

#[tokio::test]
async fn a_body_above_256_kib_has_ids_only() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    let comment = json!({ "from": { "userId": "ada" }, "commentText": "x".repeat(300_000) });
    let threads = json!({ "organizationId": O, "documentId": "welcome", "commentAnnotations": [
        { "annotationId": "t1", "commentData": [comment] },
    ] });
    app.call("comments.annotations_add", threads).await.ok();
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    let body = received[0].json();
    assert_eq!(body["data"]["truncated"], true);
    assert_eq!(body["data"]["annotationId"], "t1");
    assert!(body["data"].get("commentAnnotation").is_none());
}

#[tokio::test]
async fn changes_of_an_editor_become_one_message_after_a_quiet_time() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({ "filterTypes": ["crdt.update_data"] })).await;
    let editor = |data: &str| {
        json!({ "organizationId": O, "documentId": "welcome", "editorId": "body",
                "type": "text", "data": data })
    };
    app.call("editors.add", editor("a")).await.ok();
    for data in ["b", "c", "d"] {
        app.call("editors.update", editor(data)).await.ok();
        app.settle().await;
        app.advance(Duration::from_secs(2));
        app.settle().await;
        assert_eq!(receiver.count(), 0, "it is not quiet yet");
    }
    app.advance(Duration::from_secs(6));
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    let body = received[0].json();
    assert_eq!(body["data"]["crdtData"]["id"], "body");
    assert_eq!(body["data"]["actionType"], "updateData");
    // The next change is another message.
    app.call("editors.update", editor("e")).await.ok();
    app.settle().await;
    app.advance(Duration::from_secs(6));
    app.settle().await;
    let next = receiver.take();
    assert_eq!(next.len(), 1);
    assert!(next[0].json()["seq"].as_u64() > body["seq"].as_u64());
}

#[tokio::test]
async fn all_endpoints_and_all_attempts_get_the_same_bytes_and_id() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(500), Answer::status(500)]);
    thread(&app, "t1").await;
    app.settle().await;
    app.advance(Duration::from_secs(10));
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 4);
    for other in &received[1..] {
        assert_eq!((&other.body, other.id()), (&received[0].body, received[0].id()));
    }
}
