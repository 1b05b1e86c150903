//! What all operations share: credentials, headers, errors, pages.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use service::{ErrorReply, Spec, Status};

use crate::{
    openapi::operation_id,
    project::{Project, pascal},
    schema::Schemas,
};

/// What holds for every operation.
const ABOUT: &str = include_str!("about.md");

pub(super) fn info() -> Value {
    json!({
        "title": "Roundtable",
        "version": "2",
        "description": ABOUT.trim_end().replace("{{statuses}}", &statuses()),
        "license": { "name": "MIT", "identifier": "MIT" },
    })
}

/// A table of the statuses of errors.
fn statuses() -> String {
    let rows = Status::ALL.map(|status| {
        format!("| {} | `{}` | {} |", status.http(), status.as_str(), status.meaning())
    });
    format!("| HTTP | `status` | |\n|---|---|---|\n{}", rows.join("\n"))
}

/// The credentials of an operation at one of its paths.
pub(super) fn security(spec: &Spec, path: &str) -> Vec<Map<String, Value>> {
    let all = |headers: &[&str]| {
        headers.iter().map(|header| (scheme_name(header), json!([]))).collect::<Map<_, _>>()
    };
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

/// The header that names a call.
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

/// The headers of replies.
pub(super) fn headers() -> Value {
    let text =
        |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "RequestId": text("Names the call in the logs."),
        "IdempotentReplayed": text(
            "`true` when the reply is that of an earlier call with this `Idempotency-Key`.",
        ),
        "IgnoredMembers": text(
            "Paths of members of the body that the operation does not know, separated by commas: \
             `data.users[0].nickName`. The first ten; in names, characters other than letters, \
             digits and `-_$@` are percent-encoded.",
        ),
    })
}

pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

pub(super) fn reply(description: &str, content: Value) -> Value {
    json!({
        "description": description,
        "headers": { "x-request-id": header("RequestId") },
        "content": { "application/json": content },
    })
}

/// The reply of a call that failed.
pub(super) fn failure(schemas: &mut Schemas) -> Value {
    let schema = schemas.of::<ErrorReply<'_>>();
    reply(
        "The call failed, and changed nothing. `error.status` says why.",
        json!({ "schema": schema }),
    )
}

/// Whether an operation answers with one page of many.
pub(super) fn pages(request: &Value, reply: &Value) -> bool {
    let has = |schema: &Value| schema["properties"].get("pageToken").is_some();
    has(request) && has(reply)
}

/// What is said of an operation at an older path.
pub(super) fn twin(spec: &Spec, path: &str) -> String {
    let newest = operation_id(spec, spec.paths[0]);
    let version = path.split('/').nth(1).unwrap_or_default();
    format!("The {version} path of `{newest}`. Prefer the newer one.")
}
