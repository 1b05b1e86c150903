use std::time::Duration;

use serde_json::{Value, json};

use super::{add, add_plain, all, get, ids, numbered, plain, start};
use crate::app::App;

/// Adds minimal recordings, each a second later than the previous one.
async fn add_slowly(app: &App, document: &str, ids: &[&str]) {
    for id in ids {
        add_plain(app, document, &[id]).await;
        app.advance(Duration::from_secs(1));
    }
}

async fn walk(app: &App, filter: &Value, size: usize) -> (Vec<Value>, usize) {
    let (mut seen, mut pages, mut token) = (Vec::new(), 0, Value::Null);
    loop {
        let mut sent = filter.clone();
        sent["pageSize"] = json!(size);
        sent["pageToken"] = token;
        let result = get(app, sent).await;
        seen.extend(ids(&result));
        pages += 1;
        token = result["pageToken"].clone();
        if token.is_null() {
            return (seen, pages);
        }
        assert!(pages < 10, "pages without end");
    }
}

#[tokio::test]
async fn recordings_come_oldest_first_however_often_they_were_changed() {
    let app = start().await;
    add_slowly(&app, "d", &["c", "a"]).await;
    add_slowly(&app, "e", &["b"]).await;
    add_slowly(&app, "d", &["c", "0"]).await;
    assert_eq!(all(&app).await, ["c", "a", "b", "0"]);
    let document = |id: &str| get(&app, json!({ "documentId": id }));
    assert_eq!(ids(&document("d").await), ["c", "a", "0"]);
    assert_eq!(ids(&document("e").await), ["b"]);
    assert_eq!(ids(&document("nowhere").await), Vec::<Value>::new());
    let picked = json!({ "recordingIds": ["0", "a", "nobody", "b", "a", "c"] });
    let picked = get(&app, picked).await;
    assert_eq!(ids(&picked), ["c", "a", "b", "0"]);
    assert_eq!(picked.get("pageToken"), Some(&Value::Null));
}

#[tokio::test]
async fn recording_ids_with_a_document_select_the_recordings_that_match_both() {
    let app = start().await;
    add_plain(&app, "d", &["a", "b"]).await;
    add_plain(&app, "e", &["c"]).await;
    for (document, found) in [("d", "a"), ("e", "c")] {
        let sent = json!({ "recordingIds": ["a", "c"], "documentId": document });
        assert_eq!(ids(&get(&app, sent).await), [found]);
    }
    let sent = json!({ "recordingIds": ["a"], "documentId": "e" });
    assert_eq!(get(&app, sent).await["data"], json!([]));
}

#[tokio::test]
async fn a_filter_that_is_null_is_none() {
    let app = start().await;
    add_plain(&app, "d", &["a", "b"]).await;
    let sent = json!({ "recordingIds": null, "documentId": null });
    assert_eq!(ids(&get(&app, sent).await), ["a", "b"]);
}

#[tokio::test]
async fn an_unknown_organization_has_no_recordings() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "documentId": "d" }), json!({ "recordingIds": ["r"] })] {
        let result = get(&app, sent).await;
        assert_eq!(result["data"], json!([]));
        assert_eq!(result.get("pageToken"), Some(&Value::Null));
    }
    let error = app.call("recordings.get", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationId"]));
}

#[tokio::test]
async fn at_most_30_ids_can_be_asked_for() {
    let app = start().await;
    add_plain(&app, "d", &["r29"]).await;
    assert_eq!(ids(&get(&app, json!({ "recordingIds": numbered(30) })).await), ["r29"]);
    let sent = json!({ "organizationId": "acme", "recordingIds": numbered(31) });
    let error = app.call("recordings.get", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "recordingIds"]));
}

#[tokio::test]
async fn pages_contain_every_recording_once_and_in_order() {
    let app = start().await;
    let order = ["f", "b", "a", "e", "d", "c"];
    add_slowly(&app, "d", &order).await;
    for filter in [json!({}), json!({ "documentId": "d" }), json!({ "recordingIds": order })] {
        for size in [1, 2, 4, 5, 6, 7, 1000] {
            let (seen, pages) = walk(&app, &filter, size).await;
            assert_eq!(seen, order, "{filter} {size}");
            assert_eq!(pages, order.len().div_ceil(size), "{filter} {size}");
        }
    }
}

#[tokio::test]
async fn without_a_size_a_page_holds_100() {
    let app = start().await;
    let sent: Vec<Value> = numbered(101).iter().map(|id| plain(id)).collect();
    add(&app, "d", json!(sent)).await;
    let first = get(&app, json!({})).await;
    assert_eq!(ids(&first).len(), 100);
    let rest = get(&app, json!({ "pageToken": first["pageToken"] })).await;
    assert_eq!((ids(&rest).len(), &rest["pageToken"]), (1, &Value::Null));
    assert_eq!(ids(&get(&app, json!({ "pageSize": 1000 })).await).len(), 101);
}

#[tokio::test]
async fn a_later_page_costs_what_the_first_one_does() {
    let app = start().await;
    let sent: Vec<Value> = numbered(60).iter().map(|id| plain(id)).collect();
    add(&app, "d", json!(sent)).await;
    for filter in [json!({}), json!({ "documentId": "d" })] {
        let (mut token, mut costs) = (Value::Null, Vec::new());
        for _ in 0..3 {
            app.forget_calls();
            let mut sent = filter.clone();
            sent["pageSize"] = json!(10);
            sent["pageToken"] = token;
            token = get(&app, sent).await["pageToken"].clone();
            let queries = app.calls().into_iter().filter(|call| call.operation == "Query");
            costs.push(queries.map(|call| call.units).collect::<Vec<f64>>());
        }
        assert_eq!(costs[0].len(), 1);
        assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
    }
}
