use std::time::Duration;

use serde_json::{Value, json};

use super::{endpoint, pass, start, thread};
use crate::app::receiver::Answer;

fn ids(page: &Value) -> Vec<String> {
    let attempts = page["attempts"].as_array().unwrap();
    attempts.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn attempts_are_walked_both_ways_by_message_endpoint_or_both() {
    let (app, receiver) = start().await;
    let one = endpoint(&app, &receiver, json!({})).await;
    let two = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500).body(vec![0xff, 0xfe]));
    thread(&app, "t1").await;
    app.settle().await;
    pass(&app, Duration::from_secs(10)).await;
    pass(&app, Duration::from_secs(400)).await;
    let message = receiver.take()[0].id();
    let get = async |sent: Value| app.call("deliveries.attempts_get", sent).await.data();
    for (filter, count) in [
        (json!({ "messageId": message }), 6),
        (json!({ "endpointId": one }), 3),
        (json!({ "messageId": message, "endpointId": two }), 3),
    ] {
        let all = get(filter.clone()).await;
        assert_eq!(ids(&all).len(), count, "{filter}");
        let key = |it: &Value| ["messageId", "endpointId", "id"].map(|name| it[name].to_string());
        let keys: Vec<_> = all["attempts"].as_array().unwrap().iter().map(key).collect();
        assert!(keys.is_sorted_by(|a, b| a > b), "{filter}");
        let mut walked = Vec::new();
        let (mut iterator, mut last) = (json!(null), json!(null));
        for _ in 0..=count / 2 {
            let mut sent = filter.clone();
            (sent["limit"], sent["iterator"]) = (json!(2), iterator.clone());
            let page = get(sent).await;
            walked.extend(ids(&page));
            (iterator, last) = (page["iterator"].clone(), page.clone());
            if iterator.is_null() {
                break;
            }
        }
        assert_eq!(walked, ids(&all), "{filter}");
        let mut sent = filter.clone();
        (sent["limit"], sent["iterator"]) = (json!(250), last["prevIterator"].clone());
        let before = ids(&get(sent).await);
        assert_eq!(before, ids(&all)[..count - ids(&last).len()], "{filter}");
    }
    let listed = get(json!({ "endpointId": one })).await;
    assert_eq!(listed["attempts"][0]["responseIsBase64"], true);
    assert_eq!(listed["attempts"][0]["response"], "//4=");
}

#[tokio::test]
async fn a_message_or_endpoint_is_required_and_an_unknown_message_is_not_found() {
    let (app, _receiver) = start().await;
    app.call("deliveries.attempts_get", json!({})).await.error("INVALID_ARGUMENT");
    let unknown = json!({ "messageId": "msg_x" });
    app.call("deliveries.attempts_get", unknown).await.error("NOT_FOUND");
}
