//! Members that openapi.json calls required are required, at every path, and no others are.

use serde_json::{Value, json};

use crate::app::{App, specs};

/// Members that are required where another member says so, which a schema does not tell.
const CONDITIONAL: [&str; 1] = [
    // Of folders and documents; the id of an organization is its own.
    "permissions.resources.organizationId",
];

/// openapi.json.
fn document() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");
    let text = std::fs::read_to_string(file).expect("openapi.json");
    serde_json::from_str(&text).expect("JSON")
}

fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(target) => resolved(document, document.pointer(&target[1..]).expect("a part")),
        None => part,
    }
}

/// Members of `sent` by their path, each with whether `schema` requires it.
fn members(
    document: &Value,
    schema: &Value,
    sent: &Value,
    path: &[Value],
    found: &mut Vec<(Vec<Value>, bool)>,
) {
    let schema = resolved(document, schema);
    let below = |step: Value| [path, &[step]].concat();
    for (name, member) in sent.as_object().into_iter().flatten() {
        let known = &schema["properties"][name];
        if known.is_null() {
            continue;
        }
        let names = schema["required"].as_array().into_iter().flatten();
        let is_required = names.into_iter().any(|required| required == name);
        let path = below(json!(name));
        found.push((path.clone(), is_required));
        members(document, known, member, &path, found);
    }
    if let Some(first) = sent.get(0) {
        members(document, &schema["items"], first, &below(json!(0)), found);
    }
}

fn without(body: &Value, path: &[Value]) -> Value {
    let mut body = body.clone();
    let [owners @ .., name] = path else { return body };
    let owner = owners.iter().fold(&mut body, |at, step| match step.as_u64() {
        Some(place) => &mut at[place as usize],
        None => &mut at[step.as_str().expect("a name")],
    });
    owner.as_object_mut().expect("an object").remove(name.as_str().expect("a name"));
    body
}

#[tokio::test]
async fn exactly_the_members_that_openapi_requires_are_required() {
    let (document, mut wrong) = (document(), Vec::new());
    for spec in specs().values() {
        let (app, second) = App::sample_world().await;
        for path in spec.paths {
            let body = &document["paths"][*path]["post"]["requestBody"];
            let schema = &resolved(&document, body)["content"]["application/json"]["schema"];
            let schema = schema.get("anyOf").map_or(schema, |options| &options[0]);
            let sample = app.sample_body(&spec.binary(), &second);
            let sample: Value = serde_json::from_str(&sample).unwrap_or_else(|_| json!({}));
            let mut found = Vec::new();
            members(&document, schema, &sample, &[], &mut found);
            for (member, is_required) in found.into_iter().filter(|(path, _)| path.len() > 1) {
                let sent = without(&sample, &member).to_string();
                let reply = app.caller().body_at(path, sent).await;
                let issues = reply.json()["error"]["details"]["issues"].take();
                let mut issues = issues.as_array().into_iter().flatten();
                let is_missed = issues
                    .any(|issue| issue["code"] == "required" && issue["path"] == json!(member));
                let names: Vec<&str> = member[1..].iter().filter_map(Value::as_str).collect();
                let name = names.join(".");
                if is_missed != is_required && !CONDITIONAL.contains(&name.as_str()) {
                    wrong.push(format!("{path} {name}: {}", reply.text()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
