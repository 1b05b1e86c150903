use std::fmt;

/// The reason why a text is no identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidId(&'static str);

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The longest identifier in bytes of UTF-8.
const MAX_BYTES: usize = 256;

fn check(id: &str) -> Result<(), InvalidId> {
    if id.is_empty() {
        return Err(InvalidId("must not be empty"));
    }
    if id.len() > MAX_BYTES {
        return Err(InvalidId("must be at most 256 bytes"));
    }
    if id.chars().any(char::is_control) {
        return Err(InvalidId("must not contain control characters"));
    }
    if id.chars().any(is_noncharacter) {
        return Err(InvalidId("must not contain Unicode noncharacters"));
    }
    Ok(())
}

/// Whether a code point is a Unicode noncharacter: U+FDD0 to U+FDEF, and the last two of each
/// plane. SQS rejects some of them.
const fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || c as u32 & 0xfffe == 0xfffe
}

/// Declares distinct types of identifiers: 1 to 256 bytes without control characters and
/// noncharacters, compared byte for byte (decision 17).
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(try_from = "String", into = "String")]
        #[schemars(!try_from, !into)]
        pub struct $name(
            #[schemars(
                length(min = 1, max = 256),
                regex(pattern = r"^[^\x00-\x1F\x7F-\x9F\uFDD0-\uFDEF\uFFFE\uFFFF]*$"),
            )]
            String,
        );

        impl $name {
            /// The identifier as sent.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(id: String) -> Result<Self, InvalidId> {
                check(&id).map(|()| Self(id))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// A workspace: the account that owns keys.
    WorkspaceId,
    /// An API key: the tenant all data belongs to.
    ApiKeyId,
    /// An auth token of an API key.
    TokenId,
    /// An organization of a tenant.
    OrganizationId,
    /// A document of an organization.
    DocumentId,
    /// A folder of an organization.
    FolderId,
    /// A user: one person in all organizations of a key.
    UserId,
    /// A user group of an organization.
    GroupId,
    /// A comment annotation, which is a thread of comments, or a recording.
    AnnotationId,
    /// An activity of the log.
    ActivityId,
    /// The target of an activity: a thread, a recording, or a custom entity.
    EntityId,
    /// An editor whose data is a CRDT, within a document.
    EditorId,
    /// A version of an editor, within the editor.
    VersionId,
    /// A piece of live state, within a document.
    LiveStateDataId,
    /// An agent: built in, or of a tenant.
    AgentId,
    /// A job in the background.
    JobId,
    /// An endpoint that receives webhooks.
    EndpointId,
    /// A message to webhook endpoints.
    MessageId,
    /// An organization, folder or document; another member states which.
    ResourceId,
}

/// Declares the kinds of a resource id.
macro_rules! resources {
    ($($name:ident),+) => {$(
        impl From<ResourceId> for $name {
            fn from(id: ResourceId) -> Self {
                Self(id.0)
            }
        }

        impl From<$name> for ResourceId {
            fn from(id: $name) -> Self {
                Self(id.0)
            }
        }
    )+};
}

resources!(OrganizationId, FolderId, DocumentId);

impl UserId {
    /// A placeholder user.
    pub(crate) fn unknown() -> Self {
        Self("unknown".to_owned())
    }

    /// The author of erased users' content.
    pub fn deleted() -> Self {
        Self("deleted-user".to_owned())
    }

    /// Stands for everybody whom a value names in passing, if they are too many for a row each.
    pub fn crowd() -> Self {
        Self("{{crowd}}".to_owned())
    }
}

impl From<AnnotationId> for EntityId {
    fn from(id: AnnotationId) -> Self {
        Self(id.0)
    }
}

impl FolderId {
    /// The parent of top-level folders (contract `types.folder`).
    pub fn root() -> Self {
        Self("root".to_owned())
    }

    /// Whether it is the parent of top-level folders, which is not a folder itself.
    pub fn is_root(&self) -> bool {
        self.0 == "root"
    }
}

#[cfg(test)]
mod tests {
    use super::{OrganizationId, UserId};

    #[test]
    fn any_text_without_control_characters_up_to_256_bytes_is_an_id() {
        for id in [
            "a",
            "#",
            "%23",
            "a/b",
            " ",
            "🦀",
            "مرحبا",
            "__proto__",
            "\u{fffd}",
            "\u{fdcf}",
            "\u{fdf0}",
            "\u{10000}",
            &"x".repeat(256),
        ] {
            assert!(UserId::try_from(id.to_owned()).is_ok(), "{id}");
        }
        for id in ["", "a\nb", "\0", "\u{7f}", "\u{85}", &"x".repeat(257), &"é".repeat(129)] {
            assert!(UserId::try_from(id.to_owned()).is_err(), "{id:?}");
        }
    }

    #[test]
    fn no_id_contains_a_noncharacter() {
        for c in ['\u{fdd0}', '\u{fdef}', '\u{fffe}', '\u{ffff}', '\u{1fffe}', '\u{10ffff}'] {
            assert!(UserId::try_from(format!("a{c}")).is_err(), "{c:?}");
        }
    }

    #[test]
    fn ids_differ_by_case_and_by_form() {
        let id = |text: &str| OrganizationId::try_from(text.to_owned()).unwrap();
        assert_ne!(id("A"), id("a"));
        assert_ne!(id("é"), id("e\u{301}"));
    }
}
