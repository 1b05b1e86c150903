//! openapi.json. One method, one envelope and one shape of errors: a loop over the operations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use service::{Body, Effect, Spec, Status};

use crate::{project::Project, schema::Schemas};

const ABOUT: &str = "Every operation is a POST with a JSON object whose member `data` holds the \
parameters. Members that are not listed are ignored and named in the header `x-ignored-members`; an \
operation that deletes refuses them. Null for an optional member means that it is not sent. A success is `{\"result\": {\"status\": \"success\", …}}`, a failure is `{\"error\": …}`. \
Batch operations answer one entry per item; an item that fails does not fail the call.\n\n\
Identifiers are 1 to 256 bytes of UTF-8 without control characters and without noncharacters of any \
plane, compared byte for byte; the schemas count characters, of which there may be fewer. A body has at most 5 MiB. \
The gateway hands a body on as JSON text, so it refuses one with many quotes or backslashes earlier, from 3 MB on, \
with 413 and a body of its own.";

/// openapi.json as it should be.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let document = document(project)?;
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|e| e.to_string())
}

fn document(project: &Project) -> Result<Value, String> {
    let mut schemas = Schemas::new();
    let (mut paths, mut bodies, mut responses) = (Map::new(), Map::new(), failures());
    let (mut tags, mut ids) = (Vec::new(), BTreeSet::new());
    for family in project.families.iter().filter(|family| !family.operations.is_empty()) {
        tags.push(json!({ "name": family.name }));
        for spec in family.operations.iter().map(|route| &route.spec) {
            let (name, example) = (spec.name.to_owned(), example(project, spec)?);
            bodies.insert(name.clone(), body(spec, schemas.request(spec)?, example));
            responses.insert(name, success(spec, &schemas.response(spec)?));
            for path in spec.paths {
                let operation = operation(family.name, spec, path);
                let id = operation["operationId"].to_string();
                if !ids.insert(id.clone()) {
                    return Err(format!("{path}: would have the operationId {id}, too"));
                }
                paths.insert((*path).to_owned(), json!({ "post": operation }));
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
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": components,
            "requestBodies": bodies,
            "responses": responses,
            "headers": headers(),
            "parameters": parameters(),
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

/// What is said of an operation at one of its paths; all of them share body and responses.
fn operation(family: &str, spec: &Spec, path: &str) -> Value {
    let all = |headers: &[&str]| {
        headers.iter().map(|header| ((*header).to_owned(), json!([]))).collect::<Map<_, _>>()
    };
    let mut security = vec![all(spec.headers)];
    if !spec.or_headers.is_empty() {
        security.push(all(spec.or_headers));
    }
    if spec.end_users.may_call() {
        security.push(all(&[END_USER]));
    }
    if spec.body_credentials.contains(&path) {
        security.push(Map::new());
    }
    let response = |name: &str| json!({ "$ref": format!("#/components/responses/{name}") });
    let failures = codes().into_keys().map(|code| (code.to_string(), response(&error_name(code))));
    let success = ("200".to_owned(), response(spec.name));
    let responses: Map<String, Value> = [success].into_iter().chain(failures).collect();
    let mut operation = json!({
        "operationId": operation_id(spec, path),
        "tags": [family],
        "summary": spec.summary,
        "deprecated": false,
        "security": security,
        "requestBody": { "$ref": format!("#/components/requestBodies/{}", spec.name) },
        "responses": responses,
    });
    if spec.effect != Effect::Reads {
        let named = json!({ "$ref": "#/components/parameters/IdempotencyKey" });
        operation["parameters"] = json!([named]);
    }
    operation
}

/// The header that names a call.
fn parameters() -> Value {
    json!({ "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names the call: it is made once, however often it is sent, and a repetition \
            is answered as the first one was, for 24 hours. While the first is under way, a \
            repetition is ABORTED; another body under the same name is INVALID_ARGUMENT.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$" },
    } })
}

fn body(spec: &Spec, request: Value, example: Option<Value>) -> Value {
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
    if let Some(bare) = bare {
        schema = json!({ "anyOf": [schema, bare] });
    }
    let mut content = json!({ "schema": schema });
    if let Some(example) = example {
        content["example"] = example;
    }
    json!({ "required": required, "content": { "application/json": content } })
}

fn success(spec: &Spec, result: &Value) -> Value {
    let properties = json!({ "result": result });
    let schema = json!({ "type": "object", "properties": properties, "required": ["result"] });
    let mut reply = reply("It was done.", &schema);
    if spec.effect != Effect::Deletes {
        reply["headers"]["x-ignored-members"] = header("IgnoredMembers");
    }
    if spec.effect != Effect::Reads {
        reply["headers"]["idempotent-replayed"] = header("IdempotentReplayed");
    }
    reply
}

/// The headers of replies.
fn headers() -> Value {
    let text =
        |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "RequestId": text("Names the call in the logs."),
        "IdempotentReplayed": text(
            "`true` when a call of this Idempotency-Key was made before: this is its answer.",
        ),
        "IgnoredMembers": text(
            "Paths of members of the body that the operation does not know, separated by commas: \
             `data.users[0].nickName`. The first ten; other characters than letters, digits and \
             `-_$@` of a name are percent-encoded.",
        ),
    })
}

fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// `folders.update`; `folders.update_v1` at an older path, `folders.update_alias` at another one of
/// the same version.
fn operation_id(spec: &Spec, path: &str) -> String {
    let version = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let (name, newest) = (spec.name, spec.paths[0]);
    match version(path) {
        _ if path == newest => name.to_owned(),
        same if same == version(newest) => format!("{name}_alias"),
        older => format!("{name}_{older}"),
    }
}

fn reply(description: &str, schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": { "x-request-id": header("RequestId") },
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

fn error_name(code: u16) -> String {
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
        (error_name(code), reply(&statuses.join(" or "), &schema))
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

/// The scheme of end users.
const END_USER: &str = "endUser";

/// One scheme for each header that carries a credential, and that of end users.
fn credentials(project: &Project) -> Map<String, Value> {
    let headers: BTreeSet<&str> =
        project.specs().flat_map(|spec| spec.headers.iter().copied()).collect();
    let scheme = |header: &str| {
        let scheme = json!({ "type": "apiKey", "in": "header", "name": header });
        (header.to_owned(), scheme)
    };
    let end_user = json!({
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "The token of an end user, from /v2/auth/generate_token. The call is made in \
            the user's name and reaches what the user may; some members are the tenant's alone.",
    });
    let end_user = (END_USER.to_owned(), end_user);
    headers.into_iter().map(scheme).chain([end_user]).collect()
}
