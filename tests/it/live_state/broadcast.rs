use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{all, only, write};
use crate::app::App;

const PATHS: [&str; 2] = ["/v2/livestate/broadcast", "/v1/livestate/broadcast"];

#[tokio::test]
async fn neither_organization_nor_document_need_exist() {
    let app = App::start().await;
    let before = app.now();
    write(&app, "d", "slides", json!({ "page": 4 }), false).await;
    let states = all(&app, "d").await;
    let at = states[0]["lastUpdated"].as_u64().unwrap();
    assert!((before..=app.now()).contains(&at));
    let expected = json!([{
        "liveStateDataId": "slides", "data": { "page": 4 }, "revision": 1, "lastUpdated": at,
    }]);
    assert_eq!(json!(states), expected);
    let documents = app.call("documents.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(documents, json!([]));
}

#[tokio::test]
async fn the_parameters_may_stand_in_data_or_at_the_top_at_both_paths() {
    let app = App::start().await;
    let mut revision = 0;
    for path in PATHS {
        for wrapped in [true, false] {
            // The payload has a member of the name that tells the two apart, and one called data.
            let payload = json!({ "organizationId": "p", "data": { "n": revision } });
            let bare = json!({
                "organizationId": "o", "documentId": "d", "liveStateDataId": "x", "data": payload,
                "unknown": 1,
            });
            let body = if wrapped { json!({ "data": bare }) } else { bare };
            let reply = app.caller().body_at(path, body.to_string()).await;
            assert_eq!(reply.data(), json!({ "success": true }), "{path} {wrapped}");
            revision += 1;
            assert_eq!(only(&app).await, (payload, revision), "{path} {wrapped}");
        }
    }
}

#[tokio::test]
async fn an_invalid_member_is_refused_with_its_path_at_the_top_level_or_in_data() {
    let app = App::start().await;
    let whole = json!({
        "organizationId": "o", "documentId": "d", "liveStateDataId": "x", "data": {},
    });
    let path = PATHS[0];
    for member in ["documentId", "liveStateDataId", "data"] {
        let mut bare = whole.clone();
        bare.as_object_mut().unwrap().remove(member);
        for (body, expected) in
            [(bare.clone(), json!([member])), (json!({ "data": bare }), json!(["data", member]))]
        {
            let reply = app.caller().body_at(path, body.to_string()).await;
            let error = reply.error("INVALID_ARGUMENT");
            assert_eq!(error["details"]["issues"][0]["path"], expected, "{body}");
        }
    }
    for (member, wrong) in [
        ("data", json!([])),
        ("data", json!("x")),
        ("data", json!(1)),
        ("data", json!(null)),
        ("data", json!(true)),
        ("merge", json!("true")),
        ("merge", json!(1)),
        ("documentId", json!("")),
        ("liveStateDataId", json!("x".repeat(257))),
        ("organizationId", json!(7)),
    ] {
        let mut bare = whole.clone();
        bare[member] = wrong;
        let reply = app.caller().body_at(path, bare.to_string()).await;
        let error = reply.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!([member]), "{bare}");
    }
    // Without organizationId at the top, the parameters are looked for in data.
    let mut bare = whole.clone();
    bare.as_object_mut().unwrap().remove("organizationId");
    let error = app.caller().body_at(path, bare.to_string()).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationId"]));
    assert_eq!(all(&app, "d").await, Vec::<Value>::new());
}

#[tokio::test]
async fn data_is_replaced_as_a_whole_unless_merge_is_true() {
    let app = App::start().await;
    write(&app, "d", "x", json!({ "a": 1, "b": { "c": 2 } }), false).await;
    write(&app, "d", "x", json!({ "b": { "d": null } }), false).await;
    assert_eq!(only(&app).await, (json!({ "b": { "d": null } }), 2));
    for merge in [json!(null), json!(false)] {
        let sent = json!({
            "organizationId": "o", "documentId": "d", "liveStateDataId": "x",
            "data": { "e": 1 }, "merge": merge,
        });
        app.call("live-state.broadcast", sent).await.ok();
        assert_eq!(only(&app).await.0, json!({ "e": 1 }));
    }
    write(&app, "d", "x", json!({ "b": [1] }), true).await;
    assert_eq!(only(&app).await, (json!({ "b": [1], "e": 1 }), 5));
}

#[tokio::test]
async fn merging_into_nothing_applies_the_patch_to_an_empty_object() {
    let app = App::start().await;
    write(&app, "d", "x", json!({ "a": null, "b": { "c": null, "d": [null] } }), true).await;
    assert_eq!(only(&app).await, (json!({ "b": { "d": [null] } }), 1));
}

/// RFC 7396, appendix A: those of the examples that merge an object into an object.
#[tokio::test]
async fn merging_is_json_merge_patch() {
    let app = App::start().await;
    for (before, patch, after) in [
        (json!({ "a": "b" }), json!({ "a": "c" }), json!({ "a": "c" })),
        (json!({ "a": "b" }), json!({ "b": "c" }), json!({ "a": "b", "b": "c" })),
        (json!({ "a": "b" }), json!({ "a": null }), json!({})),
        (json!({ "a": "b", "b": "c" }), json!({ "a": null }), json!({ "b": "c" })),
        (json!({ "a": ["b"] }), json!({ "a": "c" }), json!({ "a": "c" })),
        (json!({ "a": "c" }), json!({ "a": ["b"] }), json!({ "a": ["b"] })),
        (
            json!({ "a": { "b": "c" } }),
            json!({ "a": { "b": "d", "c": null } }),
            json!({ "a": { "b": "d" } }),
        ),
        (json!({ "a": [{ "b": "c" }] }), json!({ "a": [1] }), json!({ "a": [1] })),
        (json!({ "e": null }), json!({ "a": 1 }), json!({ "e": null, "a": 1 })),
        (json!({}), json!({ "a": { "bb": { "ccc": null } } }), json!({ "a": { "bb": {} } })),
    ] {
        write(&app, "d", "x", before.clone(), false).await;
        write(&app, "d", "x", patch.clone(), true).await;
        assert_eq!(only(&app).await.0, after, "{before} with {patch}");
    }
}

#[tokio::test]
async fn twenty_simultaneous_merges_lose_nothing_and_leave_no_gap_in_the_revisions() {
    let app = App::start().await;
    for (round, first) in [(0, 0), (1, 20)] {
        let writes = (0..20).map(|n| {
            let data = json!({ (format!("{round}.{n}")): n, "all": { (format!("u{n}")): round } });
            write_owned(&app, data)
        });
        join_all(writes).await;
        let (data, revision) = only(&app).await;
        assert_eq!(revision, first + 20);
        for n in 0..20 {
            assert_eq!(data[format!("{round}.{n}")], n);
            assert_eq!(data["all"][format!("u{n}")], round);
        }
    }
}

async fn write_owned(app: &App, data: Value) {
    write(app, "d", "x", data, true).await;
}

#[tokio::test]
async fn every_write_raises_the_revision_of_its_entry_alone() {
    let app = App::start().await;
    write(&app, "d", "x", json!({ "a": 1 }), false).await;
    write(&app, "d", "y", json!({}), false).await;
    write(&app, "e", "x", json!({}), false).await;
    write(&app, "d", "x", json!({}), true).await;
    write(&app, "d", "x", json!({ "a": 1 }), false).await;
    let states = all(&app, "d").await;
    let revisions: Vec<&Value> = states.iter().map(|state| &state["revision"]).collect();
    assert_eq!(revisions, [3, 1]);
    assert_eq!(all(&app, "e").await[0]["revision"], 1);
}

#[tokio::test]
async fn data_of_any_json_value_and_member_name_is_kept() {
    let app = App::start().await;
    let mut deep = json!([5e-324, 1e308, 9_007_199_254_740_993_u64, -0.5, "", null, true]);
    // The object of the payload and the members around it are levels, too.
    for _ in 0..60 {
        deep = json!([deep]);
    }
    let data = json!({ "": deep, "__proto__": { "#": "\u{0}🦀" }, "a.b": { "": {} } });
    write(&app, "d", "x", data.clone(), false).await;
    assert_eq!(only(&app).await.0, data);
    write(&app, "d", "x", json!({ "a.b": { "": null } }), true).await;
    let mut expected = data;
    expected["a.b"] = json!({});
    assert_eq!(only(&app).await.0, expected);
}

#[tokio::test]
async fn a_live_state_above_400_kib_is_refused_with_the_limit_named_and_not_changed() {
    let app = App::start().await;
    let half = "x".repeat(250_000);
    write(&app, "d", "x", json!({ "a": half }), true).await;
    for (data, merge) in [(json!({ "b": half }), true), (json!({ "a": half, "b": half }), false)] {
        let sent = json!({
            "organizationId": "o", "documentId": "d", "liveStateDataId": "x",
            "data": data, "merge": merge,
        });
        let error = app.call("live-state.broadcast", sent).await.error("INVALID_ARGUMENT");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("409600") && message.contains("live state x"), "{message}");
    }
    assert_eq!(only(&app).await, (json!({ "a": half }), 1));
}
