//! Changes that callers of a released version would notice.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// One sentence for each promise of the old document that the new one breaks.
pub fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Breaks { old, new, faults: vec![], seen: BTreeSet::new() };
    for (path, item) in members(&old["paths"]) {
        let (before, after) = (&item["post"], &new["paths"][path]["post"]);
        if after.is_null() {
            found.say(path, "is gone");
            continue;
        }
        if before["operationId"] != after["operationId"] {
            found.say(path, "has another operationId");
        }
        let bodies = |part: fn(&Value) -> &Value| [body(old, part(before)), body(new, part(after))];
        found.compare(path, bodies(|it| &it["requestBody"]), Way::Sent);
        found.compare(path, bodies(|it| &it["responses"]["200"]), Way::Shown);
    }
    for (name, item) in members(&old["webhooks"]) {
        let [before, after] = [item, &new["webhooks"][name]].map(|it| &it["post"]["requestBody"]);
        match after.is_null() {
            true => found.say(name, "is gone"),
            false => found.compare(name, [body(old, before), body(new, after)], Way::Shown),
        }
    }
    // Generators name classes after them.
    for (name, _) in members(&old["components"]["schemas"]) {
        if new["components"]["schemas"].get(name).is_none() {
            found.say(name, "is gone");
        }
    }
    found.faults
}

/// The writer of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The caller.
    Sent,
    /// The service.
    Shown,
}

struct Breaks<'a> {
    old: &'a Value,
    new: &'a Value,
    faults: Vec<String>,
    /// Pairs of components that were compared.
    seen: BTreeSet<(String, String, bool)>,
}

impl Breaks<'_> {
    fn say(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place} {what}"));
    }

    fn compare(&mut self, place: &str, [before, after]: [&Value; 2], way: Way) {
        let name = |schema: &Value| schema["$ref"].as_str().map(str::to_owned);
        if let (Some(before), Some(after)) = (name(before), name(after))
            && !self.seen.insert((before, after, way == Way::Sent))
        {
            return;
        }
        let (before, after) = (whole(self.old, before), whole(self.new, after));
        for keyword in ["type", "const", "pattern"] {
            if before.get(keyword) != after.get(keyword) {
                self.say(place, &format!("has another `{keyword}`"));
            }
        }
        let [given, taken] = [&before, &after].map(|it| texts(it.get("enum")));
        let narrow = |[all, some]: [&BTreeSet<String>; 2]| !some.is_subset(all);
        if narrow(if way == Way::Sent { [&taken, &given] } else { [&given, &taken] }) {
            self.say(place, "has other values");
        }
        for (keyword, is_upper) in
            [("maxLength", true), ("maxItems", true), ("maximum", true), ("minimum", false)]
        {
            let number = |it: &Map<String, Value>| it.get(keyword).and_then(Value::as_f64);
            let is_narrower = match (number(&before), number(&after)) {
                (Some(old), Some(new)) => {
                    if is_upper {
                        new < old
                    } else {
                        new > old
                    }
                }
                (None, Some(_)) => true,
                _ => false,
            };
            if way == Way::Sent && is_narrower {
                self.say(place, &format!("has a narrower `{keyword}`"));
            }
        }
        let is_closed =
            |it: &Map<String, Value>| it.get("additionalProperties") == Some(&false.into());
        if way == Way::Sent && is_closed(&after) && !is_closed(&before) {
            self.say(place, "refuses other members now");
        }
        let [old, new] = [&before, &after].map(|it| texts(it.get("required")));
        let (fewer, what) = match way {
            Way::Sent => (&new - &old, "is required now"),
            Way::Shown => (&old - &new, "may be missing now"),
        };
        fewer.iter().for_each(|name| self.say(&format!("{place}.{name}"), what));
        for (step, part) in parts(&before) {
            let place = format!("{place}{step}");
            match parts(&after).into_iter().find(|(other, _)| *other == step) {
                Some((_, other)) => self.compare(&place, [part, other], way),
                None => self.say(&place, "is gone"),
            }
        }
    }
}

/// Schemas inside a schema, by the step that leads to them.
fn parts(schema: &Map<String, Value>) -> Vec<(String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut parts: Vec<(String, &Value)> =
        properties.map(|(name, part)| (format!(".{name}"), part)).collect();
    for (keyword, step) in [("items", "[]"), ("additionalProperties", ".*")] {
        parts.extend(schema.get(keyword).map(|part| (step.to_owned(), part)));
    }
    for option in ["anyOf", "oneOf"].iter().flat_map(|keyword| list(schema.get(*keyword))) {
        let name = option["$ref"].as_str().or(option["type"].as_str()).unwrap_or_default();
        parts.push((format!("|{name}"), option));
    }
    parts
}

/// A schema with the parts that it is put together from.
fn whole(document: &Value, schema: &Value) -> Map<String, Value> {
    let mut whole = resolved(document, schema).as_object().cloned().unwrap_or_default();
    for part in list(whole.remove("allOf").as_ref()).map(|part| self::whole(document, part)) {
        for (keyword, value) in part {
            match (whole.get_mut(&keyword), value) {
                (Some(Value::Object(members)), Value::Object(more)) => members.extend(more),
                (Some(Value::Array(elements)), Value::Array(more)) => elements.extend(more),
                (_, value) => drop(whole.insert(keyword, value)),
            }
        }
    }
    whole
}

fn body<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    &resolved(document, part)["content"]["application/json"]["schema"]
}

fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let target = part["$ref"].as_str().and_then(|target| document.pointer(&target[1..]));
    target.map_or(part, |target| resolved(document, target))
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn texts(value: Option<&Value>) -> BTreeSet<String> {
    list(value).filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::breaks;

    fn document() -> Value {
        let body = |name: &str| {
            let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
            json!({ "content": { "application/json": { "schema": schema } } })
        };
        json!({
            "paths": { "/v2/x": { "post": {
                "operationId": "x",
                "requestBody": body("Request"),
                "responses": { "200": { "$ref": "#/components/responses/X" } },
            } } },
            "webhooks": { "x.add": { "post": { "requestBody": body("Event") } } },
            "components": {
                "responses": { "X": body("Result") },
                "schemas": {
                    "Request": { "additionalProperties": true, "properties": {
                        "a": { "type": "string", "maxLength": 9 },
                        "role": { "type": "string", "enum": ["viewer", "editor"] },
                    }, "required": ["a"] },
                    "Result": { "allOf": [
                        { "properties": { "status": { "type": "string" } } },
                        { "properties": { "data": { "items": { "$ref": "#/components/schemas/Item" } } }, "required": ["data"] },
                    ] },
                    "Item": { "properties": { "id": { "type": "string" } }, "required": ["id"] },
                    "Event": { "properties": { "type": { "type": "string", "enum": ["x.add"] } } },
                },
            },
        })
    }

    fn after(change: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut new = document();
        change(&mut new);
        breaks(&document(), &new)
    }

    #[test]
    fn what_callers_rely_on_stays() {
        assert_eq!(after(|_| {}), [""; 0]);
        let cases: [(&str, Value, &str); 11] = [
            ("/paths/~1v2~1x", json!(null), "/v2/x is gone"),
            ("/paths/~1v2~1x/post/operationId", json!("y"), "/v2/x has another operationId"),
            (
                "/components/schemas/Request/required",
                json!(["a", "role"]),
                "/v2/x.role is required now",
            ),
            (
                "/components/schemas/Request/properties/a/type",
                json!("integer"),
                "/v2/x.a has another `type`",
            ),
            (
                "/components/schemas/Request/properties/a/maxLength",
                json!(8),
                "/v2/x.a has a narrower `maxLength`",
            ),
            (
                "/components/schemas/Request/properties/role/enum",
                json!(["editor"]),
                "/v2/x.role has other values",
            ),
            ("/components/schemas/Request/properties/role", json!(null), "/v2/x.role is gone"),
            (
                "/components/schemas/Request/additionalProperties",
                json!(false),
                "/v2/x refuses other members now",
            ),
            ("/components/schemas/Item/required", json!([]), "/v2/x.data[].id may be missing now"),
            ("/components/schemas/Item/properties", json!({}), "/v2/x.data[].id is gone"),
            (
                "/components/schemas/Event/properties/type/enum",
                json!(["x.add", "y"]),
                "x.add.type has other values",
            ),
        ];
        for (place, value, said) in cases {
            let changed = after(|new| match value {
                Value::Null => {
                    let (owner, name) = place.rsplit_once('/').unwrap();
                    let name = name.replace("~1", "/");
                    new.pointer_mut(owner).unwrap().as_object_mut().unwrap().remove(&name);
                }
                value => *new.pointer_mut(place).unwrap() = value,
            });
            assert_eq!(changed, [said], "{place}");
        }
    }

    #[test]
    fn more_may_be_shown_and_less_required() {
        let said = after(|new| {
            let schemas = &mut new["components"]["schemas"];
            schemas["Request"]["required"] = json!([]);
            schemas["Request"]["properties"]["b"] = json!({ "type": "string" });
            schemas["Request"]["properties"]["role"]["enum"] = json!(["viewer", "editor", "owner"]);
            schemas["Request"]["properties"]["a"]["maxLength"] = json!(10);
            schemas["Item"]["properties"]["more"] = json!({ "type": "string" });
            schemas["Item"]["required"] = json!(["id", "more"]);
            new["paths"]["/v2/y"] = json!({ "post": {} });
        });
        assert_eq!(said, [""; 0]);
        let gone = after(|new| {
            let event = json!({ "$ref": "#/components/schemas/Told" });
            let schemas = new["components"]["schemas"].as_object_mut().unwrap();
            let told = schemas.remove("Event").unwrap();
            schemas.insert("Told".to_owned(), told);
            let content = &mut new["webhooks"]["x.add"]["post"]["requestBody"]["content"];
            content["application/json"]["schema"] = event;
        });
        assert_eq!(gone, ["Event is gone"], "a class of generated clients");
    }
}
