//! Anchors of threads in shared editors (contract `types.anchor`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::{EditorId, MarkName, Text};

/// The largest client id of Yjs, and the largest integer of JavaScript.
const MAX_CLIENT: u64 = (1 << 53) - 1;

/// A range of a rich text that a thread is about, which the service marks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentAnchor")]
pub struct Anchor {
    /// The shared editor with the text.
    pub editor_id: EditorId,
    /// The beginning of the range.
    pub from: RelativePosition,
    /// The end of the range.
    pub to: RelativePosition,
    /// The mark, which is that of the API key (`anchorMark`).
    pub mark: MarkName,
}

/// A relative position, as Yjs writes it as JSON: it has `item`, `tname` or `type`. Of several the
/// first one counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelativePosition {
    /// The character or the node at the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
    /// The name of the root of which this is the end, or the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tname: Option<Text>,
    /// The node of which this is the end, or the beginning.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub node: Option<ItemId>,
    /// A negative number: behind `item`, or the beginning of `tname` or `type`; 0 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assoc: Option<i32>,
}

/// The id of an item in Yjs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemId {
    /// The client that wrote it.
    #[schemars(range(max = MAX_CLIENT))]
    pub client: u64,
    /// Number of the item among those of the client.
    pub clock: u32,
}

impl ItemId {
    fn is_possible(self) -> bool {
        self.client <= MAX_CLIENT
    }
}

impl RelativePosition {
    /// Checks that it says where it is.
    ///
    /// # Errors
    /// When it has neither `item` nor `tname` nor `type`, or an id that no item has.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.item.is_none() && self.tname.is_none() && self.node.is_none() {
            return Err("must have item, tname or type");
        }
        match self.item.into_iter().chain(self.node).all(ItemId::is_possible) {
            true => Ok(()),
            false => Err("has a client that is larger than 2^53 - 1"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::RelativePosition;

    #[test]
    fn a_position_is_what_yjs_writes() {
        let position = |json| from_value::<RelativePosition>(json).unwrap();
        let item = json!({ "client": 7, "clock": 3 });
        let written = json!({ "type": null, "tname": "default", "item": item, "assoc": 0 });
        assert_eq!(position(written).check(), Ok(()));
        assert_eq!(position(json!({ "type": item, "assoc": -1 })).check(), Ok(()));
        assert!(position(json!({ "assoc": 0 })).check().is_err());
        let largest = |client: u64| position(json!({ "item": { "client": client, "clock": 0 } }));
        assert_eq!(largest((1 << 53) - 1).check(), Ok(()));
        assert!(largest(1 << 53).check().is_err());
    }
}
