//! `/v2/workspace/apikeys/get`.

use serde_json::{Value, json};

use super::field;
use crate::app::App;

fn ids(data: &Value) -> Vec<String> {
    let ids = data.as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned());
    ids.collect()
}

#[tokio::test]
async fn the_filter_returns_only_keys_of_the_workspace_and_each_once() {
    let app = App::start().await;
    let second = app.second_key().await;
    let (_, foreign) = app.new_workspace().await;
    let list = |keys: Value| app.call("workspace.api_keys_get", json!({ "apiKeys": keys }));
    let found =
        list(json!([second.api_key, foreign.api_key, "rt_none", second.api_key])).await.ok();
    assert_eq!(ids(&found["data"]), [second.api_key]);
    assert_eq!(found["nextPageToken"], Value::Null);
    let found = list(json!([foreign.api_key])).await.ok();
    assert_eq!(found["data"], json!([]));
    assert_eq!(found["nextPageToken"], Value::Null);
    assert_eq!(ids(&list(json!([])).await.data()).len(), 0);
    assert_eq!(ids(&list(Value::Null).await.data()).len(), 2);
}

#[tokio::test]
async fn more_than_30_keys_or_a_key_that_is_no_list_are_refused_by_name() {
    let app = App::start().await;
    let keys = |n: usize| (0..n).map(|n| format!("rt_{n}")).collect::<Vec<_>>();
    for (member, value) in [("apiKeys", json!(keys(31))), ("apiKeys", json!("rt_1"))] {
        let mut sent = json!({});
        sent[member] = value.clone();
        let error = app.call("workspace.api_keys_get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{member}"), "{value}");
    }
    let most = json!({ "apiKeys": keys(30), "pageSize": 100.0 });
    assert_eq!(app.call("workspace.api_keys_get", most).await.data(), json!([]));
}

#[tokio::test]
async fn the_body_may_be_left_out() {
    let app = App::start().await;
    for body in ["", "{}", r#"{"data":null}"#] {
        let listed = app.caller().body_at("/v2/workspace/apikeys/get", body).await.data();
        assert_eq!(ids(&listed), std::slice::from_ref(&app.key.api_key));
    }
}
