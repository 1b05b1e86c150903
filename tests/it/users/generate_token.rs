use std::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::with;
use crate::app::App;

const V1: &str = "/v1/auth/token/get";

fn request(resources: Value) -> Value {
    json!({
        "userId": "u",
        "userProperties": { "name": "Ada", "email": "ada@example.com" },
        "permissions": { "resources": resources },
    })
}

/// Header and claims of a token.
fn decoded(token: &Value) -> (Value, Value) {
    let mut parts = token.as_str().unwrap().split('.').map(|part| {
        let bytes = URL_SAFE_NO_PAD.decode(part).unwrap();
        serde_json::from_slice(&bytes).unwrap_or_default()
    });
    (parts.next().unwrap(), parts.next().unwrap())
}

async fn claims(app: &App, sent: Value) -> Value {
    let data = app.call("users.generate_token", sent).await.data();
    let (header, claims) = decoded(&data["token"]);
    assert_eq!(header["alg"], "HS256");
    claims
}

#[tokio::test]
async fn a_token_says_who_it_is_for_and_ends_after_48_hours() {
    let app = App::start().await;
    let end = app.now() / 1000 + 60;
    let resources = json!([
        { "type": "organization", "id": "o" },
        { "type": "folder", "id": "f", "organizationId": "o", "accessRole": "viewer" },
        { "type": "document", "id": "d", "organizationId": "o", "expiresAt": end },
    ]);
    let sent = with(
        request(resources),
        json!({ "userProperties": {
        "name": "Ada", "email": "ada@example.com", "isAdmin": true, "custom": [1], "organizationId": "x"
    } }),
    );
    let claims = claims(&app, sent).await;
    let expected = json!({
        "sub": "u", "name": "Ada", "email": "ada@example.com", "isAdmin": true,
        "apiKey": app.key.api_key,
        "permissions": { "resources": [
            { "type": "organization", "id": "o", "organizationId": "o", "accessRole": "editor" },
            { "type": "folder", "id": "f", "organizationId": "o", "accessRole": "viewer" },
            { "type": "document", "id": "d", "organizationId": "o", "accessRole": "editor",
              "expiresAt": end },
        ] },
        "iat": claims["iat"], "issuedAt": claims["issuedAt"], "exp": claims["exp"],
        "knownReset": 0,
    });
    assert_eq!(claims, expected);
    assert_eq!(claims["issuedAt"].as_u64().map(|at| at / 1000), claims["iat"].as_u64());
    let (iat, exp) = (claims["iat"].as_u64().unwrap(), claims["exp"].as_u64().unwrap());
    assert_eq!(exp - iat, 48 * 60 * 60);
    assert!(iat.abs_diff(app.now() / 1000) <= 60, "{iat}");
}

#[tokio::test]
async fn a_token_lives_as_long_as_is_asked_for() {
    let app = App::start().await;
    for (sent, lifetime) in
        [(json!(60), 60), (json!(3600), 3600), (json!(172_800), 172_800), (json!(null), 172_800)]
    {
        let sent = with(request(json!([])), json!({ "expiresIn": sent }));
        let data = app.call("users.generate_token", sent).await.data();
        assert_eq!(data["expiresIn"], lifetime);
        let (_, claims) = decoded(&data["token"]);
        let (iat, exp) = (claims["iat"].as_u64().unwrap(), claims["exp"].as_u64().unwrap());
        assert_eq!(exp - iat, lifetime);
    }
    for wrong in [json!(59), json!(0), json!(172_801), json!(60.5), json!("60"), json!(-60)] {
        let sent = with(request(json!([])), json!({ "expiresIn": wrong }));
        let error = app.call("users.generate_token", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "expiresIn"]), "{wrong}");
    }
    let sent = json!({
        "apiKey": app.key.api_key, "authToken": app.key.auth_token, "userId": "u", "expiresIn": 90,
        "userProperties": { "organizationId": "o" },
    });
    assert_eq!(app.call_at(V1, sent).await.data()["expiresIn"], 90);
}

#[tokio::test]
async fn a_token_of_60_seconds_is_refused_after_its_end() {
    let app = App::start().await;
    let document = json!({ "organizationId": "o", "documentId": "d" });
    let made = json!({ "organizationId": "o", "createOrganization": true,
        "documents": [{ "documentId": "d" }] });
    app.call("documents.add", made).await.ok();
    let sent = with(request(json!([])), json!({ "expiresIn": 60 }));
    let token = app.call("users.generate_token", sent).await.data()["token"].take();
    let read = async || {
        let caller = app.caller().end_user(token.as_str().unwrap());
        caller.call("presence.get", document.clone()).await
    };
    app.advance(Duration::from_secs(58));
    read().await.ok();
    app.advance(Duration::from_secs(3));
    read().await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_token_of_an_end_user_admits_to_nothing_else() {
    let app = App::start().await;
    let data = app.call("users.generate_token", request(json!([]))).await.data();
    let headers = [
        ("x-service-api-key", app.key.api_key.as_str()),
        ("x-service-auth-token", data["token"].as_str().unwrap()),
    ];
    let body = json!({ "data": { "organizationId": "o" } }).to_string();
    app.send("/v2/users/get", body, &headers).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_missing_or_malformed_member_is_refused_with_its_path() {
    let app = App::start().await;
    let document = json!({ "type": "document", "id": "d", "organizationId": "o" });
    let now = app.now() / 1000;
    let path = |tail: Value| {
        let mut path = vec![json!("data"), json!("permissions"), json!("resources"), json!(1)];
        path.extend(tail.as_array().unwrap().clone());
        json!(path)
    };
    let resource = |more: Value| request(json!([document, with(document.clone(), more)]));
    let properties = |of: Value| with(request(json!([])), json!({ "userProperties": of }));
    for (sent, path) in [
        (with(request(json!([])), json!({ "userId": null })), json!(["data", "userId"])),
        (with(request(json!([])), json!({ "permissions": null })), json!(["data", "permissions"])),
        (properties(json!({ "email": "a@b.co" })), json!(["data", "userProperties", "name"])),
        (
            properties(json!({ "name": " ", "email": "a@b.co" })),
            json!(["data", "userProperties", "name"]),
        ),
        (properties(json!({ "name": "Ada" })), json!(["data", "userProperties", "email"])),
        (
            properties(json!({ "name": "Ada", "email": "ada" })),
            json!(["data", "userProperties", "email"]),
        ),
        (resource(json!({ "type": "location" })), path(json!(["type"]))),
        (resource(json!({ "id": "" })), path(json!(["id"]))),
        (resource(json!({ "id": " " })), path(json!(["id"]))),
        (resource(json!({ "organizationId": null })), path(json!(["organizationId"]))),
        (resource(json!({ "accessRole": "owner" })), path(json!(["accessRole"]))),
        (resource(json!({ "expiresAt": 0 })), path(json!(["expiresAt"]))),
        (resource(json!({ "expiresAt": -5 })), path(json!(["expiresAt"]))),
        (resource(json!({ "expiresAt": now - 1 })), path(json!(["expiresAt"]))),
        (resource(json!({ "expiresAt": app.now() })), path(json!(["expiresAt"]))),
    ] {
        let error = app.call("users.generate_token", sent.clone()).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path, "{sent}");
    }
}

#[tokio::test]
async fn a_token_names_at_most_100_resources_and_fits_into_a_header() {
    let app = App::start().await;
    let resources =
        |n: usize, id: &str| request(json!(vec![json!({ "type": "organization", "id": id }); n]));
    claims(&app, resources(50, "o")).await;
    app.call("users.generate_token", resources(101, "o")).await.error("INVALID_ARGUMENT");
    let long = "x".repeat(256);
    app.call("users.generate_token", resources(100, &long)).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn no_token_is_issued_for_a_disabled_document_or_organization() {
    let app = App::start().await;
    let documents = json!({ "organizationId": "o", "createOrganization": true, "documents": [
        { "documentId": "d" }, { "documentId": "e" },
    ] });
    app.call("documents.add", documents).await.ok();
    let document =
        |id: &str| request(json!([{ "type": "document", "id": id, "organizationId": "o" }]));
    let of_document = json!({ "organizationId": "o", "documentIds": ["d"], "disabled": true });
    app.call("documents.disable", of_document).await.ok();
    let denied = app.call("users.generate_token", document("d")).await;
    let message = denied.error("PERMISSION_DENIED")["message"].clone();
    assert!(message.as_str().unwrap().contains("document d"), "{message}");
    claims(&app, document("e")).await;

    let organization = json!({ "organizationIds": ["o"], "disabled": true });
    app.call("organizations.disable", organization).await.ok();
    for resource in [
        json!({ "type": "organization", "id": "o" }),
        json!({ "type": "folder", "id": "f", "organizationId": "o" }),
        json!({ "type": "document", "id": "e", "organizationId": "o" }),
    ] {
        let sent = request(json!([{ "type": "organization", "id": "other" }, resource]));
        let denied = app.call("users.generate_token", sent).await.error("PERMISSION_DENIED");
        assert!(denied["message"].as_str().unwrap().contains("organization o"), "{denied}");
    }
    let v1 = json!({ "userId": "u", "userProperties": { "organizationId": "o" } });
    app.call_at(V1, v1).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn v1_takes_its_credentials_from_the_body() {
    let app = App::start().await;
    let sent = json!({
        "apiKey": app.key.api_key, "authToken": app.key.auth_token, "userId": "u",
        "userProperties": { "organizationId": "o", "isAdmin": true, "email": "ada@example.com" },
    });
    let body = |sent: &Value| json!({ "data": sent }).to_string();
    let data = app.send(V1, body(&sent), &[]).await.data();
    let (_, claims) = decoded(&data["token"]);
    assert_eq!((&claims["sub"], &claims["isAdmin"]), (&json!("u"), &json!(true)));
    let resource = &claims["permissions"]["resources"][0];
    assert_eq!((&resource["type"], &resource["id"]), (&json!("organization"), &json!("o")));

    for wrong in [
        json!({ "apiKey": "nobody" }),
        json!({ "authToken": "wrong" }),
        json!({ "apiKey": null }),
        json!({ "authToken": null }),
        json!({ "apiKey": 1 }),
        json!({ "authToken": "line\nbreak" }),
    ] {
        let reply = app.send(V1, body(&with(sent.clone(), wrong)), &[]).await;
        reply.error("PERMISSION_DENIED");
    }
    // The newer path takes them from headers only.
    app.send("/v2/auth/generate_token", body(&sent), &[]).await.error("PERMISSION_DENIED");
    let headers = [
        ("x-service-api-key", app.key.api_key.as_str()),
        ("x-service-auth-token", app.key.auth_token.as_str()),
    ];
    let other = with(sent.clone(), json!({ "apiKey": "nobody", "authToken": "wrong" }));
    app.send(V1, body(&other), &headers).await.data();
}

#[tokio::test]
async fn the_v1_path_requires_an_organization() {
    let app = App::start().await;
    let sent = json!({ "userId": "u", "userProperties": { "email": "ada@example.com" } });
    let error = app.call_at(V1, sent).await.error("INVALID_ARGUMENT");
    let path = json!(["data", "userProperties", "organizationId"]);
    assert_eq!(error["details"]["issues"][0]["path"], path);
}
