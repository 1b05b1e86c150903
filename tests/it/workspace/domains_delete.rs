//! `/v2/workspace/domains/delete`.

use serde_json::{Value, json};

use super::field;
use crate::app::App;

async fn with_domains(domains: &[&str]) -> App {
    let app = App::start().await;
    app.call("workspace.domains_add", json!({ "domains": domains })).await.ok();
    app
}

async fn delete(app: &App, domains: Value) -> Value {
    app.call("workspace.domains_delete", json!({ "domains": domains })).await.data()
}

async fn listed(app: &App) -> Value {
    app.call("workspace.domains_get", json!({})).await.data()["allowedDomains"].take()
}

#[tokio::test]
async fn a_domain_is_found_however_it_is_written() {
    let app = with_domains(&["example.com", "*.example.org", "example.net"]).await;
    let sent = json!(["https://www.example.com/x", "http://*.example.org", "example.com"]);
    let expected =
        json!({ "domainsRemoved": ["example.com", "*.example.org"], "skippedDomains": [] });
    assert_eq!(delete(&app, sent).await, expected);
    assert_eq!(listed(&app).await, json!(["example.net"]));
}

#[tokio::test]
async fn domains_that_are_not_in_the_list_are_skipped() {
    let app = with_domains(&["example.com"]).await;
    let expected = json!({ "domainsRemoved": ["example.com"], "skippedDomains": ["none.example"] });
    assert_eq!(delete(&app, json!(["none.example", "example.com"])).await, expected);
    let again = json!({ "domainsRemoved": [], "skippedDomains": ["example.com"] });
    assert_eq!(delete(&app, json!(["example.com"])).await, again);
}

#[tokio::test]
async fn removing_local_hosts_removes_localhost_and_127_0_0_1() {
    let app = with_domains(&["localhost", "example.com"]).await;
    let data = delete(&app, json!(["127.0.0.1", "localhost"])).await;
    let expected = json!({ "domainsRemoved": ["127.0.0.1", "localhost"], "skippedDomains": [] });
    assert_eq!(data, expected);
    assert_eq!(listed(&app).await, json!(["example.com"]));
    let again = delete(&app, json!(["localhost"])).await;
    assert_eq!(again["skippedDomains"], json!(["localhost"]));
}

#[tokio::test]
async fn a_page_that_is_no_longer_allowed_is_refused() {
    let app = with_domains(&["example.com", "example.org"]).await;
    let page = || app.with_origin("https://example.com");
    page().call("workspace.domains_get", json!({})).await.ok();
    delete(&app, json!(["example.com"])).await;
    page().call("workspace.domains_get", json!({})).await.error("PERMISSION_DENIED");
    // Without a list there is no restriction.
    delete(&app, json!(["example.org"])).await;
    page().call("workspace.domains_get", json!({})).await.ok();
}

#[tokio::test]
async fn a_refusal_names_the_domain_and_nothing_is_removed() {
    let app = with_domains(&["example.com"]).await;
    let hosts = |n: usize| (0..n).map(|n| format!("h{n}.example.com")).collect::<Vec<_>>();
    for (domains, path) in [
        (json!(null), "domains"),
        (json!([]), "domains"),
        (json!(hosts(101)), "domains"),
        (json!(["example.com", "a b"]), "domains.1"),
    ] {
        let refused = app.call("workspace.domains_delete", json!({ "domains": domains })).await;
        assert_eq!(field(&refused.error("INVALID_ARGUMENT")), format!("data.{path}"), "{domains}");
    }
    assert_eq!(listed(&app).await, json!(["example.com"]));
    let skipped = delete(&app, json!(hosts(100))).await;
    assert_eq!(skipped["skippedDomains"], json!(hosts(100)));
}
