use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use crate::app::{App, sample, specs};

/// Members by their paths; ids that name members count as one.
fn shape(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            let is_id = name.chars().any(|c| c.is_ascii_digit() || "_-{".contains(c));
            shape(member, &format!("{path}.{}", if is_id { "*" } else { name }), found);
        }),
        Value::Array(elements) => {
            elements.iter().for_each(|element| shape(element, &format!("{path}[]"), found));
        }
        _ => drop(found.insert(path.to_owned())),
    }
}

/// The OpenAPI document contains these replies. `RECORD_REPLIES` names the operation
/// whose reply is written instead, or `all`.
#[tokio::test]
async fn the_reply_to_each_sample_has_the_members_that_were_recorded() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../events/replies");
    let recorded = std::env::var_os("RECORD_REPLIES");
    let is_named = |name: &str| recorded.as_ref().is_none_or(|it| it == name || it == "all");
    for spec in specs().values().filter(|spec| is_named(spec.name)) {
        let (app, second) = App::sample_world().await;
        let body = app.sample_body(&spec.binary(), &second);
        let reply = app.caller().body_at(spec.paths[0], body).await;
        let reply = app.sample_reply(reply.text(), &second);
        let file = dir.join(format!("{}.json", spec.binary()));
        if recorded.is_some() {
            assert!(reply["error"].is_null(), "{} refuses its sample: {reply:#}", spec.name);
            fs::write(&file, format!("{reply:#}\n")).expect("a reply is written");
            continue;
        }
        let known = fs::read_to_string(&file).expect("a reply: run `cargo xtask record`");
        let known: Value = serde_json::from_str(&known).expect("JSON");
        let [mut now, mut then] = [BTreeSet::new(), BTreeSet::new()];
        shape(&reply, "", &mut now);
        shape(&known, "", &mut then);
        assert_eq!(now, then, "record it anew: `cargo xtask record {}`", spec.name);
    }
}

fn every_item_succeeded(reply: &Value) -> bool {
    match reply {
        Value::Object(members) => {
            members.get("success") != Some(&Value::Bool(false))
                && members.values().all(every_item_succeeded)
        }
        Value::Array(elements) => elements.iter().all(every_item_succeeded),
        _ => true,
    }
}

#[tokio::test]
async fn every_worker_accepts_its_sample_event() {
    for worker in registry::families().into_iter().flat_map(|family| family.workers) {
        let (app, second) = App::sample_world().await;
        let event = app.sample_event(&worker.binary(), &second);
        let answer = app.stack().run_worker(worker.name, event).await.expect("a worker");
        let failed = answer["batchItemFailures"].as_array().map_or(0, Vec::len);
        assert!(failed == 0 && answer["error"].is_null(), "{}: {answer}", worker.name);
    }
}

#[tokio::test]
async fn the_sample_of_each_operation_succeeds_at_each_of_its_paths() {
    for spec in specs().values() {
        for path in spec.paths {
            let (app, second) = App::settled_sample_world().await;
            let body = app.sample_body(&spec.binary(), &second);
            let reply = app.caller().body_at(path, body).await;
            assert!(every_item_succeeded(&reply.ok()), "{path}: {}", reply.text());
            let again = reply.header("x-request-id").expect("a request id");
            assert!(again.len() >= 8, "{again}");
            app.settle().await;
        }
    }
}

#[tokio::test]
async fn the_sample_of_each_operation_is_an_event_of_the_gateway() {
    for spec in specs().values() {
        let event: Value = serde_json::from_str(&sample(&spec.binary())).expect("JSON");
        assert_eq!(event["version"], "2.0", "{}", spec.name);
        assert_eq!(event["rawPath"], spec.paths[0], "{}", spec.name);
        assert_eq!(event["routeKey"], format!("POST {}", spec.paths[0]), "{}", spec.name);
        let headers: Vec<&String> = event["headers"].as_object().expect("headers").keys().collect();
        for header in spec.headers {
            assert!(headers.iter().any(|name| name.as_str() == *header), "{}: {header}", spec.name);
        }
    }
}
