//! Schemas of requests and replies, derived from their types.
//!
//! A type is one component. If requests and replies differ, the type of requests is `UserInput` and
//! that of replies `User`.

mod merge;
mod named;
mod tidy;

use merge::{REPLIES, REQUESTS, differing, drop_unused, ill_named, input, resolve, same_are_one};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use service::{Effect, Spec};
use tidy::{absent_or_present, tidy, without_floor};

pub(crate) use named::named;

/// Members of every result.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "for its schema")]
struct Success {
    #[schemars(extend("const" = "success"))]
    status: String,
    /// Text for people.
    message: String,
}

/// A generator of schemas.
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
        without_floor(&mut schema);
        let Some(result) = schema.as_object_mut().filter(|schema| schema["type"] == "object")
        else {
            let name = spec.name;
            return Err(format!("{name}: the reply is no object, so it has no place in result"));
        };
        result.remove("description");
        let properties = result.get("properties").and_then(Value::as_object);
        for name in ["status", "message"] {
            if properties.is_some_and(|properties| properties.contains_key(name)) {
                return Err(format!("{}: result has a {name} of its own already", spec.name));
            }
        }
        let common = self.of::<Success>();
        Ok(match properties.is_none_or(Map::is_empty) {
            true => common,
            false => json!({ "allOf": [common, schema] }),
        })
    }

    /// The schema of a type of replies.
    pub(crate) fn of<T: JsonSchema>(&mut self) -> Value {
        self.replies.subschema_for::<T>().to_value()
    }

    /// Strict schemas, which refuse unlisted members: those of other components are named
    /// `StrictPerson` for `Person`, because they may be open elsewhere.
    fn close(&self, schema: &mut Value) {
        let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix(REQUESTS));
        let found = target.and_then(|name| Some((name, self.requests.definitions().get(name)?)));
        if let Some((name, object)) = found.filter(|(_, it)| it.get("properties").is_some()) {
            let (title, mut object) = (format!("Strict{name}"), object.clone());
            object["title"] = json!(title);
            tidy(&mut object);
            *schema = object;
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

    /// The named types. References in `document`, which contains the generated schemas, then point
    /// to them.
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
            if differing.contains(&name) || !requests.contains_key(&name) {
                without_floor(&mut reply);
                resolve(&mut reply, &differing);
                components.insert(name, reply);
            }
        }
        for (name, mut request) in requests {
            resolve(&mut request, &differing);
            let name = if differing.contains(&name) { input(&name) } else { name };
            if components.insert(name.clone(), request).is_some() {
                return Err(format!("Two types are both named {name}."));
            }
        }
        resolve(document, &differing);
        drop_unused(&mut components, document);
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
