//! `/v2/workspace/domains/add`.

use serde_json::{Value, json};

use super::field;
use crate::app::App;

async fn add(app: &App, domains: Value) -> Value {
    app.call("workspace.domains_add", json!({ "domains": domains })).await.data()
}

#[tokio::test]
async fn a_domain_is_kept_without_scheme_www_port_and_path() {
    let app = App::start().await;
    let sent = json!(["https://www.Example.com:8443/x", "*.example.org", "app.example.net"]);
    let data = add(&app, sent).await;
    let added = json!(["example.com", "*.example.org", "app.example.net"]);
    assert_eq!(data, json!({ "domainsAdded": added, "skippedDomains": [] }));
    let listed = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"], added);
}

#[tokio::test]
async fn domains_already_in_the_list_are_skipped() {
    let app = App::start().await;
    add(&app, json!(["example.com"])).await;
    let data = add(&app, json!(["http://example.com", "example.org", "www.example.org"])).await;
    let expected = json!({ "domainsAdded": ["example.org"], "skippedDomains": ["example.com"] });
    assert_eq!(data, expected);
    let again = add(&app, json!(["example.com", "example.org"])).await;
    let expected = json!({ "domainsAdded": [], "skippedDomains": ["example.com", "example.org"] });
    assert_eq!(again, expected);
    let listed = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"], json!(["example.com", "example.org"]));
}

#[tokio::test]
async fn local_hosts_are_listed_as_localhost_and_127_0_0_1_and_skipped_when_added_again() {
    let app = App::start().await;
    let data = add(&app, json!(["http://localhost:3000", "127.0.0.1"])).await;
    assert_eq!(data["domainsAdded"], json!(["localhost", "127.0.0.1"]));
    let data = add(&app, json!(["localhost"])).await;
    assert_eq!(data, json!({ "domainsAdded": [], "skippedDomains": ["localhost"] }));
    let listed = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"], json!(["localhost", "127.0.0.1"]));
}

/// Contract `workspace.api_key_create`.
#[tokio::test]
async fn the_list_restricts_origins_of_web_pages_and_not_calls_without_an_origin() {
    let app = App::start().await;
    let status = async |origin: &str| {
        let caller = app.with_origin(origin);
        caller.call("workspace.domains_get", json!({})).await.status()
    };
    assert_eq!(status("https://anywhere.example").await, 200);
    // A list with only local hosts restricts no origin.
    add(&app, json!(["localhost"])).await;
    assert_eq!(status("https://anywhere.example").await, 200);
    add(&app, json!(["example.com", "*.example.org"])).await;
    for origin in [
        "https://example.com",
        "http://www.example.com:8080",
        "https://a.b.example.org",
        "http://localhost:3000",
        "http://127.0.0.1",
    ] {
        assert_eq!(status(origin).await, 200, "{origin}");
    }
    for origin in [
        "https://anywhere.example",
        "https://sub.example.com",
        "https://example.org",
        "https://example.com.evil.example",
        "null",
    ] {
        assert_eq!(status(origin).await, 403, "{origin}");
    }
    app.call("workspace.domains_get", json!({})).await.ok();
}

#[tokio::test]
async fn an_origin_that_is_not_ascii_is_refused() {
    let app = App::start().await;
    add(&app, json!(["example.com"])).await;
    let sent = reqwest::Client::new()
        .post(format!("{}/v2/workspace/domains/get", app.base))
        .header("x-service-api-key", &app.key.api_key)
        .header("x-service-auth-token", &app.key.auth_token)
        .header("origin", "https://exämple.com".as_bytes())
        .body(json!({ "data": {} }).to_string())
        .send();
    assert_eq!(sent.await.unwrap().status(), 403);
}

#[tokio::test]
async fn a_refusal_names_the_domain_and_nothing_is_added() {
    let app = App::start().await;
    let hosts = |n: usize| (0..n).map(|n| format!("h{n}.example.com")).collect::<Vec<_>>();
    for (domains, path) in [
        (json!(null), "domains"),
        (json!("example.com"), "domains"),
        (json!([]), "domains"),
        (json!(hosts(101)), "domains"),
        (json!(["example.com", ""]), "domains.1"),
        (json!(["example.com", "a b"]), "domains.1"),
        (json!(["example.com", "ex*mple.com"]), "domains.1"),
        (json!(["example.com", "*"]), "domains.1"),
        (json!(["example.com", 1]), "domains.1"),
    ] {
        let refused = app.call("workspace.domains_add", json!({ "domains": domains })).await;
        assert_eq!(field(&refused.error("INVALID_ARGUMENT")), format!("data.{path}"), "{domains}");
    }
    let listed = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"], json!([]));
    assert_eq!(add(&app, json!(hosts(100))).await["domainsAdded"], json!(hosts(100)));
}

#[tokio::test]
async fn a_key_has_at_most_200_domains_and_16384_characters_of_them() {
    let app = App::start().await;
    let names = |range: std::ops::Range<usize>| {
        json!(range.map(|n| format!("d{n}.example.com")).collect::<Vec<_>>())
    };
    let exhausted = async |domains: Value| {
        let refused = app.call("workspace.domains_add", json!({ "domains": domains })).await;
        refused.error("RESOURCE_EXHAUSTED");
    };
    add(&app, names(0..100)).await;
    add(&app, names(100..150)).await;
    exhausted(names(140..240)).await;
    add(&app, names(140..200)).await;
    exhausted(json!(["one.more.example.com"])).await;
    let again = add(&app, json!(["d7.example.com", "localhost"])).await;
    assert_eq!(again["domainsAdded"], json!(["localhost"]), "that is a switch");
    let listed = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(listed["allowedDomains"].as_array().unwrap().len(), 202);

    let app = App::start().await;
    let long = |n: usize| {
        let label = "x".repeat(59);
        format!("{n:04}.{label}.{label}.{label}.{}", "x".repeat(65 - 5))
    };
    let domains: Vec<String> = (0..66).map(long).collect();
    let total: usize = domains.iter().map(String::len).sum();
    assert!((16_000..=16_384).contains(&total), "{total}");
    add(&app, json!(domains)).await;
    let sent = json!({ "domains": [long(66)] });
    app.call("workspace.domains_add", sent).await.error("RESOURCE_EXHAUSTED");
    let sent = json!({ "ownerEmail": "ada@example.com", "type": "testing",
        "allowedDomains": (0..67).map(long).collect::<Vec<_>>() });
    app.call("workspace.api_key_create", sent).await.error("RESOURCE_EXHAUSTED");
}
