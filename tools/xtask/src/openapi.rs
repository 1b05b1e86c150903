//! openapi.json: a loop over the operations. What it says of each comes from the types that serve
//! it, from the page at the head of its file, and from its sample.

mod about;
mod common;
mod tags;
mod webhooks;

use std::collections::BTreeSet;

use about::About;
use serde_json::{Map, Value, json};
use service::{Body, Effect, Spec};

use crate::{
    json,
    project::{Project, pascal},
    schema::Schemas,
};

/// The order of the file's first members; the others follow by name.
const ORDER: &[&str] = &["openapi", "info", "servers", "tags", "paths", "webhooks"];

/// openapi.json as it should be.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    document(project).map(|document| json::text(&document, ORDER))
}

fn document(project: &Project) -> Result<Value, String> {
    let mut schemas = Schemas::new();
    let (mut paths, mut named) = (Map::new(), Map::new());
    let (mut bodies, mut ids) = (Map::new(), BTreeSet::new());
    let mut replies = Map::from_iter([("Error".to_owned(), common::failure(&mut schemas))]);
    for (tag, spec) in tags::operations(project)? {
        let (name, about) = (pascal(spec.name), About::of(project, spec)?);
        let (request, reply) = (schemas.request(spec)?, schemas.reply(spec)?);
        let pages = common::pages(&request, &reply);
        named.insert(format!("{name}Request"), body(spec, request));
        named.insert(format!("{name}Response"), success(reply));
        bodies.insert(name.clone(), request_body(spec, example(project, spec)?));
        replies.insert(name, response(project, spec)?);
        for path in spec.paths {
            let mut operation = operation(spec, path);
            operation["tags"] = json!([tag]);
            operation["description"] = match *path == spec.paths[0] {
                true => about.text(pages).into(),
                false => common::twin(spec, path).into(),
            };
            let id = operation["operationId"].to_string();
            if !ids.insert(id.clone()) {
                return Err(format!("{path}: would have the operationId {id}, too"));
            }
            paths.insert((*path).to_owned(), json!({ "post": operation }));
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": common::info(),
        "servers": [{ "url": "/", "description": "The deployment that serves this document." }],
        "tags": tags::list(),
        "paths": paths,
        "webhooks": webhooks::list(&mut schemas),
        "components": {
            "schemas": named,
            "requestBodies": bodies,
            "responses": replies,
            "headers": common::headers(),
            "parameters": common::parameters(),
            "securitySchemes": common::credentials(project),
        },
    });
    for (name, schema) in schemas.components(&mut document)? {
        let named = &mut document["components"]["schemas"];
        if named.get(&name).is_some() {
            return Err(format!("A type and a request or reply are both named {name}."));
        }
        named[name] = schema;
    }
    Ok(document)
}

/// What is said of an operation at one of its paths; all of them share body and reply.
fn operation(spec: &Spec, path: &str) -> Value {
    let name = pascal(spec.name);
    let failure = json!({ "$ref": "#/components/responses/Error" });
    let mut operation = json!({
        "operationId": operation_id(spec, path),
        "summary": spec.summary.trim_end_matches('.'),
        "security": common::security(spec, path),
        "requestBody": { "$ref": format!("#/components/requestBodies/{name}") },
        "responses": {
            "200": { "$ref": format!("#/components/responses/{name}") },
            "4XX": failure,
            "5XX": failure,
        },
    });
    if path != spec.paths[0] {
        operation["x-twin-of"] = operation_id(spec, spec.paths[0]).into();
    }
    if spec.effect != Effect::Reads {
        let named = json!({ "$ref": "#/components/parameters/IdempotencyKey" });
        operation["parameters"] = json!([named]);
    }
    operation
}

/// `foldersUpdate`; `foldersUpdateV1` at an older path, `foldersUpdateAlias` at another one of the
/// same version.
fn operation_id(spec: &Spec, path: &str) -> String {
    let version = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let (name, newest) = (pascal(spec.name), spec.paths[0]);
    let name = name[..1].to_ascii_lowercase() + &name[1..];
    match version(path) {
        _ if path == newest => name,
        same if same == version(newest) => format!("{name}Alias"),
        older => format!("{name}{}", older.to_ascii_uppercase()),
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn body(spec: &Spec, request: Value) -> Value {
    let required = spec.body != Body::Optional;
    let bare = matches!(spec.body, Body::WrappedUnless(_)).then(|| request.clone());
    let data = if required { request } else { json!({ "anyOf": [request, { "type": "null" }] }) };
    let mut schema = json!({ "type": "object", "properties": { "data": data } });
    if required {
        schema["required"] = json!(["data"]);
    }
    if spec.effect == Effect::Deletes {
        schema["additionalProperties"] = json!(false);
    }
    match bare {
        Some(bare) => json!({ "anyOf": [schema, bare] }),
        None => schema,
    }
}

fn request_body(spec: &Spec, example: Option<Value>) -> Value {
    let mut content = json!({ "schema": reference(&format!("{}Request", pascal(spec.name))) });
    if let Some(example) = example {
        content["example"] = example;
    }
    let required = spec.body != Body::Optional;
    json!({ "required": required, "content": { "application/json": content } })
}

/// The body of an operation's sample.
fn example(project: &Project, spec: &Spec) -> Result<Option<Value>, String> {
    let binary = spec.binary();
    let Some(sample) = project.sample(&binary)? else { return Ok(None) };
    let body = sample["body"].as_str().filter(|body| !body.is_empty());
    let body = body.map(serde_json::from_str);
    body.transpose().map_err(|e| format!("events/{binary}.json: the body is no JSON: {e}"))
}

fn success(result: Value) -> Value {
    json!({ "type": "object", "properties": { "result": result }, "required": ["result"] })
}

fn response(project: &Project, spec: &Spec) -> Result<Value, String> {
    let mut content = json!({ "schema": reference(&format!("{}Response", pascal(spec.name))) });
    let file = format!("events/replies/{}.json", spec.binary());
    if let Some(example) = project.read_if_there(&file)? {
        content["example"] = serde_json::from_str(&example).map_err(|e| format!("{file}: {e}"))?;
    }
    let mut reply = common::reply("It was done.", content);
    if spec.effect != Effect::Deletes {
        reply["headers"]["x-ignored-members"] = common::header("IgnoredMembers");
    }
    if spec.effect != Effect::Reads {
        reply["headers"]["idempotent-replayed"] = common::header("IdempotentReplayed");
    }
    Ok(reply)
}
