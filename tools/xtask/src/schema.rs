//! Schemas of requests and replies, made from the types that read and write them.
//!
//! A type is one component. Where a request takes less than a reply shows, the type of requests
//! is called `UserInput` and that of replies `User`.

mod tidy;

use std::collections::BTreeSet;

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use service::{Effect, Spec};
use tidy::{absent_or_present, list, tidy};

/// Where references point until it is known what each type is called.
const REQUESTS: &str = "#/requests/";
const REPLIES: &str = "#/replies/";

/// Makes schemas.
pub(crate) struct Schemas {
    requests: SchemaGenerator,
    replies: SchemaGenerator,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        let settings = |path: &str| {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = path.trim_end_matches('/').to_owned().into();
                settings.meta_schema = None;
            })
        };
        Self {
            requests: settings(REQUESTS).for_deserialize().into_generator(),
            replies: settings(REPLIES).for_serialize().into_generator(),
        }
    }

    /// The schema of `data`.
    pub(crate) fn request(&mut self, spec: &Spec) -> Result<Value, String> {
        let mut schema = checked(spec.name, (spec.request)(&mut self.requests))?;
        if spec.effect == Effect::Deletes {
            self.close(&mut schema);
        }
        Ok(schema)
    }

    /// The schema of `result`.
    pub(crate) fn reply(&mut self, spec: &Spec) -> Result<Value, String> {
        let mut schema = checked(spec.name, (spec.response)(&mut self.replies))?;
        absent_or_present(&mut schema);
        let Some(result) = schema.as_object_mut().filter(|schema| schema["type"] == "object")
        else {
            let name = spec.name;
            return Err(format!("{name}: the reply is no object, so it has no place in result"));
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

    /// The schema of a type of replies.
    pub(crate) fn of<T: schemars::JsonSchema>(&mut self) -> Value {
        self.replies.subschema_for::<T>().to_value()
    }

    /// Members that are not listed are refused, in objects of other components, too: these are
    /// written out, because elsewhere they may be open.
    fn close(&self, schema: &mut Value) {
        let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix(REQUESTS));
        let target = target.and_then(|name| self.requests.definitions().get(name));
        if let Some(object) = target.filter(|target| target.get("properties").is_some()) {
            *schema = object.clone();
            tidy(schema);
        }
        match schema {
            Value::Object(members) => {
                if members.get("properties").is_some_and(Value::is_object) {
                    members.entry("additionalProperties").or_insert(Value::Bool(false));
                }
                members.values_mut().for_each(|schema| self.close(schema));
            }
            Value::Array(elements) => elements.iter_mut().for_each(|schema| self.close(schema)),
            _ => {}
        }
    }

    /// The types with a name. References in `document`, which holds the schemas that were made,
    /// point to them from then on.
    pub(crate) fn components(mut self, document: &mut Value) -> Result<Map<String, Value>, String> {
        let mut requests = self.requests.take_definitions(true);
        let mut replies = self.replies.take_definitions(true);
        requests.values_mut().for_each(tidy);
        for reply in replies.values_mut() {
            tidy(reply);
            absent_or_present(reply);
        }
        same_are_one(&mut requests, REQUESTS, document);
        same_are_one(&mut replies, REPLIES, document);
        let names = requests.keys().chain(replies.keys());
        let faults: Vec<String> = names.filter_map(|name| ill_named(name)).collect();
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
        let differing = differing(&requests, &replies);
        let mut components = Map::new();
        for (name, mut reply) in replies {
            resolve(&mut reply, &differing);
            components.insert(name, reply);
        }
        for (name, mut request) in requests {
            resolve(&mut request, &differing);
            let name = if differing.contains(&name) { input(&name) } else { name };
            let other = components.insert(name.clone(), request.clone());
            if other.is_some_and(|other| other != request) {
                return Err(format!("Two types are both named {name}."));
            }
        }
        resolve(document, &differing);
        Ok(components)
    }
}

fn checked(operation: &str, schema: Schema) -> Result<Value, String> {
    let mut schema = schema.to_value();
    tidy(&mut schema);
    match tidy::foreign(&schema) {
        Some(keyword) => Err(format!("{operation}: its schema holds {keyword}")),
        None => Ok(schema),
    }
}

/// What a type of requests is called where replies show more of it.
fn input(name: &str) -> String {
    format!("{name}Input")
}

/// Names are words. The generator numbers types of the same name.
fn ill_named(name: &str) -> Option<String> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphabetic());
    if is_plain && name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    Some(format!(
        "The schema {name} needs another name: give the type, or each of the types that are named \
         {base}, a `#[schemars(rename = \"…\")]`"
    ))
}

/// Types of the same name that say the same become one; the generator numbered them.
fn same_are_one(types: &mut Map<String, Value>, path: &str, document: &mut Value) {
    let numbered = |name: &&String| name.ends_with(|c: char| c.is_ascii_digit());
    for name in types.keys().filter(numbered).cloned().collect::<Vec<_>>() {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        if types.get(&base) == types.get(&name) {
            types.remove(&name);
            let (from, to) = (format!("{path}{name}"), format!("{path}{base}"));
            types
                .values_mut()
                .chain([&mut *document])
                .for_each(|schema| repoint(schema, &from, &to));
        }
    }
}

fn repoint(schema: &mut Value, from: &str, to: &str) {
    match schema {
        Value::String(target) if target == from => *target = to.to_owned(),
        Value::Object(members) => members.values_mut().for_each(|value| repoint(value, from, to)),
        Value::Array(elements) => elements.iter_mut().for_each(|value| repoint(value, from, to)),
        _ => {}
    }
}

/// Types that differ between requests and replies, by themselves or by what they refer to.
fn differing(requests: &Map<String, Value>, replies: &Map<String, Value>) -> BTreeSet<String> {
    let both = || requests.iter().filter_map(|(name, sent)| Some((name, sent, replies.get(name)?)));
    let neutral = |schema: &Value| {
        let text = schema.to_string();
        text.replace(REQUESTS, "#/").replace(REPLIES, "#/")
    };
    let apart = both().filter(|(_, sent, shown)| neutral(sent) != neutral(shown));
    let mut differing: BTreeSet<String> = apart.map(|(name, ..)| name.clone()).collect();
    loop {
        let refers = |schema: &Value| {
            let text = schema.to_string();
            differing.iter().any(|name| text.contains(&format!("{REQUESTS}{name}\"")))
        };
        let more = both().filter(|(name, sent, _)| !differing.contains(*name) && refers(sent));
        let more: Vec<String> = more.map(|(name, ..)| name.clone()).collect();
        if more.is_empty() {
            return differing;
        }
        differing.extend(more);
    }
}

/// Points references to components.
fn resolve(schema: &mut Value, differing: &BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                let target = value.as_str().filter(|_| keyword == "$ref").and_then(|target| {
                    let sent = target.strip_prefix(REQUESTS);
                    let sent = sent.map(|name| match differing.contains(name) {
                        true => input(name),
                        false => name.to_owned(),
                    });
                    sent.or_else(|| target.strip_prefix(REPLIES).map(str::to_owned))
                });
                match target {
                    Some(name) => *value = format!("#/components/schemas/{name}").into(),
                    None => resolve(value, differing),
                }
            }
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| resolve(element, differing))
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{differing, ill_named, resolve, same_are_one};

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_type_differs_when_one_that_it_refers_to_does() {
        let requests = map(json!({
            "A": { "items": { "$ref": "#/requests/B" } },
            "B": { "items": { "$ref": "#/requests/C" } },
            "C": { "type": "object" },
            "D": { "items": { "$ref": "#/requests/E" } },
            "E": { "type": "string" },
        }));
        let replies = map(json!({
            "A": { "items": { "$ref": "#/replies/B" } },
            "B": { "items": { "$ref": "#/replies/C" } },
            "C": { "type": "object", "required": ["x"] },
            "D": { "items": { "$ref": "#/replies/E" } },
            "E": { "type": "string" },
        }));
        let differing = differing(&requests, &replies);
        assert_eq!(differing.iter().collect::<Vec<_>>(), ["A", "B", "C"]);
        let mut schema = json!([
            { "$ref": "#/requests/A" }, { "$ref": "#/replies/A" }, { "$ref": "#/requests/D" },
        ]);
        resolve(&mut schema, &differing);
        let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        assert_eq!(schema, json!([to("AInput"), to("A"), to("D")]));
    }

    #[test]
    fn a_name_that_was_numbered_is_refused() {
        assert_eq!(ill_named("DocumentInput"), None);
        assert!(ill_named("Entry2").unwrap().contains("named Entry,"));
        assert!(ill_named("Map_of_string").is_some());
    }

    #[test]
    fn types_of_the_same_name_are_one_when_they_say_the_same() {
        let mut types = map(json!({
            "A": { "type": "string" },
            "A2": { "type": "string" },
            "A3": { "type": "object" },
        }));
        let mut document = json!([{ "$ref": "#/replies/A2" }, { "$ref": "#/replies/A3" }]);
        same_are_one(&mut types, "#/replies/", &mut document);
        assert_eq!(types.keys().collect::<Vec<_>>(), ["A", "A3"]);
        assert_eq!(document, json!([{ "$ref": "#/replies/A" }, { "$ref": "#/replies/A3" }]));
    }
}
