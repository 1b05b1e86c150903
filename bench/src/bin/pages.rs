//! Prints the cost of each page of a long list: `cargo run -p bench --bin pages -- 100000`.

use serde_json::{Value, json};
use tests::{App, cost::Cost};

const ORGANIZATION: &str = "acme";
/// Documents and users of the entries.
const SPREAD: usize = 100;
const PAGE: usize = 100;

#[tokio::main]
async fn main() {
    let count = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000_usize);
    let app = App::start().await;
    let organizations = json!({ "organizations": [{ "organizationId": ORGANIZATION }] });
    app.call("organizations.add", organizations).await.ok();
    let documents: Vec<Value> =
        (0..SPREAD).map(|n| json!({ "documentId": format!("d{n}") })).collect();
    let documents = json!({ "organizationId": ORGANIZATION, "documents": documents });
    app.call("documents.add", documents).await.ok();
    let config = json!({ "activityServiceConfig": { "isEnabled": true, "immutable": false } });
    app.call("configuration.activities_update", config).await.ok();

    add_comments(&app, count).await;
    add_activities(&app, count).await;
    add_notifications(&app, count).await;

    println!("{count} of each in one organization, pages of {PAGE}; request units of each page\n");
    println!(
        "{:<28} {:<16} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "operation", "filter", "entries", "pages", "first", "middle", "least", "most"
    );
    for (operation, user, ids) in [
        ("comments.annotations_get", "userIds", "annotationIds"),
        ("activities.get", "userId", "activityIds"),
        ("notifications.get", "userId", "notificationIds"),
    ] {
        let of_user = if user == "userIds" { json!(["u7"]) } else { json!("u7") };
        for filter in [
            json!({}),
            json!({ "documentId": "d7" }),
            json!({ user: of_user }),
            json!({ ids: ["n7", "n107"] }),
        ] {
            walk(&app, operation, filter).await;
        }
    }
}

/// Walks a list to its end.
async fn walk(app: &App, operation: &str, filter: Value) {
    let label = filter.as_object().and_then(|filter| filter.keys().next().cloned());
    let (mut units, mut entries, mut token) = (Vec::new(), 0, Value::Null);
    loop {
        let mut request = filter.clone();
        request["organizationId"] = ORGANIZATION.into();
        request["pageSize"] = PAGE.into();
        request["pageToken"] = token;
        app.forget_calls();
        let reply = app.call(operation, request).await.ok();
        units.push(Cost::of(&app.calls()).units);
        entries += reply["data"].as_array().map_or(0, Vec::len);
        token = [&reply["pageToken"], &reply["nextPageToken"]]
            .into_iter()
            .find(|token| token.is_string())
            .cloned()
            .unwrap_or_default();
        if token.is_null() {
            break;
        }
    }
    // The last page may be a part of one.
    let full = if units.len() > 1 { &units[..units.len() - 1] } else { &units[..] };
    let least = full.iter().copied().fold(f64::INFINITY, f64::min);
    let most = full.iter().copied().fold(0.0, f64::max);
    println!(
        "{operation:<28} {:<16} {entries:>7} {:>7} {:>7.1} {:>7.1} {least:>7.1} {most:>7.1}",
        label.unwrap_or_else(|| "none".to_owned()),
        units.len(),
        full[0],
        full[full.len() / 2],
    );
}

/// The entries of each document, up to `size` at a time.
fn batches(count: usize, size: usize) -> Vec<(String, Vec<usize>)> {
    let of_document = |d: usize| (d..count).step_by(SPREAD).collect::<Vec<usize>>();
    let documents = (0..SPREAD).map(|d| (format!("d{d}"), of_document(d)));
    documents
        .flat_map(|(document, all)| {
            let chunks: Vec<Vec<usize>> = all.chunks(size).map(<[usize]>::to_vec).collect();
            chunks.into_iter().map(move |chunk| (document.clone(), chunk))
        })
        .collect()
}

/// Adds missing entries; a busy machine may need several attempts.
async fn load(app: &App, operation: &str, request: Value) {
    for _ in 0..5 {
        if app.call(operation, request.clone()).await.status() == 200 {
            return;
        }
    }
    panic!("{operation} keeps failing");
}

fn user(n: usize) -> Value {
    json!({ "userId": format!("u{}", n / 7 % SPREAD), "name": "Somebody" })
}

async fn add_comments(app: &App, count: usize) {
    for (document, numbers) in batches(count, 100) {
        let comment = |n: &usize| {
            json!({
                "annotationId": format!("n{n}"),
                "commentData": [{ "commentText": "A remark of some length.", "from": user(*n) }],
            })
        };
        let all: Vec<Value> = numbers.iter().map(comment).collect();
        let request = json!({
            "organizationId": ORGANIZATION, "documentId": document, "commentAnnotations": all,
        });
        load(app, "comments.annotations_add", request).await;
    }
}

async fn add_activities(app: &App, count: usize) {
    for (document, numbers) in batches(count, 100) {
        let activity = |n: &usize| {
            json!({
                "id": format!("n{n}"), "featureType": "custom", "actionType": "did",
                "actionUser": user(*n), "targetEntityId": format!("t{n}"),
                "displayMessageTemplate": "{{actionUser}} did it",
            })
        };
        let all: Vec<Value> = numbers.iter().map(activity).collect();
        let request =
            json!({ "organizationId": ORGANIZATION, "documentId": document, "activities": all });
        load(app, "activities.add", request).await;
    }
}

async fn add_notifications(app: &App, count: usize) {
    for (document, numbers) in batches(count, 1) {
        let n = numbers[0];
        let request = json!({
            "organizationId": ORGANIZATION, "documentId": document,
            "notificationId": format!("n{n}"), "notifyAll": false, "notifyUsers": [user(n)],
            "actionUser": { "userId": "grace" }, "displayHeadlineMessageTemplate": "News",
            "displayBodyMessage": "There is something new.",
        });
        load(app, "notifications.add", request).await;
    }
}
