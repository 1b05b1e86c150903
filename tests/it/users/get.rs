use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{add, group, ids, list, with};
use crate::app::App;

/// Walks all pages; returns the ids on each.
async fn pages(app: &App, filters: Value, size: usize) -> Vec<Vec<String>> {
    let (mut pages, mut token) = (vec![], json!(null));
    loop {
        let sent = with(filters.clone(), json!({ "pageSize": size, "pageToken": token }));
        let result = list(app, sent).await;
        let of = |user: &Value| user["userId"].as_str().unwrap().to_owned();
        pages.push(result["data"].as_array().unwrap().iter().map(of).collect());
        token = result["nextPageToken"].clone();
        if token.is_null() {
            return pages;
        }
        assert!(pages.len() < 100);
    }
}

#[tokio::test]
async fn an_unknown_organization_document_or_folder_has_no_users() {
    let app = App::start().await;
    for filters in [
        json!({}),
        json!({ "documentId": "d" }),
        json!({ "folderId": "f" }),
        json!({ "allDocuments": true }),
        json!({ "userIds": ["u"] }),
        json!({ "organizationUserGroupIds": ["g"] }),
    ] {
        let result = list(&app, filters.clone()).await;
        assert_eq!(result["data"], json!([]), "{filters}");
        assert_eq!(result.get("nextPageToken"), Some(&json!(null)), "{filters}");
    }
    let grouped = list(&app, json!({ "allDocuments": true, "groupByDocumentId": true })).await;
    assert_eq!(grouped["data"], json!({}));
}

#[tokio::test]
async fn pages_contain_every_user_once() {
    let app = App::start().await;
    add(&app, json!({}), &["a", "b", "c", "d"]).await;
    for filters in [json!({}), json!({ "userIds": ["d", "c", "b", "a", "nobody"] })] {
        assert_eq!(pages(&app, filters.clone(), 2).await, [["a", "b"], ["c", "d"]], "{filters}");
        assert_eq!(pages(&app, filters.clone(), 4).await, [["a", "b", "c", "d"]], "{filters}");
        let three = pages(&app, filters, 3).await;
        assert_eq!(three, [vec!["a", "b", "c"], vec!["d"]]);
    }
}

#[tokio::test]
async fn users_can_be_picked_at_each_level() {
    let app = App::start().await;
    add(&app, json!({}), &["a", "b"]).await;
    add(&app, json!({ "documentId": "x" }), &["b", "c"]).await;
    let picked = json!({ "userIds": ["a", "c", "a"] });
    assert_eq!(ids(&app, picked.clone()).await, ["a"]);
    assert_eq!(ids(&app, with(picked, json!({ "documentId": "x" }))).await, ["c"]);
    assert!(ids(&app, json!({ "userIds": [] })).await.is_empty());
}

#[tokio::test]
async fn a_user_in_several_groups_is_listed_once() {
    let app = App::start().await;
    add(&app, json!({}), &["a", "b", "c", "d"]).await;
    group(&app, "g", &["a", "c"]).await;
    group(&app, "h", &["c", "b"]).await;
    let both = json!({ "organizationUserGroupIds": ["g", "h"] });
    for size in 1..5 {
        assert_eq!(pages(&app, both.clone(), size).await.concat(), ["a", "b", "c"], "{size}");
    }
    let picked = with(both, json!({ "userIds": ["b", "d"] }));
    assert_eq!(ids(&app, picked).await, ["b"]);
    let outside = json!({ "organizationUserGroupIds": ["g"], "userIds": ["b"] });
    assert!(ids(&app, outside).await.is_empty());
}

#[tokio::test]
async fn all_documents_lists_users_of_documents_and_not_of_organization_or_folders() {
    let app = App::start().await;
    add(&app, json!({}), &["o"]).await;
    add(&app, json!({ "folderId": "x" }), &["f"]).await;
    add(&app, json!({ "documentId": "x" }), &["a", "b"]).await;
    add(&app, json!({ "documentId": "y" }), &["a"]).await;
    let all = json!({ "allDocuments": true });
    assert_eq!(ids(&app, all.clone()).await, ["a", "b", "a"]);
    assert_eq!(pages(&app, all.clone(), 1).await, [["a"], ["b"], ["a"]]);
    let picked = with(all.clone(), json!({ "userIds": ["a", "o"] }));
    assert_eq!(pages(&app, picked, 1).await, [["a"], ["a"]]);

    let grouped = list(&app, with(all, json!({ "groupByDocumentId": true }))).await;
    let documents = grouped["data"].as_object().unwrap();
    assert_eq!(
        documents.keys().collect::<BTreeSet<_>>(),
        BTreeSet::from([&"x".to_owned(), &"y".to_owned()])
    );
    assert_eq!(documents["x"].as_array().unwrap().len(), 2);
    assert_eq!(documents["y"][0]["documentId"], "y");
}

#[tokio::test]
async fn filters_that_contradict_each_other_are_refused() {
    let app = App::start().await;
    for (filters, name) in [
        (json!({ "documentId": "d", "folderId": "f" }), "folderId"),
        (json!({ "groupByDocumentId": true }), "groupByDocumentId"),
        (json!({ "groupByDocumentId": true, "allDocuments": false }), "groupByDocumentId"),
        (json!({ "allDocuments": true, "documentId": "d" }), "allDocuments"),
        (json!({ "allDocuments": true, "folderId": "f" }), "allDocuments"),
        (
            json!({ "allDocuments": true, "organizationUserGroupIds": ["g"] }),
            "organizationUserGroupIds",
        ),
        (
            json!({ "documentId": "d", "organizationUserGroupIds": ["g"] }),
            "organizationUserGroupIds",
        ),
        (json!({ "userIds": vec!["u"; 31] }), "userIds"),
        (json!({ "organizationUserGroupIds": vec!["g"; 31] }), "organizationUserGroupIds"),
        (json!({ "pageSize": 0 }), "pageSize"),
        (json!({ "pageSize": 1001 }), "pageSize"),
        (json!({ "pageToken": "forged" }), "pageToken"),
    ] {
        let sent = with(json!({ "organizationId": "o" }), filters.clone());
        let error = app.call("users.get", sent).await.error("INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().contains(name), "{filters}: {error}");
    }
    assert!(ids(&app, json!({ "userIds": vec!["u"; 30], "pageSize": 1000 })).await.is_empty());
    assert!(ids(&app, json!({ "groupByDocumentId": false })).await.is_empty());
}
