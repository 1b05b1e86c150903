//! Live state of documents.

use model::{DocumentId, LiveStateDataId, live_state::LiveState};

use crate::layout::{Entity, Key, Place, Table};

/// The live state of a document.
pub fn live_in(document: &DocumentId) -> Key {
    Key::pair(LiveState::KIND, document.as_str())
}

impl Entity for LiveState {
    const KIND: &'static str = "live-state";
    const NOUN: &'static str = "live state";
    const TABLE: Table = Table::Realtime;
    const JSON: &'static [&'static str] = &["data"];
    type Id = (DocumentId, LiveStateDataId);
    fn id(&self) -> Self::Id {
        (self.document_id.clone(), self.live_state_data_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((document, id): &Self::Id) -> Place {
        Place(live_in(document).and("data", id.as_str()))
    }
}
