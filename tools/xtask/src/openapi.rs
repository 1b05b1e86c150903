//! openapi.json. One method, one envelope and one shape of errors: a loop over the operations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use service::{Body, Spec, Status};

use crate::{project::Project, schema::Schemas};

const ABOUT: &str = "Every operation is a POST with a JSON object whose member `data` holds the \
parameters. Members that are not listed are ignored; null for an optional member means that it is \
not sent. A success is `{\"result\": {\"status\": \"success\", …}}`, a failure is `{\"error\": …}`. \
Batch operations answer one entry per item; an item that fails does not fail the call.\n\n\
Identifiers are 1 to 256 bytes of UTF-8 without control characters, compared byte for byte; the \
schemas count characters, of which there may be fewer. A body has at most 5 MiB.";

/// openapi.json as it should be.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let document = document(project)?;
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|e| e.to_string())
}

fn document(project: &Project) -> Result<Value, String> {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    let mut tags = Vec::new();
    for family in project.families.iter().filter(|family| !family.operations.is_empty()) {
        tags.push(json!({ "name": family.name }));
        for spec in family.operations.iter().map(|route| &route.spec) {
            let operation = Described {
                family: family.name,
                spec,
                request: schemas.request(spec)?,
                result: schemas.response(spec)?,
                example: example(project, spec)?,
            };
            for path in spec.paths {
                paths.insert((*path).to_owned(), json!({ "post": operation.at(path) }));
            }
        }
    }
    let mut components = schemas.components()?;
    components.insert("Error".to_owned(), error_schema());
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Roundtable",
            "version": "2",
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": failures(),
            "headers": { "RequestId": {
                "description": "Names the call in the logs.",
                "schema": { "type": "string" },
            }},
            "securitySchemes": credentials(project),
        },
    }))
}

/// The body of an operation's sample.
fn example(project: &Project, spec: &Spec) -> Result<Option<Value>, String> {
    let binary = spec.binary();
    let Some(sample) = project.sample(&binary)? else { return Ok(None) };
    let body = sample["body"].as_str().filter(|body| !body.is_empty());
    let body = body.map(serde_json::from_str);
    body.transpose().map_err(|e| format!("events/{binary}.json: the body is no JSON: {e}"))
}

/// An operation with all that the document says of it.
struct Described<'a> {
    family: &'a str,
    spec: &'a Spec,
    request: Value,
    result: Value,
    example: Option<Value>,
}

impl Described<'_> {
    fn at(&self, path: &str) -> Value {
        let spec = self.spec;
        let headers = spec.headers.iter().map(|header| ((*header).to_owned(), json!([])));
        let security: Map<String, Value> = headers.collect();
        let mut responses = Map::new();
        responses.insert("200".to_owned(), self.success());
        for code in codes().into_keys() {
            let reference = format!("#/components/responses/{}", response_name(code));
            responses.insert(code.to_string(), json!({ "$ref": reference }));
        }
        json!({
            "operationId": operation_id(spec, path),
            "tags": [self.family],
            "summary": spec.summary,
            "deprecated": false,
            "security": [security],
            "requestBody": self.body(),
            "responses": responses,
        })
    }

    fn body(&self) -> Value {
        let required = self.spec.body == Body::Required;
        let data = if required {
            self.request.clone()
        } else {
            json!({ "anyOf": [self.request, { "type": "null" }] })
        };
        let mut schema = json!({ "type": "object", "properties": { "data": data } });
        if required {
            schema["required"] = json!(["data"]);
        }
        let mut content = json!({ "schema": schema });
        if let Some(example) = &self.example {
            content["example"] = example.clone();
        }
        json!({ "required": required, "content": { "application/json": content } })
    }

    fn success(&self) -> Value {
        reply(
            "It was done.",
            &json!({
                "type": "object",
                "properties": { "result": self.result },
                "required": ["result"],
            }),
        )
    }
}

/// `folders.update`, and `folders.update_v1` for an older path.
fn operation_id(spec: &Spec, path: &str) -> String {
    match path.split('/').nth(1) {
        Some(version) if spec.paths[0] != path => format!("{}_{version}", spec.name),
        _ => spec.name.to_owned(),
    }
}

fn reply(description: &str, schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
        "content": { "application/json": { "schema": schema } },
    })
}

/// The statuses of failures, by HTTP code.
fn codes() -> BTreeMap<u16, Vec<&'static str>> {
    let mut codes = BTreeMap::<u16, Vec<&str>>::new();
    for status in Status::ALL {
        codes.entry(status.http()).or_default().push(status.as_str());
    }
    codes
}

fn response_name(code: u16) -> String {
    format!("Error{code}")
}

fn failures() -> Map<String, Value> {
    let failure = |(code, statuses): (u16, Vec<&str>)| {
        let schema = json!({
            "allOf": [
                { "$ref": "#/components/schemas/Error" },
                { "properties": { "error": { "properties": { "status": { "enum": statuses } } } } },
            ],
        });
        (response_name(code), reply(&statuses.join(" or "), &schema))
    };
    codes().into_iter().map(failure).collect()
}

fn error_schema() -> Value {
    let issue = json!({
        "type": "object",
        "properties": {
            "path": { "type": "array", "items": { "type": ["string", "integer"] } },
            "code": { "type": "string" },
            "message": { "type": "string" },
        },
        "required": ["path", "code", "message"],
    });
    let details = json!({
        "type": "object",
        "description": "What is wrong with which member of the body.",
        "properties": { "issues": { "type": "array", "items": issue } },
    });
    let error = json!({
        "type": "object",
        "properties": {
            "status": { "type": "string", "enum": Status::ALL.map(Status::as_str) },
            "message": { "type": "string", "description": "One sentence for people." },
            "details": details,
        },
        "required": ["status", "message"],
    });
    json!({ "type": "object", "properties": { "error": error }, "required": ["error"] })
}

/// One scheme for each header that carries a credential.
fn credentials(project: &Project) -> Map<String, Value> {
    let headers: BTreeSet<&str> =
        project.specs().flat_map(|spec| spec.headers.iter().copied()).collect();
    let scheme = |header: &str| {
        let scheme = json!({ "type": "apiKey", "in": "header", "name": header });
        (header.to_owned(), scheme)
    };
    headers.into_iter().map(scheme).collect()
}
