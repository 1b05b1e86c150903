//! `/v2/workspace/apikeys/get`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::field;
use crate::app::App;

fn ids(data: &Value) -> Vec<String> {
    let ids = data.as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned());
    ids.collect()
}

/// Every page, and how many keys each held.
async fn walk(app: &App, mut sent: Value) -> (Vec<String>, Vec<usize>) {
    let (mut all, mut sizes) = (Vec::new(), Vec::new());
    loop {
        let result = app.call("workspace.api_keys_get", sent.clone()).await.ok();
        let page = ids(&result["data"]);
        sizes.push(page.len());
        all.extend(page);
        assert!(result.as_object().unwrap().contains_key("nextPageToken"));
        if result["nextPageToken"].is_null() {
            return (all, sizes);
        }
        sent["pageToken"] = result["nextPageToken"].clone();
    }
}

#[tokio::test]
async fn pages_contain_every_key_once_and_the_last_page_has_no_token() {
    let app = App::start().await;
    let mut expected = BTreeSet::from([app.key.api_key.clone()]);
    for _ in 0..3 {
        expected.insert(app.second_key().await.api_key);
    }
    let expected: Vec<String> = expected.into_iter().collect();
    for filter in [json!(null), json!(expected)] {
        for (size, sizes) in
            [(1, vec![1; 4]), (2, vec![2, 2]), (3, vec![3, 1]), (4, vec![4]), (100, vec![4])]
        {
            let sent = json!({ "pageSize": size, "apiKeys": filter });
            let (mut all, found) = walk(&app, sent).await;
            all.sort();
            assert_eq!(all, expected);
            assert_eq!(found, sizes, "pageSize {size}");
        }
    }
    assert_eq!(walk(&app, json!({})).await.1, [4]);
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
async fn a_page_token_of_another_list_is_refused() {
    let app = App::start().await;
    let second = app.second_key().await;
    let first = app.call("workspace.api_keys_get", json!({ "pageSize": 1 })).await.ok();
    let token = first["nextPageToken"].as_str().unwrap().to_owned();
    let (other, _) = app.new_workspace().await;
    let foreign = app.caller().workspace(&other);
    let sent = json!({ "pageToken": token });
    foreign.call("workspace.api_keys_get", sent.clone()).await.error("INVALID_ARGUMENT");
    let filtered = json!({ "pageToken": token, "apiKeys": [second.api_key] });
    app.call("workspace.api_keys_get", filtered).await.error("INVALID_ARGUMENT");
    for altered in [format!("{token}x"), token.replacen('.', "", 1), "x".to_owned()] {
        let sent = json!({ "pageToken": altered });
        app.call("workspace.api_keys_get", sent).await.error("INVALID_ARGUMENT");
    }
    // It is good for another size, and more than once.
    for size in [1, 100] {
        let sent = json!({ "pageToken": token, "pageSize": size });
        assert_eq!(ids(&app.call("workspace.api_keys_get", sent).await.data()).len(), 1);
    }
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    let keys = |n: usize| (0..n).map(|n| format!("rt_{n}")).collect::<Vec<_>>();
    for (member, value) in [
        ("pageSize", json!(0)),
        ("pageSize", json!(101)),
        ("pageSize", json!("10")),
        ("pageToken", json!("")),
        ("apiKeys", json!(keys(31))),
        ("apiKeys", json!("rt_1")),
    ] {
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
