//! `/v2/workspace/activityconfig/get`.

use serde_json::json;

use super::{get, update};
use crate::app::App;

#[tokio::test]
async fn a_key_that_was_never_configured_has_only_is_enabled_false() {
    let app = App::start().await;
    let expected = json!({ "activityServiceConfig": { "isEnabled": false } });
    assert_eq!(get(&app, "activities").await, expected);
}

#[tokio::test]
async fn the_configuration_is_returned_as_it_was_written() {
    let app = App::start().await;
    let config = json!({ "immutable": false, "triggers": { "comment": { "added": true } } });
    let data = update(&app, "activities", json!({ "activityServiceConfig": config })).await;
    assert_eq!(get(&app, "activities").await, data);
    let mut expected = config;
    expected["isEnabled"] = json!(false);
    assert_eq!(data, json!({ "activityServiceConfig": expected }));
}
