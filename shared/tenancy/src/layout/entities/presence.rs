//! Users who are present in a document.

use model::{DocumentId, Millis, UserId, presence::Presence};

use crate::layout::{Entity, Key, Link, Place, Table, linked_to};

impl Entity for Presence {
    const KIND: &'static str = "presence";
    const TABLE: Table = Table::Realtime;
    const JSON: &'static [&'static str] = &["data"];
    type Id = (DocumentId, UserId);
    fn id(&self) -> Self::Id {
        (self.document_id.clone(), self.user_id.clone())
    }
    fn shown((_, user): &Self::Id) -> &str {
        user.as_str()
    }
    fn place((document, user): &Self::Id) -> Place {
        Place(present_in(document).and("user", user.as_str()))
    }
    fn links(&self) -> Vec<Link> {
        vec![Link::of_user(&self.user_id, &Self::place(&self.id()).0)]
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.ends())
    }
}

/// The users in a document.
pub fn present_in(document: &DocumentId) -> Key {
    Key::pair(Presence::KIND, document.as_str())
}

/// The link rows to a user's presence.
pub fn presence_of(user: &UserId) -> Key {
    linked_to(user).join(&Key::named(Presence::KIND))
}
