//! `live-state.get`.

use serde_json::{Value, json};

use super::write;
use crate::app::App;

async fn get(app: &App, members: Value) -> Value {
    let mut sent = members;
    sent["organizationId"] = json!("o");
    sent["documentId"] = json!("d");
    app.call("live-state.get", sent).await.ok()
}

fn ids(result: &Value) -> Vec<&str> {
    let states = result["data"].as_array().unwrap().iter();
    states.map(|state| state["liveStateDataId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn all_live_states_of_a_document_are_listed_in_the_order_of_their_ids() {
    let app = App::start().await;
    for id in ["c", "a", "é", "B"] {
        write(&app, "d", id, json!({}), false).await;
    }
    write(&app, "e", "b", json!({}), false).await;
    let result = get(&app, json!({})).await;
    assert_eq!(
        (ids(&result), result.get("pageToken")),
        (vec!["B", "a", "c", "é"], Some(&json!(null)))
    );
    let first = get(&app, json!({ "pageSize": 3 })).await;
    assert_eq!(ids(&first), ["B", "a", "c"]);
    let second = get(&app, json!({ "pageSize": 3, "pageToken": first["pageToken"] })).await;
    assert_eq!((ids(&second), &second["pageToken"]), (vec!["é"], &json!(null)));
}

#[tokio::test]
async fn a_live_state_data_id_selects_one_entry() {
    let app = App::start().await;
    for id in ["a", "b"] {
        write(&app, "d", id, json!({ "id": id }), false).await;
    }
    let result = get(&app, json!({ "liveStateDataId": "b" })).await;
    assert_eq!((ids(&result), result.get("pageToken")), (vec!["b"], Some(&json!(null))));
    assert_eq!(result["data"][0]["data"], json!({ "id": "b" }));
    assert_eq!(ids(&get(&app, json!({ "liveStateDataId": null })).await), ["a", "b"]);
}

#[tokio::test]
async fn a_document_without_live_state_has_an_empty_list() {
    let app = App::start().await;
    for members in [json!({}), json!({ "liveStateDataId": "x" })] {
        let result = get(&app, members).await;
        assert_eq!((&result["data"], result.get("pageToken")), (&json!([]), Some(&json!(null))));
    }
}

#[tokio::test]
async fn parameters_at_the_top_level_are_for_broadcasts_alone() {
    let app = App::start().await;
    let bare = json!({ "organizationId": "o", "documentId": "d" });
    let reply = app.caller().body_at("/v2/livestate/get", bare.to_string()).await;
    assert_eq!(reply.error("INVALID_ARGUMENT")["details"]["issues"][0]["path"], json!(["data"]));
}

#[tokio::test]
async fn an_empty_live_state_id_is_refused() {
    let app = App::start().await;
    let empty = json!({ "organizationId": "o", "documentId": "d", "liveStateDataId": "" });
    app.call("live-state.get", empty).await.error("INVALID_ARGUMENT");
}
