//! Names of results: generators make one class of each, so results that are the same have one name.

use std::collections::BTreeMap;

use registry::pascal;
use serde_json::Value;
use service::{Effect, Spec};

/// Facts about a result.
pub(super) struct Named {
    /// Name of its operation, or of its content where several operations have it.
    pub(super) name: String,
    /// Whether several operations have it.
    pub(super) is_shared: bool,
    /// Effects of these operations on stored data.
    pub(super) effects: Vec<Effect>,
}

/// Facts about the result of each operation.
pub(super) fn named(operations: &[(&str, &Spec)], results: &[Value]) -> Vec<Named> {
    let mut users = BTreeMap::<String, Vec<&Spec>>::new();
    for ((_, spec), result) in operations.iter().zip(results) {
        users.entry(result.to_string()).or_default().push(spec);
    }
    let of = |((_, spec), result): (&(&str, &Spec), &Value)| {
        let users = &users[&result.to_string()];
        let is_shared = users.len() > 1;
        let shared = if is_shared { shared(result) } else { None };
        Named {
            name: shared.unwrap_or_else(|| format!("{}Result", pascal(spec.name))),
            is_shared,
            effects: users.iter().map(|spec| spec.effect).collect(),
        }
    };
    operations.iter().zip(results).map(of).collect()
}

/// The name of a result by what is in it.
fn shared(result: &Value) -> Option<String> {
    let data = &result["allOf"][1]["properties"]["data"];
    let of = |schema: &Value| {
        schema["$ref"].as_str().and_then(|target| target.rsplit('/').next()).map(str::to_owned)
    };
    if result.get("$ref").is_some() {
        return of(result);
    }
    let one = of(data).map(|name| format!("{name}Result"));
    let each = || of(&data["additionalProperties"]).map(|name| format!("{name}s"));
    let none = || (data["type"] == "null").then(|| "EmptyResult".to_owned());
    one.or_else(each).or_else(none)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::shared;

    #[test]
    fn a_result_of_several_operations_is_named_after_what_is_in_it() {
        let named = |data| shared(&json!({ "allOf": [{}, { "properties": { "data": data } }] }));
        let refers = json!({ "$ref": "#/replies/UserResult" });
        assert_eq!(named(json!({ "$ref": "#/replies/Done" })).as_deref(), Some("DoneResult"));
        let map = json!({ "type": "object", "additionalProperties": refers });
        assert_eq!(named(map).as_deref(), Some("UserResults"));
        assert_eq!(named(json!({ "type": "null" })).as_deref(), Some("EmptyResult"));
        assert_eq!(named(json!({ "type": "array" })), None);
        assert_eq!(shared(&refers).as_deref(), Some("UserResult"));
    }
}
