//! The document: a loop over the operations.

mod about;
mod common;
mod links;
mod results;
mod tags;
mod webhooks;

use std::collections::BTreeSet;

use about::About;
use registry::pascal;
use results::Named;
use serde_json::{Map, Value, json};
use service::{Body, Effect, Spec};

use crate::{
    Repository, json,
    names::operation_id,
    schema::{self, Schemas},
};

/// Longest example of a reply, in bytes.
const MAX_EXAMPLE: usize = 130;

/// The order of the parts of the file; the others follow by name.
const ORDER: &[&str] = &["openapi", "info", "servers", "security", "tags", "paths", "webhooks"];

/// The expected openapi.json.
pub(crate) fn render(repository: &Repository<'_>) -> Result<String, String> {
    let families = registry::families();
    let operations = tags::operations(&families)?;
    let paths = operations.iter().flat_map(|(_, spec)| spec.paths.iter().copied());
    let order: Vec<&str> = ORDER.iter().copied().chain(paths).collect();
    document(repository, &operations).map(|document| json::text(&document, &order))
}

fn document(
    repository: &Repository<'_>,
    operations: &[(&'static str, &Spec)],
) -> Result<Value, String> {
    let mut schemas = Schemas::new();
    let (mut paths, mut named) = (Map::new(), Map::new());
    let (mut bodies, mut ids) = (Map::new(), BTreeSet::new());
    let mut replies = Map::from_iter([("Error".to_owned(), common::failure(&mut schemas))]);
    let results = schemas.results(operations.iter().map(|(_, spec)| *spec))?;
    let known = results::named(operations, &results);
    for ((&(tag, spec), result), known) in operations.iter().zip(results).zip(known) {
        let (name, request) = (pascal(spec.name), schemas.request(spec)?);
        let contract = links::to_operation(spec.name);
        let text = About::of(repository, spec)?.text(common::pages(&request, &result), &contract);
        let result = match result.get("$ref") {
            Some(_) => result,
            None => name_it(&known.name, result, &mut named)?,
        };
        let reply = success(repository, spec, result, &known)?;
        let reply = match known.is_shared || spec.paths.len() > 1 {
            true => component("responses", &known.name, reply, &mut replies),
            false => reply,
        };
        let mut body = Value::Null;
        for path in spec.paths {
            let is_newest = *path == spec.paths[0];
            if is_newest || !spec.required.is_empty() {
                let name = pascal(&operation_id(spec, path));
                let suffix = name.strip_prefix(&pascal(spec.name)).unwrap_or_default();
                let request = schemas.requiring(request.clone(), spec.required_at(path), suffix);
                let example = if is_newest { example(repository, spec)? } else { None };
                body = self::body(spec, &name, request, example, &mut named)?;
            }
            if is_newest && spec.required.is_empty() && spec.paths.len() > 1 {
                body = component("requestBodies", &name, body, &mut bodies);
            }
            let mut operation = operation(spec, path);
            operation["requestBody"] = body.clone();
            operation["responses"]["200"] = reply.clone();
            let (tag, text) = match is_newest {
                true => (tag, text.clone()),
                false => (tags::OLDER, common::twin(spec)),
            };
            operation["tags"] = json!([tag]);
            operation["description"] = text.into();
            if is_newest && spec.end_users.may_call() {
                operation["x-end-user"] = common::end_users(spec);
            }
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
        "security": common::usual_security(),
        "tags": tags::list(),
        "paths": paths,
        "webhooks": webhooks::list(&mut schemas),
        "components": {
            "schemas": named,
            "requestBodies": bodies,
            "responses": replies,
            "headers": common::headers(),
            "parameters": common::parameters(),
            "securitySchemes": common::credentials(operations.iter().map(|(_, spec)| *spec)),
        },
    });
    let types = schemas.components(&mut document)?;
    if let Some(named) = document["components"]["schemas"].as_object_mut() {
        if let Some(name) = types.keys().find(|name| named.contains_key(*name)) {
            return Err(format!("A type and a request or result are both named {name}."));
        }
        named.extend(types);
        schema::named(named)?;
    }
    links::link(&mut document, repository.link);
    Ok(document)
}

/// Makes a body or a reply a component.
fn component(kind: &str, name: &str, value: Value, components: &mut Map<String, Value>) -> Value {
    components.insert(name.to_owned(), value);
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// The description of an operation at one of its paths, without body and reply.
fn operation(spec: &Spec, path: &str) -> Value {
    let failed = json!({ "$ref": "#/components/responses/Error" });
    let mut operation = json!({
        "operationId": operation_id(spec, path),
        "summary": spec.summary.trim_end_matches('.'),
        "responses": { "4XX": failed, "5XX": failed },
    });
    let security = common::security(spec, path);
    if security != common::usual_security() {
        operation["security"] = json!(security);
    }
    if spec.effect != Effect::Reads {
        let named = json!({ "$ref": "#/components/parameters/IdempotencyKey" });
        operation["parameters"] = json!([named]);
    }
    operation
}

/// Makes a schema a component.
fn name_it(name: &str, schema: Value, named: &mut Map<String, Value>) -> Result<Value, String> {
    let other = named.insert(name.to_owned(), schema.clone());
    match other.is_some_and(|other| other != schema) {
        true => Err(format!("Two requests or results are both named {name}.")),
        false => Ok(json!({ "$ref": format!("#/components/schemas/{name}") })),
    }
}

/// The body of requests: an object with `data`.
fn body(
    spec: &Spec,
    name: &str,
    request: Value,
    example: Option<Value>,
    named: &mut Map<String, Value>,
) -> Result<Value, String> {
    let required = spec.body != Body::Optional;
    let request = match request.get("properties") {
        Some(_) => name_it(&format!("{name}Request"), request, named)?,
        None => request,
    };
    let mut schema = json!({ "type": "object", "properties": { "data": request } });
    if required {
        schema["required"] = json!(["data"]);
    }
    if spec.effect == Effect::Deletes {
        schema["additionalProperties"] = json!(false);
    }
    if matches!(spec.body, Body::WrappedUnless(_)) {
        let wrapped = name_it(&format!("{name}Wrapped"), schema, named)?;
        schema = json!({ "anyOf": [wrapped, request] });
    }
    Ok(json!({ "required": required, "content": common::content(schema, example) }))
}

/// The body of an operation's sample.
fn example(repository: &Repository<'_>, spec: &Spec) -> Result<Option<Value>, String> {
    let file = format!("events/{}.json", spec.binary());
    let Some(sample) = repository.json(&file)? else { return Ok(None) };
    let body = sample["body"].as_str().filter(|body| !body.is_empty());
    let body = body.map(serde_json::from_str);
    body.transpose().map_err(|e| format!("{file}: the body is no JSON: {e}"))
}

/// The body of replies: an object with `result`.
fn success(
    repository: &Repository<'_>,
    spec: &Spec,
    result: Value,
    known: &Named,
) -> Result<Value, String> {
    let schema = json!({
        // Generators name it after the operation and this title.
        "title": "Reply",
        "type": "object",
        "properties": { "result": result },
        "required": ["result"],
    });
    let example = repository.json(&format!("events/replies/{}.json", spec.binary()))?;
    // The document has to stay small: the schema describes a long reply.
    let is_short = |example: &Value| example.to_string().len() <= MAX_EXAMPLE;
    let example = example.filter(|example| is_short(example) && !known.is_shared);
    Ok(json!({
        "description": "Success.",
        "headers": common::headers_of(&known.effects),
        "content": common::content(schema, example),
    }))
}
