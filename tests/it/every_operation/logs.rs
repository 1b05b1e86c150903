use serde_json::Value;

use crate::app::{App, logged, specs};

const CANARY: &str = "canary-7c1e";

/// Puts the canary into every text of the sample that is no id.
fn mark(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name.to_lowercase().contains("name") => {
                        text.push_str(CANARY)
                    }
                    Value::String(text) if name.to_lowercase().contains("email") => {
                        *text = format!("{CANARY}.{text}");
                    }
                    member => mark(member),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(mark),
        _ => {}
    }
}

#[tokio::test]
async fn no_secret_name_or_address_is_logged() {
    let mut secrets = Vec::new();
    let mut ids = Vec::new();
    for spec in specs().values() {
        let (app, second) = App::settled_sample_world().await;
        secrets.extend([
            app.key.auth_token.clone(),
            app.workspace.token.clone(),
            second.auth_token.clone(),
        ]);
        let mut body: Value =
            serde_json::from_str(&app.sample_body(&spec.binary(), &second)).unwrap_or_default();
        mark(&mut body);
        for path in spec.paths {
            let reply = app.caller().body_at(path, body.to_string()).await;
            ids.push((spec.name, reply.header("x-request-id").expect("a request id")));
        }
        let wrong = body
            .to_string()
            .replace("\"organizationId\":\"", &format!("\"organizationId\":1,\"x\":\"{CANARY}"));
        app.caller().body_at(spec.paths[0], wrong).await;
        app.settle().await;
    }
    let lines = logged();
    for (operation, id) in ids {
        let line: Vec<&str> = lines.lines().filter(|line| line.contains(&id)).collect();
        assert_eq!(line.len(), 1, "one line a call: {line:?}");
        let line: Value = serde_json::from_str(line[0]).expect("JSON");
        assert_eq!(line["operation"], operation);
        assert!(
            line["duration_ms"].is_u64() && line["reads"].is_u64() && line["status"].is_string()
        );
    }
    assert!(!lines.contains(CANARY), "{:?}", lines.lines().find(|line| line.contains(CANARY)));
    assert!(!lines.contains("@example.com"));
    for secret in secrets {
        assert!(!lines.contains(&secret));
    }
}
