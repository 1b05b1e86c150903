//! Organizations.

use model::{OrganizationId, organization::Organization};

use crate::layout::{Entity, Key, Place};

impl Entity for Organization {
    const KIND: &'static str = "organization";
    const JSON: &'static [&'static str] = &["metadata"];
    type Id = OrganizationId;
    fn id(&self) -> OrganizationId {
        self.organization_id.clone()
    }
    fn shown(id: &OrganizationId) -> &str {
        id.as_str()
    }
    fn place(id: &OrganizationId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
}
