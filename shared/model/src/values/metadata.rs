//! Custom members of a resource.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

/// Free JSON members of a resource, stored as sent.
pub type Metadata = serde_json::Map<String, Value>;

/// A resource with custom members.
pub trait Extensible {
    /// Reserved names: all members of the resource in replies.
    const OWN: &'static [&'static str];
}

/// The custom members of an item in a request, for `#[serde(flatten)]`, without reserved names.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Metadata", bound(deserialize = "R: Extensible"))]
pub struct Custom<R> {
    sent: Metadata,
    resource: PhantomData<fn() -> R>,
}

impl<R> Custom<R> {
    /// Updates stored members, one top-level member at a time: a value replaces the stored one,
    /// `null` removes it, omitted members stay.
    pub fn merge_into(&self, stored: &mut Metadata) {
        for (name, value) in &self.sent {
            match value {
                Value::Null => drop(stored.remove(name)),
                value => drop(stored.insert(name.clone(), value.clone())),
            }
        }
    }

    /// The custom members of a new resource: `null` members are dropped.
    pub fn initial(&self) -> Metadata {
        let mut stored = Metadata::new();
        self.merge_into(&mut stored);
        stored
    }
}

impl<R: Extensible> From<Metadata> for Custom<R> {
    fn from(mut sent: Metadata) -> Self {
        sent.retain(|name, _| !R::OWN.contains(&name.as_str()));
        Self { sent, resource: PhantomData }
    }
}

impl<R> JsonSchema for Custom<R> {
    fn schema_name() -> Cow<'static, str> {
        "Custom".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": true })
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, from_value, json};

    use super::{Custom, Extensible, Metadata};
    use crate::{document::Document, organization::Organization};

    #[derive(Deserialize)]
    struct Item {
        id: u8,
        #[serde(flatten)]
        custom: Custom<Organization>,
    }

    fn item(json: Value) -> Item {
        from_value(json).unwrap()
    }

    #[test]
    fn members_that_are_ours_are_not_the_callers() {
        let sent = item(json!({
            "id": 7, "organizationId": "x", "organizationName": "x", "disabled": true,
            "createdAt": 1, "lastUpdated": 1, "tier": "gold", "folderId": "f",
        }));
        assert_eq!(sent.id, 7);
        assert_eq!(Value::from(sent.custom.initial()), json!({ "tier": "gold", "folderId": "f" }));
    }

    #[test]
    fn what_a_resource_is_made_of_is_never_the_callers() {
        fn own<R: Extensible>(resource: impl serde::Serialize) {
            let Value::Object(members) = serde_json::to_value(resource).unwrap() else { panic!() };
            // Not in replies.
            let is_shown = |name: &&String| *name != "metadata" && !name.starts_with('_');
            for name in members.keys().filter(is_shown) {
                assert!(R::OWN.contains(&name.as_str()), "{name}");
            }
        }
        own::<Organization>(Organization::implied("o".to_owned().try_into().unwrap(), 1));
        own::<Document>(Document::implied("d".to_owned().try_into().unwrap(), 1));
    }

    #[test]
    fn a_value_replaces_null_removes_and_the_rest_stays() {
        let mut stored = item(json!({ "id": 1, "a": { "x": 1, "y": 2 }, "b": [1], "c": false }))
            .custom
            .initial();
        let sent = item(json!({ "id": 1, "a": { "x": null }, "b": null, "d": 5e-324, "e": null }));
        sent.custom.merge_into(&mut stored);
        assert_eq!(Value::from(stored), json!({ "a": { "x": null }, "c": false, "d": 5e-324 }));
    }

    #[test]
    fn a_new_resource_has_no_member_that_is_null() {
        assert_eq!(item(json!({ "id": 1, "a": null })).custom.initial(), Metadata::new());
    }

    #[test]
    fn names_have_no_meaning() {
        let sent = json!({ "id": 1, "__proto__": 1, "": 2, "metadata": { "metadata": 3 } });
        let expected = json!({ "__proto__": 1, "": 2, "metadata": { "metadata": 3 } });
        assert_eq!(Value::from(item(sent).custom.initial()), expected);
    }
}
