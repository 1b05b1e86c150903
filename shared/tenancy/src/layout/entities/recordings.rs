//! Recordings.

use model::{AnnotationId, recording::Recording};

use crate::layout::{Entity, Index, Indexed, Key, Place, at, by_actor, of_document, of_kind};

impl Entity for Recording {
    const KIND: &'static str = "recording";
    const JSON: &'static [&'static str] = &["recordingEditVersions"];
    type Id = AnnotationId;
    fn id(&self) -> AnnotationId {
        self.annotation_id.clone()
    }
    fn shown(id: &AnnotationId) -> &str {
        id.as_str()
    }
    fn place(id: &AnnotationId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let id = Key::pair("id", self.annotation_id.as_str());
        let sort = at::<Self>(self.recorded_at, &id);
        let document = of_document(&self.document_id);
        let mut indexes = vec![
            Indexed::new(Index::Container, document, sort.clone()),
            Indexed::new(Index::Kind, of_kind::<Self>(), sort.clone()),
        ];
        if let Some(from) = &self.from {
            indexes.push(Indexed::new(Index::Actor, by_actor(&from.user_id), sort));
        }
        indexes
    }
}
