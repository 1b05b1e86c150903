use serde_json::Value;

use crate::app::{App, sample, specs};

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
async fn the_sample_of_each_operation_succeeds_at_each_of_its_paths() {
    for spec in specs().values() {
        for path in spec.paths {
            let (app, second) = App::sample_world().await;
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
