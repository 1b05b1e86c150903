use std::time::Duration;

use serde_json::{Value, json};

use super::{add_to, at, by, ids, list, start, thread};
use crate::app::{App, cost::Cost};

/// `a`, `b` and `c` in `d`, then `x` in `e`, each a second younger, by Ada and Bob in turns.
async fn world() -> App {
    let app = start().await;
    for (n, (document, id)) in
        [("d", "a"), ("d", "b"), ("d", "c"), ("e", "x")].into_iter().enumerate()
    {
        app.advance(Duration::from_secs(1));
        let mut comment = by(["ada", "bob"][n % 2]);
        comment["taggedUserContacts"] = json!([{ "userId": format!("m{n}") }]);
        let annotation = json!({ "annotationId": id, "location": { "id": format!("l{n}") }, "commentData": [comment] });
        add_to(&app, document, annotation).await;
    }
    app
}

async fn found(app: &App, filter: Value) -> String {
    ids(&list(app, filter).await).concat()
}

#[tokio::test]
async fn threads_are_sorted_by_when_they_were_created() {
    let app = world().await;
    assert_eq!(found(&app, json!({})).await, "xcba");
    assert_eq!(found(&app, json!({ "order": "asc" })).await, "abcx");
    assert_eq!(found(&app, json!({ "documentId": "d" })).await, "cba");
    app.advance(Duration::from_secs(1));
    app.call("comments.add", thread(json!({ "commentData": [by("eve")] }))).await.ok();
    assert_eq!(found(&app, json!({ "documentId": "d" })).await, "cba", "a reply moves none");
    assert_eq!(found(&app, json!({ "documentIds": ["e", "d"] })).await, "xcba");
    let moved = json!({ "annotationIds": ["b"], "updatedData": { "createdAt": 1 } });
    app.call("comments.annotations_update", at("d", moved)).await.ok();
    assert_eq!(found(&app, json!({ "documentId": "d" })).await, "cab");
}

#[tokio::test]
async fn every_filter_finds_its_threads_alone_and_within_a_document() {
    let app = world().await;
    let resolved = json!({ "annotationIds": ["b"], "updatedData": { "status": { "id": "RESOLVED" }, "resolvedByUserId": "eve", "lastUpdated": 1 } });
    app.call("comments.annotations_update", at("d", resolved)).await.ok();
    for (filter, expected) in [
        (json!({ "userIds": ["ada"] }), "ca"),
        (json!({ "userIds": ["ada", "bob"] }), "cba"),
        (json!({ "userIds": ["nobody"] }), ""),
        (json!({ "mentionedUserIds": ["m0", "m2"] }), "ca"),
        (json!({ "mentionedUserIds": ["m1"] }), "b"),
        (json!({ "locationIds": ["l1", "l2"] }), "cb"),
        (json!({ "statusIds": ["RESOLVED"] }), "b"),
        (json!({ "statusIds": ["OPEN", "RESOLVED"] }), "cba"),
        (json!({ "resolvedBy": "eve" }), "b"),
        (json!({ "updatedBefore": 2 }), "b"),
        (json!({ "updatedBefore": 1 }), ""),
        (json!({ "updatedAfter": 1 }), "ca"),
        (json!({ "updatedAfter": 0, "updatedBefore": 0 }), ""),
        (json!({ "createdBefore": 1 }), ""),
        (json!({ "createdAfter": 1 }), "cba"),
        (json!({ "userIds": ["ada"], "mentionedUserIds": ["m0"] }), "a"),
    ] {
        let mut within = filter.clone();
        within["documentId"] = json!("d");
        assert_eq!(found(&app, within).await, expected, "{filter} in d");
        let everywhere: String = found(&app, filter.clone()).await.replace('x', "");
        assert_eq!(everywhere, expected, "{filter}");
    }
}

#[tokio::test]
async fn later_authors_are_not_found_as_creators_or_mentioned_users() {
    let app = world().await;
    app.call("comments.add", thread(json!({ "commentData": [by("m1"), by("bob")] }))).await.ok();
    assert_eq!(found(&app, json!({ "mentionedUserIds": ["m0", "m1"] })).await, "ba");
    assert_eq!(
        found(&app, json!({ "mentionedUserIds": ["m0", "m1"], "order": "asc" })).await,
        "ab"
    );
    assert_eq!(found(&app, json!({ "userIds": ["bob", "m1"] })).await, "xb");
}

#[tokio::test]
async fn annotation_ids_are_returned_in_their_order_with_null_for_threads_not_found() {
    let app = world().await;
    for filter in [json!({ "documentId": "d" }), json!({ "documentIds": ["d", "e"] }), json!({})] {
        let mut sent = filter.clone();
        sent["annotationIds"] = json!(["c", "nope", "a", "c"]);
        assert_eq!(ids(&list(&app, sent.clone()).await), ["c", "null", "a"], "{filter}");
        sent["userIds"] = json!(["bob"]);
        assert_eq!(ids(&list(&app, sent).await), ["null", "null", "null"], "{filter}");
    }
    let of_other = json!({ "documentId": "e", "annotationIds": ["a", "x"] });
    assert_eq!(ids(&list(&app, of_other).await), ["null", "x"]);
    let mut sent =
        json!({ "organizationId": "o", "annotationIds": ["c", "nope", "a"], "pageSize": 2 });
    let first = app.call("comments.annotations_get", sent.clone()).await.ok();
    assert_eq!(ids(first["data"].as_array().unwrap()), ["c", "null"]);
    sent["pageToken"] = first["nextPageToken"].clone();
    let second = app.call("comments.annotations_get", sent).await.ok();
    assert_eq!(ids(second["data"].as_array().unwrap()), ["a"]);
    assert!(second["nextPageToken"].is_null());
}

#[tokio::test]
async fn a_folder_id_selects_the_threads_of_its_documents() {
    let app = world().await;
    let folder = json!({ "organizationId": "o", "folders": [{ "folderId": "f" }] });
    app.call("folders.add", folder).await.ok();
    let into = json!({ "organizationId": "o", "documentIds": ["e"], "folderId": "f" });
    app.call("documents.move_documents", into).await.ok();
    assert_eq!(found(&app, json!({ "folderId": "f" })).await, "x");
    assert_eq!(found(&app, json!({ "folderId": "root" })).await, "cba");
    assert_eq!(found(&app, json!({ "folderId": "f", "documentId": "d" })).await, "");
    assert_eq!(found(&app, json!({ "folderId": "nope" })).await, "");
}

#[tokio::test]
async fn threads_of_agents_are_found_and_two_agent_filters_at_once_are_refused() {
    let app = world().await;
    let mut comment = by("robot");
    comment["agent"] = json!({ "agentSource": "service", "agentId": "spell-check", "executionId": "run",
        "reason": { "title": "t", "description": "d", "severity": "low" } });
    add_to(
        &app,
        "d",
        json!({ "annotationId": "s", "type": "suggestion", "commentData": [comment] }),
    )
    .await;
    comment["agent"]["agentSource"] = json!("external");
    comment["agent"]["agentName"] = json!("X");
    add_to(&app, "d", json!({ "annotationId": "t", "commentData": [comment] })).await;
    for (filter, expected) in [
        (json!({ "agentId": "spell-check" }), "ts"),
        (json!({ "executionId": "run" }), "ts"),
        (json!({ "executionId": "other" }), ""),
        (json!({ "agentType": "built-in" }), "s"),
        (json!({ "agentSource": "external" }), "t"),
        (json!({ "agentSuggestions": true }), "s"),
        (json!({ "agentComments": true }), "t"),
        (json!({ "agentComments": false, "agentId": "x" }), ""),
    ] {
        let mut ids: Vec<char> = found(&app, filter.clone()).await.chars().collect();
        ids.sort_unstable();
        let mut expected: Vec<char> = expected.chars().collect();
        expected.sort_unstable();
        assert_eq!(ids, expected, "{filter}");
    }
    let two = json!({ "organizationId": "o", "agentId": "x", "agentComments": true });
    let error = app.call("comments.annotations_get", two).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "agentComments"]));
}

#[tokio::test]
async fn group_by_document_id_groups_threads_by_document() {
    let app = world().await;
    let sent = json!({ "organizationId": "o", "groupByDocumentId": true });
    let grouped = app.call("comments.annotations_get", sent).await.data();
    assert_eq!(ids(grouped["d"].as_array().unwrap()), ["c", "b", "a"]);
    assert_eq!(ids(grouped["e"].as_array().unwrap()), ["x"]);
}

#[tokio::test]
async fn an_unknown_organization_has_no_threads() {
    let app = App::start().await;
    let result = app.call("comments.annotations_get", json!({ "organizationId": "x" })).await.ok();
    assert_eq!((&result["data"], &result["nextPageToken"]), (&json!([]), &json!(null)));
}

#[tokio::test]
async fn a_filter_of_threads_has_at_most_30_ids() {
    let app = world().await;
    for member in
        ["documentIds", "annotationIds", "locationIds", "userIds", "mentionedUserIds", "statusIds"]
    {
        let ids = |n: usize| (0..n).map(|n| format!("i{n}")).collect::<Vec<_>>();
        let sent = |n| json!({ "organizationId": "o", (member): ids(n) });
        app.call("comments.annotations_get", sent(30)).await.ok();
        app.call("comments.annotations_get", sent(31)).await.error("INVALID_ARGUMENT");
    }
}

/// A page costs what its threads cost, whichever page it is.
#[tokio::test]
async fn the_third_page_takes_as_many_calls_as_the_first() {
    let app = start().await;
    for hundred in 0..3 {
        let annotations: Vec<Value> = (0..100)
            .map(|n| {
                let mut comment = by("ada");
                comment["taggedUserContacts"] = json!([{ "userId": "bob" }]);
                json!({ "annotationId": format!("{hundred}-{n}"), "commentData": [comment] })
            })
            .collect();
        let sent = at("d", json!({ "commentAnnotations": annotations }));
        app.call("comments.annotations_add", sent).await.ok();
    }
    for filter in [
        json!({}),
        json!({ "documentId": "d" }),
        json!({ "documentIds": ["d", "e"] }),
        json!({ "userIds": ["ada"] }),
        json!({ "mentionedUserIds": ["bob"] }),
    ] {
        let mut sent = filter.clone();
        sent["organizationId"] = json!("o");
        sent["pageSize"] = json!(50);
        let (mut costs, mut walked) = (Vec::new(), 0);
        for _ in 0..6 {
            app.forget_calls();
            let result = app.call("comments.annotations_get", sent.clone()).await.ok();
            let cost = Cost::of(&app.calls());
            costs.push((cost.reads, cost.writes));
            walked += result["data"].as_array().unwrap().len();
            sent["pageToken"] = result["nextPageToken"].clone();
        }
        assert_eq!((walked, &sent["pageToken"]), (300, &json!(null)), "{filter}");
        assert_eq!(costs[0], costs[2], "{filter}: {costs:?}");
        assert!(costs.iter().all(|cost| *cost <= costs[0]), "{filter}: {costs:?}");
    }
}
