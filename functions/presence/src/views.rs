//! Types that several operations share.

use service::prelude::*;

/// End users may send only their own presence.
pub(crate) const OWN_PRESENCE: EndUsers =
    EndUsers::reading("organizationId documentId users.userId users.name users.email users.status")
        .speaking_as(&[
            Own::Id("users.userId"),
            Own::Name("users.name"),
            Own::Email("users.email"),
        ]);

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl Done {
    pub(crate) const DONE: Self = Self { success: true };
}
