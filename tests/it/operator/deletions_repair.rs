//! `/v2/workspace/deletions/repair` page by page; what it finds has tests of its own (`earlier.rs`).

use roundtable::table_name;
use serde_json::{Value, json};
use service::Table;

use crate::app::App;

#[tokio::test]
async fn a_repair_of_data_of_the_current_version_changes_nothing() {
    let (app, _) = App::settled_sample_world().await;
    let dump = || app.embedded().dump(&table_name(Table::Resources)).unwrap();
    let before = dump();
    let done = app.call("operator.deletions_repair", json!({})).await.data();
    assert_eq!(
        (&done["repeated"], &done["unnamed"], &done["next"]),
        (&json!(0), &json!(0), &Value::Null)
    );
    assert!(done["items"].as_u64().unwrap() > 40, "{done}");
    assert_eq!(dump(), before);
}

#[tokio::test]
async fn an_invalid_start_token_is_refused() {
    let app = App::start().await;
    let sent = json!({ "start": "x" });
    app.call("operator.deletions_repair", sent).await.error("INVALID_ARGUMENT");
}
