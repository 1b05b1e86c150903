use std::{borrow::Cow, marker::PhantomData, sync::Arc};

use error::{Error, ErrorCode, Result, Status};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::request::Issue;

/// A successful reply: `result.status`, `result.message` and the members of `B`.
pub struct Success<B> {
    result: ResultBody<B>,
    is_repeated: bool,
}

impl<B> Success<B> {
    /// The reply with the members of `result` beside it, too.
    #[must_use]
    pub fn repeated_beside(self) -> Self {
        Self { is_repeated: true, ..self }
    }
}

impl<B: Serialize> Serialize for Success<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Reply<'a, B> {
            result: &'a ResultBody<B>,
            #[serde(flatten)]
            beside: Option<&'a ResultBody<B>>,
        }
        let beside = self.is_repeated.then_some(&self.result);
        Reply { result: &self.result, beside }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct ResultBody<B> {
    status: &'static str,
    message: Cow<'static, str>,
    #[serde(flatten)]
    body: B,
}

/// Makes a [`Success`]. The message is for people, and may change
/// (contract `conventions.messages`).
pub fn success<B>(message: impl Into<Cow<'static, str>>, body: B) -> Success<B> {
    let result = ResultBody { status: "success", message: message.into(), body };
    Success { result, is_repeated: false }
}

/// Only `result.data`.
#[derive(Serialize, JsonSchema)]
pub struct Data<T> {
    data: T,
}

/// Makes a [`struct@Data`].
#[expect(non_snake_case, reason = "reads like the tuple struct it would be without its schema")]
pub fn Data<T>(data: T) -> Data<T> {
    Data { data }
}

/// A part of a reply that was written before, and goes into the replies of several calls.
pub struct Written<T> {
    json: Arc<RawValue>,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> Written<T> {
    /// Writes a value.
    ///
    /// # Errors
    /// INTERNAL when it is no JSON.
    pub fn write(value: &T) -> Result<Arc<RawValue>> {
        Ok(serde_json::value::to_raw_value(value).map_err(Error::internal)?.into())
    }

    /// The part that was written.
    pub fn new(json: Arc<RawValue>) -> Self {
        Self { json, of: PhantomData }
    }
}

impl<T> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Written<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A result without `data`.
#[derive(Serialize, JsonSchema)]
pub struct NoData {}

/// The reply of a failed call.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ErrorResponse")]
pub struct ErrorReply<'a> {
    error: FailureBody<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Error")]
struct FailureBody<'a> {
    #[schemars(schema_with = "statuses")]
    status: &'static str,
    /// One sentence for people.
    message: &'a str,
    /// The status again, for callers of operations that say so: its HTTP number, or a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "codes")]
    code: Option<CodeSaid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ErrorDetails>")]
    details: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CodeSaid {
    Number(u16),
    Word(String),
}

/// Invalid members of the body.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "what `refusal` writes, for the schema")]
struct ErrorDetails {
    #[schemars(skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<Issue>>,
}

fn statuses(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": Status::ALL.map(Status::as_str) })
}

fn codes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["integer", "string"] })
}

/// The body of a failed reply.
pub fn failure(error: &Error) -> String {
    let details = error.details.as_deref().and_then(|json| serde_json::from_str(json).ok());
    let code = error.code.map(|code| match code {
        ErrorCode::Number => CodeSaid::Number(error.status.http()),
        ErrorCode::Word => CodeSaid::Word(error.status.word()),
    });
    let body =
        FailureBody { status: error.status.as_str(), message: &error.message, code, details };
    serde_json::to_string(&ErrorReply { error: body }).unwrap_or_else(|_| {
        r#"{"error":{"status":"INTERNAL","message":"Internal error."}}"#.to_owned()
    })
}
