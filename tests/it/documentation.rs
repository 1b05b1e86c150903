//! The documentation that the local server shows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use reqwest::Response;
use roundtable::Page;
use serde_json::Value;

use crate::app::{App, Options};

/// The pages of `docs/`.
fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["docs", "docs/contract", "docs/decisions"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
        entries
            .map(move |entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()))
    });
    let files = files.filter(|file| file.ends_with(".md"));
    let text = |file: &String| fs::read_to_string(root.join(file)).unwrap();
    files.map(|file| Page { text: text(&file).into(), file: file.into() }).collect()
}

async fn start() -> App {
    App::start_with(Options { documentation: pages(), ..Options::default() }).await
}

async fn get(app: &App, path: &str) -> Response {
    reqwest::get(format!("{}{path}", app.base)).await.unwrap()
}

/// The values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    let values = html.split(&begin).skip(1).filter_map(|rest| rest.split_once('"'));
    values.map(|(value, _)| value).collect()
}

#[tokio::test]
async fn every_link_leads_to_an_anchor_of_a_page() {
    let app = start().await;
    let mut shown = BTreeMap::new();
    let mut unread = vec!["/docs/decisions/".to_owned()];
    unread.extend(pages().iter().filter_map(|page| roundtable::address(&page.file)));
    let mut links = BTreeSet::new();
    while let Some(address) = unread.pop() {
        if shown.contains_key(&address) {
            continue;
        }
        let page = get(&app, &address).await;
        assert_eq!(page.status(), 200, "{address}");
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'self';"), "{policy}");
        let html = page.text().await.unwrap();
        assert!(!html.contains(" style=") && !html.contains("<script"), "{address}");
        let hrefs = values(&html, "href").into_iter();
        for link in hrefs.filter(|link| link.starts_with(['/', '#'])) {
            let (to, fragment) = link.split_once('#').unwrap_or((link, ""));
            let to = if to.is_empty() { &address } else { to };
            links.insert((address.clone(), to.to_owned(), fragment.to_owned()));
        }
        let ids: BTreeSet<String> = values(&html, "id").into_iter().map(str::to_owned).collect();
        shown.insert(address, ids);
    }
    assert!(links.len() > 100, "{}", links.len());
    for (from, to, fragment) in links {
        match shown.get(&to) {
            None => assert_eq!(get(&app, &to).await.status(), 200, "{from}: {to}"),
            Some(ids) if fragment.is_empty() || ids.contains(&fragment) => {}
            Some(_) => panic!("{from}: {to} has no anchor {fragment}"),
        }
    }
}

#[tokio::test]
async fn a_decision_is_served_at_its_number() {
    let app = start().await;
    let page = get(&app, "/docs/decisions/022").await.text().await.unwrap();
    assert!(page.contains("<title>22"), "{page}");
    let list = get(&app, "/docs/decisions").await.text().await.unwrap();
    assert!(list.contains("<a href=\"/docs/decisions/022\">"), "{list}");
}

#[tokio::test]
async fn an_unknown_page_is_refused_in_the_envelope() {
    let app = start().await;
    for path in ["/docs/contract/nothing", "/docs/decisions/999", "/docs/NOTHING"] {
        let refused = get(&app, path).await;
        assert_eq!(refused.status(), 404, "{path}");
        let reply: Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
        assert_eq!(reply["error"]["status"], "NOT_FOUND", "{path}");
    }
}
