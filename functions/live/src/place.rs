//! The places that connections listen to, and the names of editors' rooms.

use dialects::Address;
use model::live::{LivePart, LivePlace};
use service::prelude::*;

/// The place of an editor.
pub(crate) fn editor_place(address: &Address) -> LivePlace {
    let (document_id, editor_id) = (address.document_id.clone(), address.editor_id.clone());
    let part = LivePart::Editor { document_id, editor_id };
    LivePlace { organization_id: address.organization_id.clone(), part }
}

/// The place of a document's events.
pub(crate) fn events_place(organization_id: OrganizationId, document_id: DocumentId) -> LivePlace {
    LivePlace { organization_id, part: LivePart::Events { document_id } }
}

/// The place of a user's notifications.
pub(crate) fn notifications_place(organization_id: OrganizationId, user_id: UserId) -> LivePlace {
    LivePlace { organization_id, part: LivePart::User { user_id } }
}

/// The name of an editor's room; empty for other places.
pub(crate) fn room_name(place: &LivePlace) -> String {
    match place.part.clone() {
        LivePart::Editor { document_id, editor_id } => {
            let organization_id = place.organization_id.clone();
            Address { organization_id, document_id, editor_id }.name()
        }
        LivePart::Events { .. } | LivePart::User { .. } => String::new(),
    }
}
