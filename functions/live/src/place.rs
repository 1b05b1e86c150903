//! The place of an editor and the name of its room.

use dialects::Address;
use model::live::{LivePart, LivePlace};

/// The place of an editor.
pub(crate) fn of(address: &Address) -> LivePlace {
    let (document_id, editor_id) = (address.document_id.clone(), address.editor_id.clone());
    let part = LivePart::Editor { document_id, editor_id };
    LivePlace { organization_id: address.organization_id.clone(), part }
}

/// The name of an editor's room.
pub(crate) fn name_of(place: &LivePlace) -> String {
    match place.part.clone() {
        LivePart::Editor { document_id, editor_id } => {
            let organization_id = place.organization_id.clone();
            Address { organization_id, document_id, editor_id }.name()
        }
        LivePart::Events { .. } | LivePart::User { .. } => String::new(),
    }
}
