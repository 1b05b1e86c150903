//! `/v2/workspace/activityconfig/get`.

use serde_json::json;

use super::{get, update};
use crate::app::App;

#[tokio::test]
async fn never_configured_it_is_disabled_and_nothing_else() {
    let app = App::start().await;
    let expected = json!({ "activityServiceConfig": { "isEnabled": false } });
    assert_eq!(get(&app, "activities").await, expected);
}

#[tokio::test]
async fn what_was_written_is_shown() {
    let app = App::start().await;
    let config = json!({ "immutable": false, "triggers": { "comment": { "added": true } } });
    let data = update(&app, "activities", json!({ "activityServiceConfig": config })).await;
    assert_eq!(get(&app, "activities").await, data);
    let mut expected = config;
    expected["isEnabled"] = json!(false);
    assert_eq!(data, json!({ "activityServiceConfig": expected }));
}
