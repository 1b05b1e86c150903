//! Lists in requests that are sent and empty. They are found in `openapi.json`, so a new operation
//! is judged without being named here.

use serde_json::{Value, json};
use service::{Effect, Spec};

use super::effects::schemas;
use crate::app::{App, cost::Cost, specs};

/// Lists that are values to store, and may be empty.
const VALUES: [(&str, &str); 2] = [
    ("workspace.api_key_create", "allowedDomains"),
    ("comments.annotations_update", "updateUsers"),
];

/// Lists of which one is required: the first, unless another is sent.
const ONE_OF: [(&str, [&str; 2]); 1] =
    [("permissions.get", ["userIds", "organizationUserGroupIds"])];

/// The lists in the `data` of an operation, and its members without which it is refused.
fn lists(spec: &Spec) -> (Vec<String>, Vec<String>) {
    let [_, data] = schemas(spec);
    let is_list = |schema: &Value| {
        let is = |kind: &Value| kind == "array";
        is(&schema["type"]) || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(is))
    };
    let members = data["properties"].as_object().into_iter().flatten();
    let members = members.filter(|(_, schema)| is_list(schema)).map(|(name, _)| name.clone());
    let required = data["required"].as_array().into_iter().flatten();
    let required = required.filter_map(|name| Some(name.as_str()?.to_owned()));
    let one_of = ONE_OF.iter().filter(|(name, _)| *name == spec.name);
    let one_of = one_of.map(|(_, lists)| lists[0].to_owned());
    (members.collect(), required.chain(one_of).collect())
}

/// Whether a reply lists and counts nothing.
fn is_nothing(data: &Value) -> bool {
    match data {
        Value::Array(items) => items.is_empty(),
        // Rights in the organization are asked for with the users.
        Value::Object(members) => {
            members.iter().all(|(name, value)| name == "organization" || is_nothing(value))
        }
        Value::Number(count) => count.as_u64() == Some(0),
        _ => data.is_null(),
    }
}

#[tokio::test]
async fn a_filter_that_is_sent_and_empty_selects_nothing_and_deletes_nothing() {
    let (app, second) = App::settled_sample_world().await;
    let (mut reads, mut writes) = (0, 0);
    for spec in specs().values() {
        let (lists, required) = lists(spec);
        for list in lists {
            let what = format!("{}: {list}", spec.name);
            let sample = app.sample_body(&spec.binary(), &second);
            let mut body: Value = serde_json::from_str(&sample).unwrap_or_else(|_| json!({}));
            let data = body["data"].as_object().cloned().unwrap_or_default();
            let mut data: serde_json::Map<_, _> =
                data.into_iter().filter(|(name, _)| required.contains(name)).collect();
            let caller = app.caller();
            body["data"] = json!(data);
            // A deletion without a filter deletes everything.
            let without = match spec.effect {
                Effect::Reads => Some(caller.body_at(spec.paths[0], body.to_string()).await),
                Effect::Writes | Effect::Deletes => None,
            };
            data.insert(list.clone(), json!([]));
            body["data"] = json!(data);
            app.forget_calls();
            let empty = caller.body_at(spec.paths[0], body.to_string()).await;
            let is_value = VALUES.contains(&(spec.name, list.as_str()));
            if spec.effect != Effect::Reads && !is_value {
                let error = empty.error("INVALID_ARGUMENT");
                let path = &error["details"]["issues"][0]["path"];
                assert_eq!(path, &json!(["data", list]), "{what}: {error}");
                assert_eq!(Cost::of(&app.calls()).writes, 0, "{what}");
                writes += 1;
            } else if required.contains(&list)
                || ONE_OF.iter().any(|(name, lists)| *name == spec.name && lists.contains(&&*list))
            {
                empty.error("INVALID_ARGUMENT");
            } else if spec.effect == Effect::Reads {
                assert!(is_nothing(&empty.data()), "{what}");
                if !["permissions.get", "notifications.config_get"].contains(&spec.name) {
                    let all = without.expect("a list").data();
                    assert!(!is_nothing(&all), "{what}: the filter has nothing to drop");
                }
                reads += 1;
            }
        }
    }
    assert!(reads >= 20 && writes >= 30, "{reads} {writes}");
}
