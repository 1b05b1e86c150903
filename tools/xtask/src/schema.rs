//! Schemas of requests and responses, made from the types that read and write them.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use service::{Effect, Spec};

const REFERENCES: &str = "/components/schemas";

/// Makes schemas. What can be is inlined; types that contain themselves become components.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    responses: SchemaGenerator,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.definitions_path = REFERENCES.into();
            settings.meta_schema = None;
        });
        Self {
            requests: settings.clone().for_deserialize().into_generator(),
            responses: settings.for_serialize().into_generator(),
        }
    }

    /// The schema of `data`.
    pub(crate) fn request(&mut self, spec: &Spec) -> Result<Value, String> {
        let mut schema = tidy(spec.name, (spec.request)(&mut self.requests))?;
        if spec.effect == Effect::Deletes {
            closed(&mut schema);
        }
        Ok(schema)
    }

    /// The schema of `result`.
    pub(crate) fn response(&mut self, spec: &Spec) -> Result<Value, String> {
        let mut schema = tidy(spec.name, (spec.response)(&mut self.responses))?;
        absent_or_present(&mut schema);
        let Some(result) = schema.as_object_mut().filter(|schema| schema["type"] == "object")
        else {
            return Err(format!(
                "{}: the response is no object, so it has no place in result",
                spec.name
            ));
        };
        result.remove("description");
        let mut required = vec![json!("status"), json!("message")];
        required.extend(list(result.get("required")).cloned());
        result.insert("required".to_owned(), required.into());
        let properties = result.entry("properties").or_insert_with(|| json!({}));
        for (name, schema) in [
            ("status", json!({ "type": "string", "const": "success" })),
            ("message", json!({ "type": "string", "description": "Text for people." })),
        ] {
            if properties.get(name).is_some() {
                return Err(format!("{}: result has a {name} of its own already", spec.name));
            }
            properties[name] = schema;
        }
        Ok(schema)
    }

    /// The types that contain themselves.
    pub(crate) fn components(mut self) -> Result<Map<String, Value>, String> {
        let mut components = Map::new();
        let requests = self.requests.take_definitions(true).into_iter().map(|taken| (false, taken));
        let responses =
            self.responses.take_definitions(true).into_iter().map(|taken| (true, taken));
        for (written, (name, mut schema)) in requests.chain(responses) {
            tidy_value(&mut schema);
            if written {
                absent_or_present(&mut schema);
            }
            let other = components.insert(name.clone(), schema.clone());
            if other.is_some_and(|other| other != schema) {
                return Err(format!("Two types of requests and responses are both named {name}."));
            }
        }
        Ok(components)
    }
}

fn tidy(operation: &str, schema: Schema) -> Result<Value, String> {
    let mut schema = schema.to_value();
    tidy_value(&mut schema);
    match foreign(&schema) {
        Some(keyword) => Err(format!("{operation}: its schema holds {keyword}")),
        None => Ok(schema),
    }
}

/// Keywords that have no meaning inside an OpenAPI document.
fn foreign(schema: &Value) -> Option<&'static str> {
    match schema {
        Value::Object(members) => ["$schema", "$defs"]
            .into_iter()
            .find(|keyword| members.contains_key(*keyword))
            .or_else(|| members.values().find_map(foreign)),
        Value::Array(elements) => elements.iter().find_map(foreign),
        _ => None,
    }
}

/// Says the same in fewer words.
fn tidy_value(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            named_by_pattern(members);
            // Sentences for readers of Rust, with links that lead nowhere here.
            let for_rust = |text: &Value| text.as_str().is_some_and(|text| text.contains("[`"));
            if members.get("description").is_some_and(for_rust) {
                members.remove("description");
            }
            members.values_mut().for_each(tidy_value);
        }
        Value::Array(elements) => elements.iter_mut().for_each(tidy_value),
        _ => {}
    }
}

/// Members that are not listed are refused.
fn closed(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("properties").is_some_and(Value::is_object) {
                members.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            members.values_mut().for_each(closed);
        }
        Value::Array(elements) => elements.iter_mut().for_each(closed),
        _ => {}
    }
}

/// A member that is left out when there is no value is never null.
fn absent_or_present(schema: &mut Value) {
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

fn never_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            schema["type"] = single.clone();
        }
    }
    let Some(Value::Array(options)) = schema.get_mut("anyOf") else { return };
    options.retain(|option| option["type"] != "null");
    if let [single] = options.as_slice() {
        // What the member itself says goes before what its type says.
        let mut merged = single.clone();
        if let (Value::Object(merged), Value::Object(own)) = (&mut merged, schema.clone()) {
            merged.extend(own.into_iter().filter(|(keyword, _)| keyword != "anyOf"));
        }
        *schema = merged;
    }
}

/// A map from texts of one pattern, in the words that readers of documentation know.
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

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{absent_or_present, foreign, tidy_value};

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
        tidy_value(&mut schema);
        let wanted = json!({
            "type": "object",
            "propertyNames": { "pattern": "^a$" },
            "additionalProperties": { "type": "null" },
        });
        assert_eq!(schema, wanted);
    }

    #[test]
    fn what_is_foreign_to_openapi_is_found_at_any_depth() {
        assert_eq!(foreign(&json!({ "a": [{ "$defs": {} }] })), Some("$defs"));
        assert_eq!(foreign(&json!({ "a": [{ "$ref": "#/x" }] })), None);
    }
}
