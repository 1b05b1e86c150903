//! Common parts of operations: credentials, headers, errors, pages.

use std::collections::BTreeSet;

use registry::pascal;
use serde_json::{Map, Value, json};
use service::{ApiKey, Effect, ErrorReply, Level, Spec, Status};

use crate::{names::operation_id, schema::Schemas};

/// The licence of every package (`cargo xtask check`).
const LICENCE: &str = env!("CARGO_PKG_LICENSE");

/// Rules of every operation.
const ABOUT: &str = include_str!("about.md");

pub(super) fn info() -> Value {
    json!({
        "title": "Roundtable",
        "version": "2",
        "license": { "name": LICENCE, "identifier": LICENCE },
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
pub(super) fn credentials<'a>(specs: impl Iterator<Item = &'a Spec>) -> Map<String, Value> {
    let headers = specs.flat_map(|spec| spec.headers.iter().chain(spec.or_headers));
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
            in the user's name and reaches what the user may see; the rest is NOT_FOUND, as if it \
            did not exist. Some members are the tenant's.",
    });
    headers.into_iter().map(scheme).chain([(END_USER.to_owned(), end_user)]).collect()
}

/// The role that end users need to call an operation, and the members of `data` that they may send.
pub(super) fn end_users(spec: &Spec) -> Value {
    json!({ "role": spec.end_users.need.role(), "members": spec.end_users.paths() })
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

/// A header of replies: its name, that of its component, its type, and what it says.
struct Header(&'static str, &'static str, &'static str, &'static str);

/// Not every call is limited, so all are optional.
const HEADERS: [Header; 6] = [
    Header(
        "Idempotent-Replayed",
        "Replayed",
        "boolean",
        "True where this is the reply to an earlier call with the same `Idempotency-Key`.",
    ),
    Header(
        "RateLimit",
        "RateLimit",
        "string",
        "What remains of the limit, and in how many seconds it may be used up: `\"reads\";r=199;t=10`. `RateLimit-Policy` states the limit.",
    ),
    Header(
        "Retry-After",
        "RetryAfter",
        "integer",
        "Seconds after which a call that was over the limit may be repeated.",
    ),
    Header(
        "x-consumed-units",
        "Units",
        "string",
        "Capacity units of DynamoDB that the call consumed: `read=1.5, write=2.0`. Absent for end users.",
    ),
    Header(
        "x-ignored-members",
        "Ignored",
        "string",
        "Members of the request that the operation does not know.",
    ),
    Header("x-request-id", "RequestId", "string", "Names the call in the logs."),
];

/// The headers as components.
pub(super) fn headers() -> Map<String, Value> {
    let component = |Header(_, component, kind, about)| {
        (String::from(component), json!({ "description": about, "schema": { "type": kind } }))
    };
    HEADERS.map(component).into_iter().collect()
}

fn refer(is_sent: impl Fn(&str) -> bool) -> Value {
    let sent = HEADERS.into_iter().filter(|Header(name, ..)| is_sent(name));
    let refer = |Header(name, component, ..)| {
        let target = format!("#/components/headers/{component}");
        (String::from(name), json!({ "$ref": target }))
    };
    sent.map(refer).collect::<Map<_, _>>().into()
}

/// The reply of a failed call.
pub(super) fn failure(schemas: &mut Schemas) -> Value {
    json!({
        "description": "The call failed; `error.status` says why.",
        "headers": refer(|_| true),
        "content": content(schemas.of::<ErrorReply<'_>>(), None),
    })
}

/// The headers of replies to calls that succeeded, where calls have these effects.
pub(super) fn headers_of(effects: &[Effect]) -> Value {
    refer(|name| match name {
        "Idempotent-Replayed" => effects.iter().any(|effect| *effect != Effect::Reads),
        // An operation that deletes refuses them.
        "x-ignored-members" => effects.iter().any(|effect| *effect != Effect::Deletes),
        "Retry-After" => false,
        _ => true,
    })
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
    format!("As `{}`.", operation_id(spec, spec.paths[0]))
}
