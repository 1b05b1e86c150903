use serde_json::{Value, json};

use super::{add, ids};
use crate::app::App;

#[tokio::test]
async fn a_key_without_organizations_has_an_empty_list_and_no_next_page() {
    let app = App::start().await;
    for body in ["", "{}", r#"{"data":null}"#, r#"{"data":{}}"#] {
        let result = app.caller().body_at("/v2/organizations/get", body).await.ok();
        assert_eq!(result["data"], json!([]), "{body}");
        assert_eq!(result.get("nextPageToken"), Some(&Value::Null), "{body}");
    }
}

#[tokio::test]
async fn organization_ids_select_the_organizations_that_exist_and_each_is_returned_once() {
    let app = App::start().await;
    add(&app, &["a", "b", "c"]).await;
    let filter = json!(["c", "nobody", "a", "c"]);
    let result = app.call("organizations.get", json!({ "organizationIds": filter })).await.ok();
    assert_eq!(ids(&result["data"]), ["a", "c"]);
    assert_eq!(result.get("nextPageToken"), Some(&Value::Null));
    let sent = json!({ "organizationIds": filter, "pageSize": 1 });
    let first = app.call("organizations.get", sent.clone()).await.ok();
    assert_eq!(ids(&first["data"]), ["a"]);
    let mut sent = sent;
    sent["pageToken"] = first["nextPageToken"].clone();
    let second = app.call("organizations.get", sent).await.ok();
    assert_eq!(ids(&second["data"]), ["c"]);
    assert_eq!(second.get("nextPageToken"), Some(&Value::Null));
}

#[tokio::test]
async fn an_empty_list_of_ids_selects_nothing_and_null_selects_all() {
    let app = App::start().await;
    add(&app, &["a", "b"]).await;
    for (filter, selected) in [(json!([]), vec![]), (Value::Null, vec!["a", "b"])] {
        let result = app.call("organizations.get", json!({ "organizationIds": filter })).await;
        assert_eq!(ids(&result.data()), selected, "{filter}");
    }
}

#[tokio::test]
async fn at_most_30_ids_can_be_asked_for() {
    let app = App::start().await;
    let many = |n: usize| (0..n).map(|n| format!("o{n}")).collect::<Vec<_>>();
    add(&app, &["o29"]).await;
    let found = app.call("organizations.get", json!({ "organizationIds": many(30) })).await.data();
    assert_eq!(ids(&found), ["o29"]);
    let refused = app.call("organizations.get", json!({ "organizationIds": many(31) })).await;
    let error = refused.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationIds"]));
}

#[tokio::test]
async fn pages_contain_every_organization_once_and_the_last_page_has_no_token() {
    let app = App::start().await;
    let all = ["a", "b", "c", "d", "e", "f"];
    add(&app, &all).await;
    for size in [1, 2, 4, 5, 6, 7, 1000] {
        let (mut seen, mut pages, mut token) = (Vec::new(), 0, Value::Null);
        loop {
            let sent = json!({ "pageSize": size, "pageToken": token });
            let result = app.call("organizations.get", sent).await.ok();
            seen.extend(ids(&result["data"]));
            pages += 1;
            token = result["nextPageToken"].clone();
            if token.is_null() {
                break;
            }
            assert!(pages < 7, "pages without end");
        }
        assert_eq!(seen, all, "{size}");
        assert_eq!(pages, all.len().div_ceil(size), "{size}");
    }
}
