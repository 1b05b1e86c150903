//! Activities, also in the history of their document.

use model::{ActivityId, DocumentId, activity::Activity};

use crate::layout::{Entity, Index, Indexed, Key, Place, at, by_actor, of_kind};

/// A document's history. Not `of_document`: items there are deleted with the document.
pub fn history_of(document: &DocumentId) -> Key {
    Key::pair("history", document.as_str())
}

/// Activities about a target, in [`Index::Target`].
pub fn about(target: &str) -> Key {
    Key::pair("target", target)
}

impl Entity for Activity {
    const KIND: &'static str = "activity";
    const JSON: &'static [&'static str] =
        &["changes", "entityData", "entityTargetData", "displayMessageTemplateData"];
    type Id = ActivityId;
    fn id(&self) -> ActivityId {
        self.id.clone()
    }
    fn shown(id: &ActivityId) -> &str {
        id.as_str()
    }
    fn place(id: &ActivityId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = at::<Self>(self.timestamp, &Key::pair("id", self.id.as_str()));
        let history = history_of(&self.document_id);
        let actor = by_actor(&self.action_user.user_id);
        let mut indexes = vec![
            Indexed::new(Index::Container, history, sort.clone()),
            Indexed::new(Index::Kind, of_kind::<Self>(), sort.clone()),
            Indexed::new(Index::Actor, actor, sort.clone()),
        ];
        if let Some(target) = &self.target_entity_id {
            let target = about(target.as_str());
            indexes.push(Indexed::new(Index::Target, target, sort));
        }
        indexes
    }
}
