use error::{Error, Result};
use model::surrogates;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use crate::{
    limits,
    strict::Strict,
    text,
    unknown::{Seen, Unknown},
};

/// The wrapping of an operation's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// `{"data": {…}}`.
    Required,
    /// Like `Required`, but an empty body, `{}` and `{"data": null}` mean `{"data": {}}`.
    Optional,
    /// Like `Required`, but a body with this member at its top level is the parameters itself.
    WrappedUnless(&'static str),
}

#[derive(Deserialize)]
struct Call<T> {
    data: T,
}

/// Decodes the parameters of a call, and returns unknown members; limits are checked before parsing
/// (contract `conventions.envelope`).
///
/// # Errors
/// INVALID_ARGUMENT that names the invalid member by its whole path.
pub fn decode<T: DeserializeOwned>(body: &[u8], rule: Body) -> Result<(T, Unknown)> {
    decode_as(body, rule, |_| Ok(()))
}

/// Like [`decode`], for parameters that `change` modifies first.
///
/// # Errors
/// As [`decode`]; the errors of `change`.
pub fn decode_as<T: DeserializeOwned>(
    body: &[u8],
    rule: Body,
    change: impl FnOnce(&mut Value) -> Result<()>,
) -> Result<(T, Unknown)> {
    let body = text::unmarked(body);
    limits::check(body)?;
    let is_void = rule == Body::Optional && body.trim_ascii().is_empty();
    let sent = if is_void { b"{}" } else { body };
    let mut json: Value = surrogates::parse(sent).map_err(|cause| malformed(&cause))?;
    let optional = json.as_object_mut().filter(|_| rule == Body::Optional);
    if let Some(members) = optional.filter(|sent| sent.get("data").is_none_or(Value::is_null)) {
        members.insert("data".to_owned(), serde_json::json!({}));
    }
    match rule {
        Body::WrappedUnless(member) if json.get(member).is_some_and(|sent| !sent.is_null()) => {
            change(&mut json)?;
            read(&json)
        }
        _ => {
            json.get_mut("data").map_or(Ok(()), change)?;
            read(&json).map(|(Call { data }, unknown)| (data, unknown))
        }
    }
}

fn read<T: DeserializeOwned>(json: &Value) -> Result<(T, Unknown)> {
    let seen = Seen::default();
    let read = serde_path_to_error::deserialize(Strict::new(json, &seen))
        .map_err(|failure| mistyped(segments(failure.path()), failure.inner()))?;
    Ok((read, seen.unknown(json)))
}

/// An invalid member of the body.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ErrorIssue")]
pub(crate) struct Issue {
    /// The path from the body: names of members, and positions in arrays.
    pub(crate) path: Vec<Step>,
    pub(crate) code: IssueCode,
    pub(crate) message: String,
}

/// Kind of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IssueCode {
    /// The body is not JSON.
    InvalidJson,
    /// The member is not sent.
    Required,
    /// The member is sent twice.
    Duplicate,
    /// The value is of another type.
    InvalidType,
    /// The value is none of those that are allowed here.
    InvalidValue,
    /// The operation deletes something and has no such member.
    UnknownMember,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum Step {
    Member(String),
    Index(usize),
}

fn segments(path: &Path) -> Vec<Step> {
    let steps = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(Step::Index(*index)),
        Segment::Map { key } => Some(Step::Member(key.clone())),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    steps.collect()
}

fn malformed(cause: &serde_json::Error) -> Error {
    let place = format!("line {}, column {}", cause.line(), cause.column());
    report(vec![], IssueCode::InvalidJson, format!("The body is not valid JSON ({place})"))
}

/// serde's messages quote the input, which may be a secret: only the expectation is kept.
fn mistyped(mut path: Vec<Step>, cause: &serde_json::Error) -> Error {
    let text = cause.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    if let Some(field) = quoted_after(text, "missing field ") {
        let message = match (path.is_empty(), field) {
            (true, "data") => r#"is required: a body is {"data": {…}}"#,
            _ => "is required",
        };
        path.push(Step::Member(field.to_owned()));
        return report(path, IssueCode::Required, message.to_owned());
    }
    if let Some(field) = quoted_after(text, "duplicate field ") {
        path.push(Step::Member(field.to_owned()));
        return report(path, IssueCode::Duplicate, "must not be sent twice".to_owned());
    }
    if let Some((_, expected)) = text.split_once(", expected ") {
        let code = match text.starts_with("invalid type") {
            true => IssueCode::InvalidType,
            false => IssueCode::InvalidValue,
        };
        return report(path, code, format!("must be {}", readable(expected)));
    }
    report(path, IssueCode::InvalidValue, text.to_owned())
}

fn quoted_after<'a>(text: &'a str, head: &str) -> Option<&'a str> {
    text.strip_prefix(head)?.strip_prefix('`')?.strip_suffix('`')
}

/// Callers do not know Rust names.
fn readable(expected: &str) -> String {
    match expected {
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        "a map" => "an object".to_owned(),
        "a sequence" => "an array".to_owned(),
        "u64" | "i64" | "u32" | "i32" | "usize" => "an integer".to_owned(),
        other => other.replace('`', "\""),
    }
}

fn report(path: Vec<Step>, code: IssueCode, message: String) -> Error {
    refusal(&[Issue { path, code, message }])
}

/// `data.users[1].userId`; `show` formats each name.
pub(crate) fn dotted(path: &[Step], show: impl Fn(&str) -> String) -> String {
    path.iter().fold(String::new(), |name, step| match step {
        Step::Index(index) => format!("{name}[{index}]"),
        Step::Member(member) if name.is_empty() => show(member),
        Step::Member(member) => format!("{name}.{}", show(member)),
    })
}

/// INVALID_ARGUMENT for these issues, with the message of the first.
pub(crate) fn refusal(issues: &[Issue]) -> Error {
    let sentence = issues.first().map_or(String::new(), |issue| {
        let name = dotted(&issue.path, str::to_owned);
        if name.is_empty() { issue.message.clone() } else { format!("{name}: {}", issue.message) }
    });
    let details = serde_json::json!({ "issues": issues });
    Error::invalid(format!("{sentence}.")).with_details(details.to_string())
}

/// INVALID_ARGUMENT for a rule across members, such as "one of the two". `path` starts at `data`; a
/// number in it is a position in an array.
pub fn issue(path: &[&str], message: &str) -> Error {
    let steps = std::iter::once("data").chain(path.iter().copied());
    let step = |step: &str| match step.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Member(step.to_owned()),
    };
    // The sentence of another error has its full stop.
    let message = message.trim_end_matches('.').to_owned();
    report(steps.map(step).collect(), IssueCode::InvalidValue, message)
}

/// Refuses parameters without a member that their types leave open; `member` has dots between
/// names. Without the object that it belongs to, nothing is missing.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn require(data: &Value, member: &str) -> Result<()> {
    let pointer = format!("/{}", member.replace('.', "/"));
    let (owner, _) = pointer.rsplit_once('/').unwrap_or_default();
    let is_sent = data.pointer(&pointer).is_some_and(|sent| !sent.is_null());
    if is_sent || !data.pointer(owner).is_some_and(Value::is_object) {
        return Ok(());
    }
    let path = std::iter::once("data").chain(member.split('.'));
    let path = path.map(|name| Step::Member(name.to_owned())).collect();
    Err(report(path, IssueCode::Required, "is required".to_owned()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{Body, decode, issue};

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Request {
        #[expect(dead_code, reason = "only its presence counts")]
        users: Vec<User>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct User {
        #[expect(dead_code, reason = "only its presence counts")]
        user_id: String,
    }

    fn refused(body: &str) -> (String, String) {
        let error = decode::<Request>(body.as_bytes(), Body::Required).unwrap_err();
        (error.message.into_owned(), error.details.unwrap().into())
    }

    #[test]
    fn a_missing_field_is_named_by_its_whole_path() {
        let (message, details) = refused(r#"{"data":{"users":[{"userId":"u"},{}]}}"#);
        assert_eq!(message, "data.users[1].userId: is required.");
        assert!(details.contains(r#""path":["data","users",1,"userId"]"#), "{details}");
        assert!(details.contains(r#""code":"required""#), "{details}");
    }

    #[test]
    fn what_was_sent_is_not_repeated() {
        let (message, details) = refused(r#"{"data":{"users":"hunter2"}}"#);
        assert_eq!(message, "data.users: must be an array.");
        assert!(!details.contains("hunter2"), "{details}");
    }

    #[test]
    fn what_is_not_json_says_where() {
        assert_eq!(refused("{\"data\":").0, "The body is not valid JSON (line 1, column 8).");
        assert_eq!(
            refused("{\"data\":{\"users\":[]}} x").0,
            "The body is not valid JSON (line 1, column 23)."
        );
        assert_eq!(refused("{}").0, r#"data: is required: a body is {"data": {…}}."#);
    }

    #[test]
    fn a_rule_of_ours_names_its_place_too() {
        let error = issue(&["users", "1", "userId"], "must be another");
        assert_eq!(error.message, "data.users[1].userId: must be another.");
        assert!(error.details.unwrap().contains(r#""path":["data","users",1,"userId"]"#));
    }

    #[test]
    fn an_array_is_no_object() {
        assert_eq!(refused(r#"{"data":[[]]}"#).0, "data: must be an object.");
        assert_eq!(refused(r#"{"data":{"users":[["u"]]}}"#).0, "data.users[0]: must be an object.");
        assert_eq!(refused(r#"[{"users":[]}]"#).0, "must be an object.");
    }

    #[test]
    fn a_body_with_the_member_is_the_parameters_and_names_its_places_so() {
        #[derive(Deserialize)]
        struct Broadcast {
            id: String,
            data: serde_json::Map<String, serde_json::Value>,
        }
        let read = |body: &str| {
            decode::<Broadcast>(body.as_bytes(), Body::WrappedUnless("id"))
                .map(|(sent, _)| (sent.id, sent.data.len()))
                .map_err(|error| error.message.into_owned())
        };
        let read_one = Ok(("i".to_owned(), 1));
        assert_eq!(read(r#"{"data":{"id":"i","data":{"x":1}}}"#), read_one);
        assert_eq!(read(r#"{"id":"i","data":{"x":1}}"#), read_one);
        assert_eq!(read(r#"{"id":"i","data":{"id":"j"}}"#), read_one);
        assert_eq!(read(r#"{"id":null,"data":{"id":"i","data":{"x":1}}}"#), read_one);
        let refused = |body: &str| read(body).unwrap_err();
        assert!(refused(r#"{"id":"i"}"#).starts_with("data: is required"));
        assert_eq!(refused(r#"{"id":1,"data":{}}"#), "id: must be a string.");
        assert_eq!(refused(r#"{"id":"i","data":[]}"#), "data: must be an object.");
        assert_eq!(refused(r#"{"data":{"x":1}}"#), "data.id: is required.");
        assert_eq!(refused("[]"), "must be an object.");
    }

    #[test]
    fn an_optional_body_may_be_absent_but_not_wrong() {
        #[derive(Deserialize)]
        struct Nothing {}
        for body in ["", " ", "{}", r#"{"data":null}"#, r#"{"data":{}}"#, r#"{"data":{"x":1}}"#] {
            assert!(decode::<Nothing>(body.as_bytes(), Body::Optional).is_ok(), "{body}");
        }
        for body in ["[]", r#"{"data":1}"#, "null", r#"{"data":[]}"#, r#"{"data":"x"}"#, "{", "1"] {
            assert!(decode::<Nothing>(body.as_bytes(), Body::Optional).is_err(), "{body}");
        }
    }
}
