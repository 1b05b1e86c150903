//! The guides in `docs/` are true: they are played as they stand.

use serde_json::json;

use crate::app::{
    App,
    guide::{Variables, steps},
};

#[tokio::test]
async fn a_day_of_a_team_goes_as_the_guide_says() {
    let app = App::start().await;
    let mut variables = Variables::new();
    let steps = steps("A_DAY.md");
    assert!(steps.len() > 50, "{} steps were found", steps.len());
    let (mut workspace, mut key) = (app.workspace.clone(), app.key.clone());
    for step in steps {
        if step.waits {
            app.settle().await;
        }
        let caller = app.caller().workspace(&workspace).key(&key);
        let body = format!("{{\"data\":{}}}", step.data(&variables));
        let reply = caller.body_at(&step.path, body).await;
        if let Err(wrong) = step.check(reply.text(), &mut variables) {
            panic!("{wrong}");
        }
        let text = |name: &str| variables.get(name).cloned().unwrap_or_default();
        match step.path.as_str() {
            "/v2/workspace/create" => {
                let created = reply.data();
                let member = |name: &str| created[name].as_str().unwrap_or_default().to_owned();
                (workspace.id, workspace.token) = (member("id"), member("authToken"));
            }
            "/v2/workspace/authtokens/get" => {
                (key.api_key, key.auth_token) = (text("KEY"), text("TOKEN"));
            }
            _ => {}
        }
    }
    app.settle().await;
    let mails: Vec<Vec<String>> = app.mails().into_iter().map(|mail| mail.to).collect();
    assert_eq!(mails, [["eve@example.com"], ["bob@example.com"]]);
    let left = app.call("organizations.get", json!({})).await.data();
    assert_eq!(left, json!([]), "the first tenant saw nothing of it");
}
