//! Simplification of schemas for readers and generators.

use serde_json::{Map, Value, json};

/// Simplifies a schema.
pub(super) fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            named_by_pattern(members);
            plain_enum(members);
            one_object(members);
            anything(members);
            // Ranges of Rust; `minimum` and `maximum` are the actual ones.
            let sized = |text: &Value| text.as_str().is_some_and(|text| text.starts_with("uint"));
            if members.get("format").is_some_and(sized) {
                members.remove("format");
            }
            // Sentences for readers of Rust, with broken links or none.
            let useless = |text: &str| text.is_empty() || text.contains("[`");
            match members.get_mut("description") {
                Some(Value::String(text)) if useless(text) => drop(members.remove("description")),
                Some(Value::String(text)) => *text = reflowed(text),
                _ => {}
            }
            // The relation of a request and its page token is internal; for schemas with
            // `writeOnly` some generators make two types each.
            members.remove("writeOnly");
            // Redundant keywords.
            for (keyword, value) in [("minItems", json!(0)), ("default", Value::Null)] {
                if members.get(keyword) == Some(&value) {
                    members.remove(keyword);
                }
            }
            members.values_mut().for_each(tidy);
        }
        Value::Array(elements) => elements.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// One line for each paragraph and each item of a list.
fn reflowed(text: &str) -> String {
    let kept = text.replace("\n\n", "\u{1}").replace("\n- ", "\u{2}");
    kept.replace('\n', " ").replace('\u{1}', "\n\n").replace('\u{2}', "\n- ")
}

/// Keywords that have no meaning inside an OpenAPI document.
pub(super) fn foreign(schema: &Value) -> Option<&'static str> {
    match schema {
        Value::Object(members) => ["$schema", "$defs"]
            .into_iter()
            .find(|keyword| members.contains_key(*keyword))
            .or_else(|| members.values().find_map(foreign)),
        Value::Array(elements) => elements.iter().find_map(foreign),
        _ => None,
    }
}

/// An optional member that is omitted is never null.
pub(super) fn absent_or_present(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let required: Vec<Value> = list(members.get("required")).cloned().collect();
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                let optional = properties
                    .iter_mut()
                    .filter(|(name, _)| !required.iter().any(|required| required == name.as_str()));
                optional.for_each(|(_, schema)| never_null(schema));
            }
            members.values_mut().for_each(absent_or_present);
        }
        Value::Array(elements) => elements.iter_mut().for_each(absent_or_present),
        _ => {}
    }
}

/// Leaves out what was checked when it was sent: callers need not check it in replies again.
pub(super) fn without_bounds(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("minimum") == Some(&json!(0)) {
                members.remove("minimum");
            }
            members.remove("propertyNames");
            // A member of such a name is an object.
            for keyword in ["minLength", "maxLength", "pattern"] {
                if members.get(keyword).is_some_and(|value| !value.is_object()) {
                    members.remove(keyword);
                }
            }
            members.values_mut().for_each(without_bounds);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_bounds),
        _ => {}
    }
}

/// Takes null from what a member may be.
pub(super) fn never_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            schema["type"] = single.clone();
        }
    }
    let Some(Value::Array(options)) = schema.get_mut("anyOf") else { return };
    options.retain(|option| option["type"] != "null");
    if let [single] = options.as_slice() {
        // The description of the member precedes that of its type.
        let mut merged = single.clone();
        if let (Value::Object(merged), Value::Object(own)) = (&mut merged, schema.clone()) {
            merged.extend(own.into_iter().filter(|(keyword, _)| keyword != "anyOf"));
        }
        *schema = merged;
    }
}

/// A map with a key pattern, described in words.
fn named_by_pattern(schema: &mut Map<String, Value>) {
    if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
        return;
    }
    let Some(Value::Object(patterns)) = schema.get("patternProperties") else { return };
    let mut patterns = patterns.clone().into_iter();
    let (Some((pattern, value)), None) = (patterns.next(), patterns.next()) else { return };
    schema.remove("patternProperties");
    schema.insert("propertyNames".to_owned(), json!({ "pattern": pattern }));
    schema.insert("additionalProperties".to_owned(), value);
}

/// Alternatives of texts with optional descriptions, as one `enum` with a list of sentences.
fn plain_enum(schema: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = schema.get("oneOf") else { return };
    let (mut values, mut lines) = (Vec::new(), Vec::new());
    for option in options {
        let texts: Vec<&Value> = match (option.get("const"), option.get("enum")) {
            (Some(text), _) => vec![text],
            (None, Some(Value::Array(texts))) => texts.iter().collect(),
            _ => return,
        };
        if !texts.iter().all(|text| text.is_string()) {
            return;
        }
        if let (Some(sentence), [text]) = (option["description"].as_str(), texts.as_slice()) {
            let text = text.as_str().unwrap_or_default();
            lines.push(format!("- `{text}`: {}", sentence.replace('\n', " ")));
        }
        values.extend(texts.into_iter().cloned());
    }
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), values.into());
    if !lines.is_empty() {
        let own = schema.get("description").and_then(Value::as_str);
        let text = own.into_iter().map(|own| format!("{own}\n")).chain(lines).collect::<Vec<_>>();
        schema.insert("description".to_owned(), text.join("\n").into());
    }
}

/// Alternatives of objects as one object with the members of all: generators cannot name options.
fn one_object(schema: &mut Map<String, Value>) {
    let options = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword).cloned());
    let Some(Value::Array(options)) = options else { return };
    if options.is_empty() || !options.iter().all(|option| option["properties"].is_object()) {
        return;
    }
    schema.remove("anyOf");
    schema.remove("oneOf");
    let in_all = |name: &Value| {
        options.iter().all(|option| list(option.get("required")).any(|required| required == name))
    };
    let mut required: Vec<Value> = list(schema.get("required")).cloned().collect();
    required.extend(list(options[0].get("required")).filter(|name| in_all(name)).cloned());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("type".to_owned(), "object".into());
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    for (name, member) in
        options.iter().filter_map(|option| option["properties"].as_object()).flatten()
    {
        properties[name.as_str()] = member.clone();
    }
}

/// Any value is `{}` instead of `true`, which some generators cannot read.
fn anything(schema: &mut Map<String, Value>) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    let members: Vec<&mut Value> = members.into_iter().flat_map(Map::values_mut).collect();
    for member in members {
        if *member == Value::Bool(true) {
            *member = json!({});
        }
    }
    if let Some(items) = schema.get_mut("items").filter(|items| **items == Value::Bool(true)) {
        *items = json!({});
    }
}

pub(super) fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{absent_or_present, foreign, tidy};

    #[test]
    fn a_member_that_may_be_absent_is_not_null_and_one_that_is_required_may_be() {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": ["string", "null"] },
                "b": { "type": ["string", "null"] },
                "c": { "anyOf": [{ "type": "object", "description": "T." }, { "type": "null" }] },
            },
            "required": ["a"],
        });
        absent_or_present(&mut schema);
        let members = json!({
            "a": { "type": ["string", "null"] },
            "b": { "type": "string" },
            "c": { "type": "object", "description": "T." },
        });
        assert_eq!(schema["properties"], members);
    }

    #[test]
    fn a_map_says_what_its_names_look_like() {
        let mut schema = json!({
            "type": "object",
            "patternProperties": { "^a$": { "type": "null", "description": "See [`X`]." } },
            "additionalProperties": false,
        });
        tidy(&mut schema);
        let wanted = json!({
            "type": "object",
            "propertyNames": { "pattern": "^a$" },
            "additionalProperties": { "type": "null" },
        });
        assert_eq!(schema, wanted);
    }

    #[test]
    fn a_description_is_one_line_for_each_paragraph_and_item() {
        let mut schema = json!({ "description": "A\nb.\n\nC:\n- d\n- e\nf", "minItems": 0 });
        tidy(&mut schema);
        assert_eq!(schema, json!({ "description": "A b.\n\nC:\n- d\n- e f" }));
        let mut schema = json!({ "description": "", "type": "string" });
        tidy(&mut schema);
        assert_eq!(schema, json!({ "type": "string" }));
    }

    #[test]
    fn one_of_several_texts_is_an_enum() {
        let mut schema = json!({
            "description": "A light.",
            "oneOf": [
                { "type": "string", "enum": ["off", "broken"] },
                { "type": "string", "const": "on", "description": "It\nshines." },
            ],
        });
        tidy(&mut schema);
        let wanted = json!({
            "description": "A light.\n\n- `on`: It shines.",
            "type": "string",
            "enum": ["off", "broken", "on"],
        });
        assert_eq!(schema, wanted);
        let mut other = json!({ "oneOf": [{ "const": "a" }, { "type": "object" }] });
        tidy(&mut other);
        assert_eq!(other, json!({ "oneOf": [{ "const": "a" }, { "type": "object" }] }));
    }

    #[test]
    fn an_object_of_one_of_several_kinds_has_the_members_of_all() {
        let mut schema = json!({
            "properties": { "id": { "type": "string" } },
            "required": ["id"],
            "anyOf": [
                { "properties": { "a": true, "b": { "type": "null" } }, "required": ["a", "b"] },
                { "properties": { "b": { "type": "null" } }, "required": ["b"] },
            ],
        });
        tidy(&mut schema);
        let wanted = json!({
            "type": "object",
            "properties": { "id": { "type": "string" }, "a": {}, "b": { "type": "null" } },
            "required": ["id", "b"],
        });
        assert_eq!(schema, wanted);
        let mut other = json!({ "anyOf": [{ "$ref": "#/x" }, { "type": "null" }] });
        tidy(&mut other);
        assert_eq!(other, json!({ "anyOf": [{ "$ref": "#/x" }, { "type": "null" }] }));
    }

    #[test]
    fn what_is_foreign_to_openapi_is_found_at_any_depth() {
        assert_eq!(foreign(&json!({ "a": [{ "$defs": {} }] })), Some("$defs"));
        assert_eq!(foreign(&json!({ "a": [{ "$ref": "#/x" }] })), None);
    }
}
