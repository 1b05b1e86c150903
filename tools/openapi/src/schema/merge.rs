//! Merging of the separate types of requests and replies into one set of components.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::tidy::absent_or_present;

/// The target of references before types are named.
pub(super) const REQUESTS: &str = "#/requests/";
pub(super) const REPLIES: &str = "#/replies/";

/// Suffix of a request type that differs from its reply type.
pub(super) fn input(name: &str) -> String {
    format!("{name}Input")
}

/// Names are words. The generator numbers types with the same name.
pub(super) fn ill_named(name: &str) -> Option<String> {
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

/// Types with the same name and schema are merged; the generator numbered them.
pub(super) fn same_are_one(types: &mut Map<String, Value>, path: &str, document: &mut Value) {
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

/// Types that differ between requests and replies, directly or by reference. Nullable in requests
/// and absent from replies does not count.
pub(super) fn differing(
    requests: &Map<String, Value>,
    replies: &Map<String, Value>,
) -> BTreeSet<String> {
    let both = || requests.iter().filter_map(|(name, sent)| Some((name, sent, replies.get(name)?)));
    let neutral = |schema: &Value| {
        let mut schema = schema.clone();
        absent_or_present(&mut schema);
        schema.to_string().replace(REQUESTS, "#/").replace(REPLIES, "#/")
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

/// Drops unreferenced types, such as inlined ones.
pub(super) fn drop_unused(components: &mut Map<String, Value>, document: &Value) {
    let mut text = document.to_string();
    let mut left = std::mem::take(components);
    loop {
        let used = |name: &str| text.contains(&format!("#/components/schemas/{name}\""));
        let (found, rest): (Map<_, _>, Map<_, _>) =
            left.into_iter().partition(|(name, _)| used(name));
        left = rest;
        if found.is_empty() {
            return;
        }
        text = found.values().map(Value::to_string).collect();
        components.extend(found);
    }
}

/// Points references to components.
pub(super) fn resolve(schema: &mut Value, differing: &BTreeSet<String>) {
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
