//! The reference that the local server shows.

use serde_json::Value;

use crate::app::App;

async fn get(app: &App, path: &str, host: &str) -> reqwest::Response {
    let request = reqwest::Client::new().get(format!("{}{path}", app.base));
    request.header("host", host).send().await.unwrap()
}

#[tokio::test]
async fn the_reference_page_loads_scripts_and_styles_from_its_own_address_only() {
    let app = App::start().await;
    let page = get(&app, "/docs/", "localhost").await;
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"), "{policy}");
    let page = page.text().await.unwrap();
    let named = page.split(['"']).filter(|part| part.ends_with(".js") || part.ends_with(".css"));
    let named: Vec<&str> = named.collect();
    assert_eq!(named, ["docs.css", "scalar.js", "docs.js"]);
    for name in named {
        let asset = get(&app, &format!("/docs/{name}"), "localhost").await;
        assert_eq!(asset.status(), 200, "{name}");
    }
    let document = get(&app, "/openapi.json", "localhost").await.text().await.unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
}

#[tokio::test]
async fn errors_link_to_their_operation() {
    let app = App::start().await;
    let call = |path: &str| reqwest::Client::new().post(format!("{}{path}", app.base)).send();
    let refused = call("/v2/users/get").await.unwrap();
    assert_eq!(refused.headers()["link"], "</docs/#/v2/users/get>; rel=\"help\"");
    assert!(refused.headers().contains_key("x-request-id"));
    assert!(!call("/v2/users/gets").await.unwrap().headers().contains_key("link"));
}
