//! The address of an editor: the name of a room.

use model::{DocumentId, EditorId, OrganizationId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::Malformed;

/// The characters that `encodeURIComponent` of JavaScript escapes.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// An editor in the form of clients: three ids, each escaped, separated by `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// Organization of the editor.
    pub organization_id: OrganizationId,
    /// Document of the editor.
    pub document_id: DocumentId,
    /// The editor.
    pub editor_id: EditorId,
}

impl Address {
    /// Parses the name of a room.
    ///
    /// # Errors
    /// When it is not three valid ids.
    pub fn parse(name: &str) -> Result<Self, Malformed> {
        let mut parts = name.split('/');
        let mut next = || {
            let part = percent_decode_str(parts.next().ok_or(Malformed)?).decode_utf8();
            part.map(|part| part.into_owned()).map_err(|_| Malformed)
        };
        let address = Self {
            organization_id: next()?.try_into().map_err(|_| Malformed)?,
            document_id: next()?.try_into().map_err(|_| Malformed)?,
            editor_id: next()?.try_into().map_err(|_| Malformed)?,
        };
        if parts.next().is_some() { Err(Malformed) } else { Ok(address) }
    }

    /// The name of the room.
    pub fn name(&self) -> String {
        let ids =
            [self.organization_id.as_str(), self.document_id.as_str(), self.editor_id.as_str()];
        ids.map(|id| utf8_percent_encode(id, COMPONENT).to_string()).join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_name_of_a_room_is_never_ambiguous() {
        let address = Address::parse("acme/a%2Fb%20%C3%A9/body!").unwrap();
        assert_eq!(address.document_id.as_str(), "a/b é");
        assert_eq!(address.name(), "acme/a%2Fb%20%C3%A9/body!");
        for broken in ["", "a/b", "a/b/c/d", "a//c", "a/%ff/c", "/b/c"] {
            assert!(Address::parse(broken).is_err(), "{broken}");
        }
    }
}
