//! The guides in `docs/` are tested by running them.

use serde_json::json;

use crate::app::{App, guide::play};

#[tokio::test]
async fn a_day_of_a_team_goes_as_the_guide_says() {
    let app = App::start().await;
    let calls = play(&app, "A_DAY.md").await;
    assert!(calls > 50, "{calls} calls were found");
    let mails: Vec<Vec<String>> = app.mails().into_iter().map(|mail| mail.to).collect();
    assert_eq!(mails, [["eve@example.com"], ["bob@example.com"]]);
    let left = app.call("organizations.get", json!({})).await.data();
    assert_eq!(left, json!([]), "the first tenant saw nothing of it");
}
