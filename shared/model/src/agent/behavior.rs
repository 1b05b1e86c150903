//! The behavior of a custom agent, in the blocks that callers send (contract `agents.create`).
//!
//! The stored form is one JSON object: a new version merges into the previous one block by block,
//! and the result is validated as a whole.

use serde::Serialize;
use serde_json::Value;

use crate::{Extensible, Metadata};

/// The behavior of an agent.
#[derive(Debug)]
pub enum Behavior {}

impl Extensible for Behavior {
    const OWN: &'static [&'static str] = &[
        "id",
        "agentId",
        "name",
        "description",
        "enabled",
        "version",
        "managedBy",
        "metadata",
        "system",
        "essentialDefault",
        "executionCount",
        "lastExecutedAt",
        "createdAt",
        "lastUpdated",
    ];
}

/// Sets a member of a behavior, if it was sent.
///
/// # Errors
/// When it is not JSON.
pub fn put(
    behavior: &mut Metadata,
    name: &str,
    sent: &Option<impl Serialize>,
) -> Result<(), serde_json::Error> {
    if let Some(sent) = sent {
        behavior.insert(name.to_owned(), serde_json::to_value(sent)?);
    }
    Ok(())
}

/// Size of an object as JSON.
pub fn size(object: &Metadata) -> usize {
    serde_json::to_string(object).map_or(usize::MAX, |text| text.len())
}

/// Merges one level deep: within a block, sent members replace the stored ones as a whole.
pub fn merge(stored: &mut Metadata, sent: Metadata) {
    for (name, value) in sent {
        match (stored.get_mut(&name), value) {
            (Some(Value::Object(block)), Value::Object(sent)) => block.extend(sent),
            (_, value) => drop(stored.insert(name, value)),
        }
    }
}

/// A violated rule: the member and the message.
pub type Fault = (&'static [&'static str], &'static str);

/// Checks the rules across members, for a new agent and for a merged version.
///
/// # Errors
/// The first violated rule.
pub fn check(behavior: &Metadata) -> Result<(), Fault> {
    const REQUIRED: &str = "is required";
    let block = |name: &str| behavior.get(name).and_then(Value::as_object);
    let gathering = block("contextGathering").ok_or((&["contextGathering"] as &[_], REQUIRED))?;
    let execution = block("execution").ok_or((&["execution"] as &[_], REQUIRED))?;
    let strategies = gathering.get("strategies").and_then(Value::as_array);
    let strategies = strategies.ok_or((&["contextGathering", "strategies"] as &[_], REQUIRED))?;
    let gathers = |word: &str| strategies.iter().any(|strategy| strategy == word);
    let option =
        |strategy: &str, name: &str| gathering.get("strategyOptions")?.get(strategy)?.get(name);
    let has = |strategy: &str, name: &str| {
        gathering.contains_key(name) || option(strategy, name).is_some()
    };
    if gathers("computed-styles") && !has("computed-styles", "selectors") {
        let message = "is required by the strategy computed-styles";
        return Err((&["contextGathering", "selectors"], message));
    }
    if gathers("rest-api") && !has("rest-api", "endpoints") {
        return Err((&["contextGathering", "endpoints"], "is required by the strategy rest-api"));
    }
    let by = execution.get("executionStrategy").and_then(Value::as_str).unwrap_or("ai");
    if by.starts_with("service") && !execution.contains_key("serviceId") {
        return Err((&["execution", "serviceId"], "is required by this execution strategy"));
    }
    let instructions = behavior.get("instructions").and_then(Value::as_str).unwrap_or_default();
    if by != "service" && instructions.trim().is_empty() {
        return Err((&["instructions"], "is required and must not be blank"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{check, merge};
    use crate::Metadata;

    fn object(value: Value) -> Metadata {
        let Value::Object(object) = value else { panic!("an object") };
        object
    }

    #[test]
    fn a_merge_goes_one_level_deep() {
        let mut stored = object(json!({
            "execution": { "aiConfig": { "provider": "claude", "maxToolTurns": 3 }, "kept": 1 },
            "instructions": "old", "list": [1, 2], "odd": 1,
        }));
        merge(
            &mut stored,
            object(json!({
                "execution": { "aiConfig": { "maxToolTurns": 8 } }, "instructions": "new",
                "list": [3], "odd": { "a": 1 }, "setup": { "b": 2 },
            })),
        );
        let expected = json!({
            "execution": { "aiConfig": { "maxToolTurns": 8 }, "kept": 1 },
            "instructions": "new", "list": [3], "odd": { "a": 1 }, "setup": { "b": 2 },
        });
        assert_eq!(Value::from(stored), expected);
    }

    #[test]
    fn a_behavior_holds_as_a_whole() {
        let gathering = |strategy: &str| json!({ "strategies": [strategy] });
        for (behavior, fault) in [
            (json!({ "execution": {}, "instructions": "x" }), "contextGathering"),
            (json!({ "contextGathering": gathering("none"), "instructions": "x" }), "execution"),
            (json!({ "contextGathering": {}, "execution": {}, "instructions": "x" }), "strategies"),
            (json!({ "contextGathering": gathering("none"), "execution": {} }), "instructions"),
            (
                json!({ "contextGathering": gathering("none"), "execution": {}, "instructions": " \t" }),
                "instructions",
            ),
            (
                json!({
                    "contextGathering": gathering("none"), "instructions": "x",
                    "execution": { "executionStrategy": "service+ai" },
                }),
                "serviceId",
            ),
            (
                json!({ "contextGathering": gathering("rest-api"), "execution": {}, "instructions": "x" }),
                "endpoints",
            ),
            (
                json!({
                    "contextGathering": gathering("computed-styles"), "execution": {},
                    "instructions": "x",
                }),
                "selectors",
            ),
        ] {
            let (path, _) = check(&object(behavior)).unwrap_err();
            assert_eq!(path.last(), Some(&fault));
        }
        let service = json!({
            "contextGathering": gathering("none"),
            "execution": { "executionStrategy": "service", "serviceId": "crawler" },
        });
        assert_eq!(check(&object(service)), Ok(()));
    }
}
