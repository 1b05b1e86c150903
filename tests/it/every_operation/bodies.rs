use serde_json::{Value, json};
use service::Body;

use crate::app::{App, specs};

/// Bodies that no operation accepts.
const REFUSED: [&str; 10] = [
    "{",
    "{\"data\":{}} x",
    "null",
    "[]",
    "\"x\"",
    "1",
    "{\"data\":[]}",
    "{\"data\":\"x\"}",
    "{\"data\":1}",
    "{\"data\":true}",
];

#[tokio::test]
async fn a_body_that_is_not_an_object_with_data_is_refused() {
    let app = App::start().await;
    for spec in specs().values() {
        for body in REFUSED {
            let reply = app.caller().body_at(spec.paths[0], body).await;
            let error = reply.error("INVALID_ARGUMENT");
            assert!(
                error["details"]["issues"][0]["path"].is_array(),
                "{} {body}: {error}",
                spec.name
            );
        }
        let latin1 = b"{\"data\":{\"organizationId\":\"\xe9\"}}".to_vec();
        app.caller().body_at(spec.paths[0], latin1).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn only_operations_without_required_parameters_take_a_missing_body() {
    let (app, _) = App::sample_world().await;
    for spec in specs().values() {
        for body in ["", " ", "{}", "{\"data\":null}", "{\"data\":{}}"] {
            let reply = app.caller().body_at(spec.paths[0], body).await;
            match spec.body {
                Body::Optional => drop(reply.ok()),
                Body::Required | Body::WrappedUnless(_) => drop(reply.error("INVALID_ARGUMENT")),
            }
        }
    }
}

/// For each member of a sample's `data`: the same body without it, and with values of wrong types.
#[tokio::test]
async fn a_member_of_a_wrong_type_is_named() {
    let (app, second) = App::sample_world().await;
    for spec in specs().values() {
        let body: Value =
            serde_json::from_str(&app.sample_body(&spec.binary(), &second)).unwrap_or_default();
        for member in body["data"].as_object().into_iter().flatten().map(|(name, _)| name) {
            // No member of any operation is a number beyond this, or a deeply nested array.
            for wrong in ["-1.5e300", "[[[]]]"] {
                let mut body = body.clone();
                body["data"][member] = serde_json::from_str(wrong).expect("JSON");
                let reply = app.caller().body_at(spec.paths[0], body.to_string()).await;
                let error = reply.error("INVALID_ARGUMENT");
                let path = &error["details"]["issues"][0]["path"];
                assert_eq!(path[0], "data", "{}", reply.text());
                assert_eq!(path[1], member.as_str(), "{}", reply.text());
                assert!(!reply.text().contains("e300"), "what was sent is not repeated");
            }
        }
    }
}

/// Parameters at the top level are decoded equally strictly.
#[tokio::test]
async fn a_member_of_a_wrong_type_is_named_without_data_too() {
    let (app, second) = App::sample_world().await;
    for spec in specs().values() {
        let Body::WrappedUnless(marker) = spec.body else { continue };
        let body: Value = serde_json::from_str(&app.sample_body(&spec.binary(), &second)).unwrap();
        let bare = body["data"].clone();
        assert!(bare.get(marker).is_some(), "{}", spec.name);
        app.caller().body_at(spec.paths[0], bare.to_string()).await.ok();
        for member in bare.as_object().unwrap().keys() {
            for wrong in ["-1.5e300", "[[[]]]"] {
                let mut bare = bare.clone();
                bare[member] = serde_json::from_str(wrong).expect("JSON");
                let reply = app.caller().body_at(spec.paths[0], bare.to_string()).await;
                let error = reply.error("INVALID_ARGUMENT");
                let path = &error["details"]["issues"][0]["path"];
                assert_eq!(path[0], member.as_str(), "{}", reply.text());
                assert!(!reply.text().contains("e300"), "what was sent is not repeated");
            }
        }
    }
}

#[tokio::test]
async fn a_byte_order_mark_and_half_of_an_emoji_are_read() {
    let app = App::start().await;
    let path = "/v2/organizations/add";
    let body =
        r#"{"data":{"organizations":[{"organizationId":"o","organizationName":"Well \ud83d"}]}}"#;
    app.caller().body_at(path, format!("\u{feff}{body}")).await.ok();
    let found = app.call("organizations.get", json!({})).await.data();
    assert_eq!(found[0]["organizationName"], "Well \u{fffd}");
}

#[tokio::test]
async fn a_body_with_a_content_encoding_is_refused_by_the_name_of_the_header() {
    let app = App::start().await;
    let path = "/v2/organizations/get";
    for encoding in ["gzip", "br", "deflate, gzip"] {
        let caller = app.caller().header("content-encoding", encoding);
        let error = caller.body_at(path, vec![0x1f, 0x8b, 8, 0]).await.error("INVALID_ARGUMENT");
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains("content-encoding"), "{message}");
    }
    app.caller().header("content-encoding", "identity").body_at(path, "{}").await.ok();
}

/// The worst bodies that pass the gateway: each is refused by its limit, quickly.
#[tokio::test]
async fn a_body_that_would_cost_too_much_is_refused_before_it_is_parsed() {
    let app = App::start().await;
    let size = 5_500_000;
    let bombs = [
        format!("{{\"data\":{{\"x\":\"{}\"}}}}", "x".repeat(size)),
        format!("{{\"data\":{{\"x\":[{}0]}}}}", "0,".repeat(size / 2 - 20)),
        format!("{{\"data\":{{\"x\":[{}[]]}}}}", "[],".repeat(size / 3 - 20)),
        format!("{{\"data\":{{\"x\":[{}{{\"\":0}}]}}}}", "{\"\":0},".repeat(size / 7 - 20)),
        format!("{{\"data\":{{\"x\":{}{}}}}}", "[".repeat(200_000), "]".repeat(200_000)),
        "[".repeat(size - 10),
        " ".repeat(size + 1),
    ];
    for spec in specs().values() {
        for bomb in &bombs[3..4] {
            app.caller().body_at(spec.paths[0], bomb.clone()).await.error("INVALID_ARGUMENT");
        }
    }
    let path = specs().values().find(|spec| spec.level == "apiKey").expect("an operation").paths[0];
    for bomb in bombs {
        app.caller().body_at(path, bomb).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn an_unknown_path_or_method_is_answered_in_our_envelope() {
    let app = App::start().await;
    for path in [
        "/",
        "/v2",
        "/v2/nope",
        "/v1/organizations/folders/delete",
        "/v2/organizations/folders/get/",
    ] {
        let reply = app.send(path, "{}", &[]).await;
        reply.error("NOT_FOUND");
        assert!(reply.header("x-request-id").is_some());
    }
    let client = reqwest::Client::new();
    for spec in specs().values() {
        let url = format!("{}{}", app.base, spec.paths[0]);
        for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
            let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
            let answer = client.request(method, &url).send().await.expect("an answer");
            assert_eq!(answer.status().as_u16(), 404, "{url}");
            assert!(answer.text().await.expect("a body").contains("NOT_FOUND"));
        }
    }
}
