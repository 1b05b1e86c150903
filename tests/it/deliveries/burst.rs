//! Many messages at once for an endpoint that fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Value, json};

use super::{O, deliveries, endpoint, pass, start};
use crate::app::receiver::Answer;

const MESSAGES: usize = 300;

#[tokio::test]
async fn each_first_attempt_of_a_burst_is_listed_and_the_second_follows_after_five_seconds() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    app.settle().await;
    receiver.answer(Answer::status(500));
    let thread = |n: usize| json!({ "annotationId": format!("t{n}"), "commentData": [{ "from": { "userId": "ada" } }] });
    let threads: Vec<Value> = (0..MESSAGES).map(thread).collect();
    let sent =
        json!({ "organizationId": O, "documentId": "welcome", "commentAnnotations": threads });
    app.call("comments.annotations_add", sent).await.ok();
    app.settle().await;
    let made = |attempts: usize| {
        let rows = deliveries(&app, &id);
        assert_eq!(rows.len(), MESSAGES);
        for row in rows {
            assert_eq!(row["attempts"]["L"].as_array().unwrap().len(), attempts, "{row}");
        }
    };
    let first = receiver.take();
    let ids: BTreeSet<String> = first.iter().map(super::Received::id).collect();
    assert_eq!((first.len(), ids.len()), (MESSAGES, MESSAGES), "each once");
    made(1);
    pass(&app, Duration::from_secs(7)).await;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in receiver.take() {
        *counts.entry(one.id()).or_default() += 1;
    }
    assert!(counts.len() == MESSAGES && counts.values().all(|count| *count == 1), "{counts:?}");
    made(2);
}

#[tokio::test]
async fn a_reply_with_500_header_lines_counts_as_a_success() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    app.settle().await;
    let answer = (0..500).fold(Answer::status(200), |it, n| it.header("x-line", &n.to_string()));
    receiver.answer(answer);
    super::thread(&app, "t").await;
    app.settle().await;
    assert_eq!(super::statuses(&app, &id), ["success"]);
    assert_eq!(receiver.count(), 1);
}
