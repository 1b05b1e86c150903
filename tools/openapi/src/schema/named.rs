//! Names for types without one in Rust, which generators would number.

use registry::pascal;
use serde_json::{Map, Value, json};

/// Objects with custom members.
const FREE: &str = "JsonObject";

/// Found schemas, by name.
type Found = Vec<(String, Value)>;

/// Turns the objects and enums inside components into components, named by their title, else after
/// their owner and the member.
pub(crate) fn named(components: &mut Map<String, Value>) -> Result<(), String> {
    let mut waiting: Found = std::mem::take(components).into_iter().collect();
    while let Some((name, mut schema)) = waiting.pop() {
        inside(&name, &mut schema, &mut waiting);
        let other = components.insert(name.clone(), schema.clone());
        if other.is_some_and(|other| other != schema) {
            return Err(format!("Two schemas are both named {name}."));
        }
    }
    Ok(())
}

/// Names the parts of a schema, but not the schema itself.
fn inside(owner: &str, schema: &mut Value, found: &mut Found) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let members = keywords.get_mut("properties").and_then(Value::as_object_mut);
    for (member, schema) in members.into_iter().flatten() {
        name(&format!("{owner}{}", pascal(member)), schema, false, found);
    }
    for (keyword, part) in [("items", "Item"), ("additionalProperties", "Value")] {
        if let Some(schema) = keywords.get_mut(keyword) {
            name(&format!("{owner}{part}"), schema, false, found);
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        let options = keywords.get_mut(keyword).and_then(Value::as_array_mut);
        for option in options.into_iter().flatten() {
            let shape = if option.get("properties").is_some() { "Object" } else { "Map" };
            name(&format!("{owner}{shape}"), option, true, found);
        }
    }
    let parts = keywords.get_mut("allOf").and_then(Value::as_array_mut);
    parts.into_iter().flatten().for_each(|part| inside(owner, part, found));
}

fn name(name: &str, schema: &mut Value, is_option: bool, found: &mut Found) {
    let may_be_null = schema["type"] == json!(["object", "null"]);
    let is_object = may_be_null || schema["type"] == "object";
    if is_object && is_free(schema) {
        let free = json!({
            "type": "object", "additionalProperties": true, "description": "Any JSON object.",
        });
        return refer(schema, FREE, free, may_be_null, found);
    }
    let is_class = schema.get("properties").is_some() || schema.get("enum").is_some();
    if !is_class && !(is_object && (may_be_null || is_option)) {
        return inside(name, schema, found);
    }
    let mut named = schema.clone();
    let title = named["title"].as_str().map(str::to_owned);
    let name = title.as_deref().unwrap_or(name);
    if let Some(keywords) = named.as_object_mut() {
        keywords.remove("description");
        keywords.remove("title");
        if may_be_null {
            keywords.insert("type".to_owned(), "object".into());
        }
    }
    refer(schema, name, named, may_be_null, found);
}

fn is_free(schema: &Value) -> bool {
    let says_more = |(keyword, value): (&String, &Value)| match keyword.as_str() {
        "type" | "description" => false,
        "additionalProperties" => *value != Value::Bool(true),
        _ => true,
    };
    !schema.as_object().is_some_and(|keywords| keywords.iter().any(says_more))
}

/// Replaces a schema by a reference with the description of the member.
fn refer(schema: &mut Value, name: &str, named: Value, may_be_null: bool, found: &mut Found) {
    let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
    let mut referring = match may_be_null {
        true => json!({ "anyOf": [reference, { "type": "null" }] }),
        false => reference,
    };
    if let Some(description) = schema.get("description") {
        referring["description"] = description.clone();
    }
    *schema = referring;
    found.push((name.to_owned(), named));
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::named;

    #[test]
    fn what_has_no_name_is_named_after_its_owner_and_the_member() {
        let components = json!({ "User": { "type": "object", "properties": {
            "plan": { "type": "string", "enum": ["a", "b"], "description": "What is paid." },
            "custom": { "type": ["object", "null"], "additionalProperties": true },
            "names": { "type": ["object", "null"], "additionalProperties": { "type": "string" } },
            "id": { "type": "string" },
            "by": { "type": "object", "title": "StrictPerson", "properties": {} },
        } } });
        let mut components: Map<String, Value> = components.as_object().cloned().unwrap();
        named(&mut components).unwrap();
        let to = |name: &str| format!("#/components/schemas/{name}");
        let members = &components["User"]["properties"];
        assert_eq!(
            members["plan"],
            json!({ "$ref": to("UserPlan"), "description": "What is paid." })
        );
        assert_eq!(members["custom"]["anyOf"][0]["$ref"], to("JsonObject"));
        assert_eq!(members["names"]["anyOf"][0]["$ref"], to("UserNames"));
        assert_eq!(members["id"], json!({ "type": "string" }));
        assert_eq!(components["UserPlan"], json!({ "type": "string", "enum": ["a", "b"] }));
        assert_eq!(components["UserNames"]["type"], "object");
        assert_eq!(members["by"]["$ref"], to("StrictPerson"));
        assert_eq!(components["StrictPerson"], json!({ "type": "object", "properties": {} }));
        assert_eq!(components.len(), 5);
    }
}
