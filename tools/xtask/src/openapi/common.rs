//! Common parts of operations: credentials, headers, errors, pages.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use service::{ApiKey, ErrorReply, Level, Spec, Status};

use crate::{
    openapi::operation_id,
    project::{Project, pascal},
    schema::Schemas,
};

/// Rules of every operation.
const ABOUT: &str = include_str!("about.md");

pub(super) fn info() -> Value {
    json!({
        "title": "Roundtable",
        "version": "2",
        "license": { "name": "That of the repository", "identifier": "LicenseRef-Roundtable" },
        "description": ABOUT.trim_end().replace("{{statuses}}", &statuses()),
        "contact": { "name": "Roundtable" },
    })
}

/// A table of the statuses of errors.
fn statuses() -> String {
    let rows = Status::ALL.map(|status| {
        format!("| {} | `{}` | {} |", status.http(), status.as_str(), status.meaning())
    });
    format!("| HTTP | `status` | |\n|---|---|---|\n{}", rows.join("\n"))
}

/// The default credentials of an operation.
pub(super) fn usual_security() -> Vec<Map<String, Value>> {
    vec![all(<ApiKey as Level>::HEADERS)]
}

fn all(headers: &[&str]) -> Map<String, Value> {
    headers.iter().map(|header| (scheme_name(header), json!([]))).collect()
}

/// The credentials of an operation at one of its paths.
pub(super) fn security(spec: &Spec, path: &str) -> Vec<Map<String, Value>> {
    let mut security = vec![all(spec.headers)];
    if !spec.or_headers.is_empty() {
        security.push(all(spec.or_headers));
    }
    if spec.end_users.may_call() {
        security.push([(END_USER.to_owned(), json!([]))].into_iter().collect());
    }
    if spec.body_credentials.contains(&path) {
        security.push(Map::new());
    }
    security
}

/// `x-service-api-key` as `ServiceApiKey`.
fn scheme_name(header: &str) -> String {
    pascal(header.trim_start_matches("x-"))
}

/// The scheme of end users.
const END_USER: &str = "EndUser";

/// One scheme for each header that carries a credential, and that of end users.
pub(super) fn credentials(project: &Project) -> Map<String, Value> {
    let headers = project.specs().flat_map(|spec| spec.headers.iter().chain(spec.or_headers));
    let headers: BTreeSet<&str> = headers.copied().collect();
    let scheme = |header: &str| {
        let scheme = json!({ "type": "apiKey", "in": "header", "name": header });
        (scheme_name(header), scheme)
    };
    let end_user = json!({
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "The token of an end user, from `/v2/auth/generate_token`. The call is made \
            in the user's name and reaches what the user may see; some members are the tenant's.",
    });
    headers.into_iter().map(scheme).chain([(END_USER.to_owned(), end_user)]).collect()
}

/// The header `Idempotency-Key`.
pub(super) fn parameters() -> Value {
    json!({ "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names the call. For 24 hours a repetition gets the first reply, and changes \
            nothing. While the first call is under way, a repetition is ABORTED; another body under \
            the same name is INVALID_ARGUMENT.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$" },
    } })
}

/// A body in JSON.
pub(super) fn content(schema: Value, example: Option<Value>) -> Value {
    let mut content = json!({ "schema": schema });
    if let Some(example) = example {
        content["example"] = example;
    }
    json!({ "application/json": content })
}

/// The reply of a failed call.
pub(super) fn failure(schemas: &mut Schemas) -> Value {
    let content = content(schemas.of::<ErrorReply<'_>>(), None);
    json!({ "description": "The call failed; `error.status` says why. Statuses of 500 and more have the same body.", "content": content })
}

/// Whether an operation returns one page of many.
pub(super) fn pages(request: &Value, reply: &Value) -> bool {
    let token = |member: &str| member.ends_with("ageToken");
    let has = |schema: &Value| {
        schema["properties"]
            .as_object()
            .is_some_and(|members| members.keys().any(|name| token(name)))
    };
    has(request) && has(&reply["allOf"][1])
}

/// The description of an operation at an older path.
pub(super) fn twin(spec: &Spec) -> String {
    format!("Twin of `{}`, which describes it.", operation_id(spec, spec.paths[0]))
}
