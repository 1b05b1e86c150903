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
use tidy::{absent_or_present, never_null, tidy, without_bounds};

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
    fn reply(&mut self, spec: &Spec) -> Result<Value, String> {
        let mut schema = checked(spec.name, (spec.response)(&mut self.replies))?;
        absent_or_present(&mut schema);
        without_bounds(&mut schema);
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

    /// The results of all operations, where types of the same name that say the same are one.
    pub(crate) fn results<'a>(
        &mut self,
        specs: impl Iterator<Item = &'a Spec>,
    ) -> Result<Vec<Value>, String> {
        let results = specs.map(|spec| self.reply(spec)).collect::<Result<Vec<Value>, String>>()?;
        let mut results = Value::from(results);
        same_are_one(&mut self.replies.definitions().clone(), REPLIES, &mut results);
        Ok(results.as_array().cloned().unwrap_or_default())
    }

    /// The schema of a type of replies.
    pub(crate) fn of<T: JsonSchema>(&mut self) -> Value {
        self.replies.subschema_for::<T>().to_value()
    }

    /// The schema of `data` where these members are required, too. A type that changes by this is
    /// called `PersonV1` where the suffix is `V1`.
    pub(crate) fn requiring(
        &self,
        mut schema: Value,
        members: impl Iterator<Item = &'static str>,
        suffix: &str,
    ) -> Value {
        for member in members {
            let (owners, name) = member.rsplit_once('.').unwrap_or(("", member));
            let mut object = &mut schema;
            for owner in owners.split_terminator('.') {
                object = &mut object["properties"][owner];
                self.write_out(object, |name| format!("{name}{suffix}"));
            }
            never_null(&mut object["properties"][name]);
            match object["required"].as_array_mut() {
                Some(required) => required.push(name.into()),
                None => object["required"] = json!([name]),
            }
        }
        schema
    }

    /// Puts an object in the place of a reference to it, under another name.
    fn write_out(&self, schema: &mut Value, title: impl FnOnce(&str) -> String) {
        let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix(REQUESTS));
        let found = target.and_then(|name| Some((name, self.requests.definitions().get(name)?)));
        if let Some((name, object)) = found.filter(|(_, it)| it.get("properties").is_some()) {
            let mut object = object.clone();
            object["title"] = title(name).into();
            tidy(&mut object);
            *schema = object;
        }
    }

    /// Strict schemas, which refuse unlisted members: those of other components are named
    /// `StrictPerson` for `Person`, because they may be open elsewhere.
    fn close(&self, schema: &mut Value) {
        self.write_out(schema, |name| format!("Strict{name}"));
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
                without_bounds(&mut reply);
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
