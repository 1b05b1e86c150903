//! From plain values to JSON, and back.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Number, Value};
use yrs::Any;

/// The largest integer that every peer can read: the limit of JavaScript.
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// The JSON of a plain value.
pub(crate) fn of_any(any: &Any) -> Value {
    match any {
        Any::Null | Any::Undefined => Value::Null,
        Any::Bool(value) => Value::Bool(*value),
        Any::Number(yrs::Number::Int(value)) => number(&Number::from(*value)),
        Any::Number(yrs::Number::Float(value)) => {
            Number::from_f64(*value).map_or(Value::Null, |value| number(&value))
        }
        Any::String(value) => Value::String((**value).to_owned()),
        Any::Buffer(bytes) => bytes.iter().map(|byte| Value::from(*byte)).collect(),
        Any::Array(items) => items.iter().map(of_any).collect(),
        Any::Map(entries) => {
            let entries = entries.iter().filter(|(_, value)| **value != Any::Undefined);
            entries.map(|(key, value)| (key.clone(), of_any(value))).collect()
        }
    }
}

/// The canonical form of a number: integers as such, within the range of JavaScript.
pub(crate) fn number(number: &Number) -> Value {
    if let Some(integer) = number.as_i64()
        && integer.unsigned_abs() <= MAX_INTEGER.unsigned_abs()
    {
        return Value::from(integer);
    }
    let float = number.as_f64().unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, reason = "within the range of integers")]
    if float.fract() == 0.0 && float.abs() <= MAX_INTEGER as f64 {
        return Value::from(float as i64);
    }
    Value::from(float)
}

/// The plain value of JSON after [`number`].
pub(crate) fn to_any(value: &Value) -> Any {
    match value {
        Value::Null => Any::Null,
        Value::Bool(value) => Any::Bool(*value),
        Value::Number(value) => Any::Number(match value.as_i64() {
            Some(integer) => yrs::Number::Int(integer),
            None => yrs::Number::Float(value.as_f64().unwrap_or_default()),
        }),
        Value::String(value) => Any::String(Arc::from(value.as_str())),
        Value::Array(items) => Any::Array(items.iter().map(to_any).collect()),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), to_any(value)));
            Any::Map(Arc::new(entries.collect::<HashMap<_, _>>()))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Number, Value, json};

    #[test]
    fn numbers_are_those_that_javascript_reads_back() {
        let number = |value: Value| match value {
            Value::Number(number) => super::number(&number),
            other => other,
        };
        assert_eq!(number(json!(9_007_199_254_740_991_i64)), json!(9_007_199_254_740_991_i64));
        assert!(number(json!(9_007_199_254_740_993_i64)).is_f64());
        assert!(number(json!(u64::MAX)).is_f64());
        assert_eq!(number(json!(1.0)), json!(1));
        assert_eq!(number(json!(-0.0)), json!(0));
        assert_eq!(number(json!(0.5)), json!(0.5));
        assert_eq!(
            number(json!(i64::MIN)),
            Value::Number(Number::from_f64(-(2_f64.powi(63))).expect("finite"))
        );
    }
}
