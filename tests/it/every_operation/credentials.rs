use std::collections::BTreeSet;

use serde_json::json;

use crate::app::{App, specs};

/// Bodies that would each be refused for another reason, if read.
const BODIES: [&str; 3] = ["{\"data\":{}}", "not json", ""];

#[tokio::test]
async fn wrong_credentials_always_get_the_same_permission_denied() {
    let app = App::start().await;
    let (foreign_workspace, foreign_key) = app.new_workspace().await;
    let second = app.second_key().await;
    let (key, workspace) = (app.key.clone(), app.workspace.clone());
    let flipped = |text: &str| {
        format!("{}{}", &text[..text.len() - 1], if text.ends_with('A') { 'B' } else { 'A' })
    };
    let huge = "x".repeat(9000);
    let api_key = [
        vec![],
        vec![("x-service-api-key", key.api_key.as_str())],
        vec![("x-service-auth-token", key.auth_token.as_str())],
        vec![("x-service-api-key", key.api_key.as_str()), ("x-service-auth-token", "wrong")],
        vec![("x-service-api-key", key.api_key.as_str()), ("x-service-auth-token", "")],
        vec![("x-service-api-key", key.api_key.as_str()), ("x-service-auth-token", huge.as_str())],
        vec![("x-service-api-key", "nobody"), ("x-service-auth-token", key.auth_token.as_str())],
        vec![
            ("x-service-api-key", foreign_key.api_key.as_str()),
            ("x-service-auth-token", key.auth_token.as_str()),
        ],
        vec![
            ("x-service-api-key", key.api_key.as_str()),
            ("x-service-auth-token", second.auth_token.as_str()),
        ],
        vec![
            ("x-service-workspace-id", workspace.id.as_str()),
            ("x-service-workspace-auth-token", workspace.token.as_str()),
        ],
    ];
    let altered = flipped(&key.auth_token);
    let altered = vec![
        ("x-service-api-key", key.api_key.as_str()),
        ("x-service-auth-token", altered.as_str()),
    ];
    let workspaces = [
        vec![],
        vec![("x-service-workspace-id", workspace.id.as_str())],
        vec![("x-service-workspace-auth-token", workspace.token.as_str())],
        vec![
            ("x-service-workspace-id", workspace.id.as_str()),
            ("x-service-workspace-auth-token", "wrong"),
        ],
        vec![
            ("x-service-workspace-id", workspace.id.as_str()),
            ("x-service-workspace-auth-token", foreign_workspace.token.as_str()),
        ],
        vec![
            ("x-service-workspace-id", foreign_workspace.id.as_str()),
            ("x-service-workspace-auth-token", workspace.token.as_str()),
        ],
        vec![
            ("x-service-api-key", key.api_key.as_str()),
            ("x-service-auth-token", key.auth_token.as_str()),
        ],
    ];
    let admin =
        [vec![], vec![("x-service-admin-token", "")], vec![("x-service-admin-token", "wrong")]];
    for spec in specs().values() {
        let cases: Vec<_> = match spec.level {
            "apiKey" => api_key.iter().chain([&altered]).collect(),
            "workspace" | "workspaceOrAdmin" => workspaces.iter().collect(),
            "admin" => admin.iter().collect(),
            level => panic!("{} has the unknown level {level}", spec.name),
        };
        let mut answers = BTreeSet::new();
        for path in spec.paths {
            for headers in &cases {
                for body in BODIES {
                    let reply = app.send(path, body, headers).await;
                    reply.error("PERMISSION_DENIED");
                    answers.insert(reply.text().to_owned());
                }
            }
        }
        assert_eq!(answers.len(), 1, "{}: {answers:?}", spec.name);
    }
}

#[tokio::test]
async fn an_end_user_is_told_that_an_operation_is_not_for_end_users() {
    let app = App::start().await;
    let sent = json!({
        "userId": "ada", "userProperties": { "name": "Ada", "email": "ada@example.com" },
        "permissions": { "resources": [] },
    });
    let token = app.call("users.generate_token", sent).await.data()["token"].clone();
    for bearer in [token.as_str().unwrap(), "wrong"] {
        let bearer = format!("Bearer {bearer}");
        app.forget_calls();
        for (path, header) in [
            ("/v2/organizations/get", "x-service-auth-token"),
            ("/v2/workspace/get", "x-service-workspace-auth-token"),
            ("/v2/workspace/create", "x-service-admin-token"),
        ] {
            let headers = [("authorization", bearer.as_str())];
            let error = app.send(path, BODIES[0], &headers).await.error("PERMISSION_DENIED");
            let message = error["message"].as_str().unwrap();
            assert!(message.starts_with("End users may not call"), "{message}");
            assert!(message.contains(header), "{message}");
        }
        assert_eq!(app.calls(), [], "nothing is read");
        // Beside credentials of the tenant, it is one more header.
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-service-api-key", app.key.api_key.as_str()),
            ("x-service-auth-token", app.key.auth_token.as_str()),
        ];
        app.send("/v2/organizations/get", BODIES[0], &headers).await.ok();
    }
}

#[tokio::test]
async fn a_wrong_auth_token_costs_no_read() {
    let app = App::start().await;
    for spec in specs().values().filter(|spec| spec.level == "apiKey") {
        app.forget_calls();
        let headers =
            [("x-service-api-key", app.key.api_key.as_str()), ("x-service-auth-token", "guess")];
        app.send(spec.paths[0], "{}", &headers).await.error("PERMISSION_DENIED");
        assert_eq!(app.calls(), [], "{}", spec.name);
    }
}

/// A well-formed workspace token is compared with the stored one; a malformed one is not.
#[tokio::test]
async fn a_wrong_workspace_token_costs_at_most_one_read() {
    let app = App::start().await;
    let (id, token) = ("x-service-workspace-id", "x-service-workspace-auth-token");
    let own = app.workspace.id.as_str();
    let huge = "x".repeat(9000);
    let guesses = [
        (vec![], 0),
        (vec![(id, own)], 0),
        (vec![(token, "guess")], 0),
        (vec![(id, huge.as_str()), (token, "guess")], 0),
        (vec![(id, "nowhere"), (token, "guess")], 1),
        (vec![(id, own), (token, "guess")], 1),
        (vec![(id, own), ("x-service-admin-token", "guess")], 0),
    ];
    for spec in specs().values().filter(|spec| spec.level.starts_with("workspace")) {
        for (headers, reads) in &guesses {
            app.forget_calls();
            app.send(spec.paths[0], "{}", headers).await.error("PERMISSION_DENIED");
            let calls = app.calls();
            assert!(calls.len() == *reads, "{} {headers:?}: {calls:?}", spec.name);
            assert!(calls.iter().all(|call| call.operation == "GetItem"), "{calls:?}");
        }
    }
}
