//! `activities.get`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{add, add_slowly, all, get, ids, numbered, plain, start, with};
use crate::app::App;

const NONE: [Value; 0] = [];

/// Activities of two documents, users and targets, in the order of their names.
async fn world() -> App {
    let app = start().await;
    let made = |id: &str, user: &str, target: Option<&str>, feature: &str, action: &str| {
        json!({
            "id": id, "featureType": feature, "actionType": action,
            "actionUser": { "userId": user }, "targetEntityId": target,
        })
    };
    add_slowly(
        &app,
        "d",
        &[
            made("a", "ada", Some("t"), "comment", "comment.add"),
            made("b", "bob", Some("t"), "comment", "comment.delete"),
            made("c", "ada", None, "crdt", "crdt.editor_edit"),
        ],
    )
    .await;
    add_slowly(
        &app,
        "e",
        &[
            made("f", "ada", Some("t"), "reaction", "reaction.add"),
            made("g", "bob", Some("u"), "recorder", "recording.add"),
            made("h", "bob", Some("u"), "custom", "comment.add"),
        ],
    )
    .await;
    app
}

#[tokio::test]
async fn activities_come_newest_first_unless_the_order_is_ascending() {
    let app = world().await;
    assert_eq!(all(&app).await, ["h", "g", "f", "c", "b", "a"]);
    for (order, found) in [
        (json!("desc"), ["f", "b", "a"]),
        (json!(null), ["f", "b", "a"]),
        (json!("asc"), ["a", "b", "f"]),
    ] {
        for filter in [json!({ "targetEntityId": "t" }), json!({ "activityIds": ["b", "f", "a"] })]
        {
            let sent = with(filter, json!({ "order": order }));
            assert_eq!(ids(&get(&app, sent.clone()).await), found, "{sent}");
        }
    }
    let sent = json!({ "organizationId": "acme", "order": "newest" });
    let error = app.call("activities.get", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "order"]));
}

#[tokio::test]
async fn several_filters_select_the_activities_that_match_all_of_them() {
    let app = world().await;
    for (filter, found) in [
        (json!({ "documentId": "d" }), vec!["c", "b", "a"]),
        (json!({ "documentId": "nowhere" }), vec![]),
        (json!({ "targetEntityId": "u" }), vec!["h", "g"]),
        (json!({ "userId": "ada" }), vec!["f", "c", "a"]),
        (json!({ "featureTypes": ["comment", "crdt"] }), vec!["c", "b", "a"]),
        (json!({ "actionTypes": ["comment.add"] }), vec!["h", "a"]),
        (json!({ "activityIds": ["g", "nobody", "a", "g"] }), vec!["g", "a"]),
        (json!({ "documentId": "d", "userId": "ada" }), vec!["c", "a"]),
        (json!({ "documentId": "d", "targetEntityId": "t" }), vec!["b", "a"]),
        (json!({ "targetEntityId": "t", "userId": "ada" }), vec!["f", "a"]),
        (json!({ "userId": "bob", "actionTypes": ["comment.add"] }), vec!["h"]),
        (json!({ "documentId": "e", "featureTypes": ["custom", "recorder"] }), vec!["h", "g"]),
        (json!({ "activityIds": ["a", "f", "h"], "targetEntityId": "t" }), vec!["f", "a"]),
        (json!({ "activityIds": ["a", "f", "h"], "userId": "bob" }), vec!["h"]),
        (
            json!({
                "documentId": "d", "targetEntityId": "t", "userId": "ada",
                "featureTypes": ["comment"], "actionTypes": ["comment.add"], "activityIds": ["a"],
            }),
            vec!["a"],
        ),
        (json!({ "featureTypes": ["comment"], "actionTypes": ["reaction.add"] }), vec![]),
    ] {
        assert_eq!(ids(&get(&app, filter.clone()).await), found, "{filter}");
    }
    let none = json!({
        "documentId": null, "targetEntityId": null, "userId": null, "featureTypes": null,
        "actionTypes": null, "activityIds": null,
    });
    assert_eq!(ids(&get(&app, none).await).len(), 6, "null is no filter");
}

#[tokio::test]
async fn filters_have_their_types_and_bounds() {
    let app = start().await;
    for (filter, path) in [
        (json!({ "featureTypes": ["huddle"] }), json!(["data", "featureTypes", 0])),
        (json!({ "featureTypes": vec!["comment"; 31] }), json!(["data", "featureTypes"])),
        (json!({ "actionTypes": [""] }), json!(["data", "actionTypes", 0])),
        (json!({ "actionTypes": numbered(31) }), json!(["data", "actionTypes"])),
        (json!({ "activityIds": numbered(31) }), json!(["data", "activityIds"])),
        (json!({ "userId": "" }), json!(["data", "userId"])),
        (json!({ "pageSize": 0 }), json!(["data", "pageSize"])),
        (json!({ "pageSize": 1001 }), json!(["data", "pageSize"])),
        (json!({ "organizationId": null }), json!(["data", "organizationId"])),
    ] {
        let sent = with(json!({ "organizationId": "acme" }), filter);
        let error = app.call("activities.get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path);
    }
    let most = json!({
        "featureTypes": vec!["comment"; 30], "actionTypes": numbered(30),
        "activityIds": numbered(30), "pageSize": 1000,
    });
    assert_eq!(get(&app, most).await["data"], json!([]));
}

#[tokio::test]
async fn an_unknown_organization_has_no_activities() {
    let app = App::start().await;
    for filter in [
        json!({}),
        json!({ "documentId": "d" }),
        json!({ "targetEntityId": "t" }),
        json!({ "userId": "u" }),
        json!({ "activityIds": ["a"] }),
    ] {
        let result = get(&app, filter).await;
        assert_eq!(result["data"], json!([]));
        assert_eq!(result.get("pageToken"), Some(&Value::Null));
    }
}

#[tokio::test]
async fn pages_contain_every_activity_once_and_in_order() {
    let app = world().await;
    for (filter, found) in [
        (json!({}), vec!["h", "g", "f", "c", "b", "a"]),
        (json!({ "order": "asc" }), vec!["a", "b", "c", "f", "g", "h"]),
        (json!({ "documentId": "d" }), vec!["c", "b", "a"]),
        (json!({ "targetEntityId": "t" }), vec!["f", "b", "a"]),
        (json!({ "userId": "bob", "order": "asc" }), vec!["b", "g", "h"]),
        (json!({ "activityIds": ["a", "c", "g"] }), vec!["g", "c", "a"]),
        (json!({ "activityIds": ["a", "c", "g"], "order": "asc" }), vec!["a", "c", "g"]),
        (
            json!({ "userId": "ada", "actionTypes": ["comment.add", "reaction.add"] }),
            vec!["f", "a"],
        ),
    ] {
        for size in 1..=7 {
            let (mut seen, mut token) = (Vec::new(), Value::Null);
            for _ in 0..8 {
                let page = json!({ "pageSize": size, "pageToken": token });
                let result = get(&app, with(filter.clone(), page)).await;
                assert!(ids(&result).len() <= size);
                seen.extend(ids(&result));
                token = result["pageToken"].clone();
                if token.is_null() {
                    break;
                }
            }
            assert_eq!(token, Value::Null, "{filter} {size}");
            assert_eq!(seen, found, "{filter} {size}");
        }
    }
}

#[tokio::test]
async fn a_page_token_is_refused_with_another_target_features_actions_or_order() {
    let app = world().await;
    let good = json!({ "organizationId": "acme", "documentId": "d", "pageSize": 1 });
    let first = app.call("activities.get", good.clone()).await.ok();
    let good = with(good, json!({ "pageToken": first["pageToken"], "pageSize": 2 }));
    assert_eq!(ids(&app.call("activities.get", good.clone()).await.ok()), ["b", "a"]);
    for change in [
        json!({ "targetEntityId": "t" }),
        json!({ "featureTypes": ["comment"] }),
        json!({ "actionTypes": ["comment.add"] }),
        json!({ "order": "asc" }),
    ] {
        app.call("activities.get", with(good.clone(), change)).await.error("INVALID_ARGUMENT");
    }
}

/// The cost of a list is that of its results: no filter by document, target, user or id reads
/// others.
#[tokio::test]
async fn a_filter_does_not_read_activities_that_it_excludes() {
    let app = start().await;
    let many: Vec<Value> = numbered(300)
        .iter()
        .map(|id| with(plain(id), json!({ "entityData": "x".repeat(1000), "targetEntityId": "s" })))
        .collect();
    add(&app, "other", json!(many)).await;
    let few = json!([with(
        plain("few"),
        json!({ "actionUser": { "userId": "bob" }, "targetEntityId": "t" })
    )]);
    add(&app, "d", few).await;
    for filter in [
        json!({ "documentId": "d" }),
        json!({ "targetEntityId": "t" }),
        json!({ "userId": "bob" }),
        json!({ "activityIds": ["few"] }),
        json!({ "documentId": "other", "targetEntityId": "t" }),
        json!({ "documentId": "other", "userId": "bob" }),
    ] {
        app.forget_calls();
        get(&app, filter.clone()).await;
        let units: f64 = app.calls().iter().map(|call| call.units).sum();
        assert!(units < 5.0, "{filter}: {units}");
    }
}

#[tokio::test]
async fn activities_stay_when_their_document_is_deleted_and_are_removed_with_the_organization() {
    let app = start().await;
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }, { "documentId": "e" }],
    });
    app.call("documents.add", documents).await.ok();
    let users = json!({ "organizationId": "acme", "users": [{ "userId": "ada" }] });
    app.call("users.add", users).await.ok();
    add_slowly(&app, "d", &[plain("a")]).await;
    add_slowly(&app, "e", &[plain("b")]).await;
    let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    let sent = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.call("users.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(all(&app).await, ["b", "a"]);
    assert_eq!(ids(&get(&app, json!({ "documentId": "d" })).await), ["a"]);
    let sent = json!({ "organizationIds": ["acme"] });
    app.call("organizations.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(all(&app).await, NONE);
}
