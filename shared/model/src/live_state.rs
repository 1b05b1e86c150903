//! Live state: JSON that the users of a document share (contract `types.live-state`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    DocumentId, LiveStateDataId, Metadata, Millis,
    people::{Names, People, Rest},
};

/// A piece of live state as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LiveState {
    /// The document.
    pub document_id: DocumentId,
    /// The entry.
    pub live_state_data_id: LiveStateDataId,
    /// Custom data.
    pub data: Metadata,
    /// Number of writes, from 1 without gaps.
    pub revision: u64,
    /// Time of the last write.
    pub last_updated: Millis,
}

/// Callers' data, whose meaning the service does not know: it stays as they wrote it.
impl Names for LiveState {
    fn people(&mut self, _: &mut dyn People) -> Rest {
        let Self { document_id: _, live_state_data_id: _, data: _, revision: _, last_updated: _ } =
            self;
        Rest::Stays
    }
}

impl LiveState {
    /// The initial state before the first write.
    pub fn new(document: DocumentId, id: LiveStateDataId) -> Self {
        Self {
            document_id: document,
            live_state_data_id: id,
            data: Metadata::new(),
            revision: 0,
            last_updated: 0,
        }
    }

    /// Replaces the data, or merges into it.
    pub fn write(&mut self, data: Metadata, merge: bool, now: Millis) {
        if merge {
            merge_members(&mut self.data, data);
        } else {
            self.data = data;
        }
        self.revision += 1;
        self.last_updated = now;
    }
}

/// JSON Merge Patch (RFC 7396): objects merge member by member at any depth, `null` removes a
/// member, all other values replace. The recursion is as deep as the values, which the body limits
/// bound.
pub fn merge_patch(target: &mut Value, patch: Value) {
    match patch {
        Value::Object(patch) => {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            if let Value::Object(target) = target {
                merge_members(target, patch);
            }
        }
        patch => *target = patch,
    }
}

fn merge_members(target: &mut Metadata, patch: Metadata) {
    for (name, value) in patch {
        match value {
            Value::Null => drop(target.remove(&name)),
            value => merge_patch(target.entry(name).or_insert(Value::Null), value),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{LiveState, merge_patch};

    /// RFC 7396, appendix A: all fifteen.
    #[test]
    fn the_examples_of_the_rfc_hold() {
        let examples: [(Value, Value, Value); 15] = [
            (json!({ "a": "b" }), json!({ "a": "c" }), json!({ "a": "c" })),
            (json!({ "a": "b" }), json!({ "b": "c" }), json!({ "a": "b", "b": "c" })),
            (json!({ "a": "b" }), json!({ "a": null }), json!({})),
            (json!({ "a": "b", "b": "c" }), json!({ "a": null }), json!({ "b": "c" })),
            (json!({ "a": ["b"] }), json!({ "a": "c" }), json!({ "a": "c" })),
            (json!({ "a": "c" }), json!({ "a": ["b"] }), json!({ "a": ["b"] })),
            (
                json!({ "a": { "b": "c" } }),
                json!({ "a": { "b": "d", "c": null } }),
                json!({ "a": { "b": "d" } }),
            ),
            (json!({ "a": [{ "b": "c" }] }), json!({ "a": [1] }), json!({ "a": [1] })),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({ "a": "b" }), json!(["c"]), json!(["c"])),
            (json!({ "a": "foo" }), json!(null), json!(null)),
            (json!({ "a": "foo" }), json!("bar"), json!("bar")),
            (json!({ "e": null }), json!({ "a": 1 }), json!({ "e": null, "a": 1 })),
            (json!([1, 2]), json!({ "a": "b", "c": null }), json!({ "a": "b" })),
            (json!({}), json!({ "a": { "bb": { "ccc": null } } }), json!({ "a": { "bb": {} } })),
        ];
        for (mut target, patch, expected) in examples {
            let before = target.clone();
            merge_patch(&mut target, patch.clone());
            assert_eq!(target, expected, "{before} with {patch}");
        }
    }

    #[test]
    fn each_write_raises_the_revision() {
        let id = |text: &str| text.to_owned();
        let mut state =
            LiveState::new(id("d").try_into().unwrap(), id("cursor").try_into().unwrap());
        let data = |json: Value| json.as_object().unwrap().clone();
        state.write(data(json!({ "a": 1, "n": null })), true, 7);
        assert_eq!((state.revision, state.last_updated), (1, 7));
        assert_eq!(Value::from(state.data.clone()), json!({ "a": 1 }));
        state.write(data(json!({ "n": null })), false, 9);
        assert_eq!((state.revision, state.last_updated), (2, 9));
        assert_eq!(Value::from(state.data), json!({ "n": null }));
    }
}
