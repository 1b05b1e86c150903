use keyring::{Keyring, Purpose};
use model::{ApiKeyId, DocumentId, OrganizationId, UserId};
use serde::{Deserialize, Serialize};

/// The user and scope of an unsubscribe link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsubscribe {
    /// The tenant.
    pub api_key: ApiKeyId,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The recipient.
    pub user_id: UserId,
    /// Digest of the recipient's address; absent in links of earlier versions.
    pub address: Option<String>,
    /// The scope.
    pub scope: Scope,
}

/// The scope of an unsubscribe link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One document.
    Document(DocumentId),
    /// All mails of the organization.
    Organization,
}

/// In the order of the members, to keep links short.
#[derive(Serialize, Deserialize)]
struct Payload(
    ApiKeyId,
    OrganizationId,
    UserId,
    Option<DocumentId>,
    #[serde(default)] Option<String>,
);

/// Maximum length of a token: four ids of maximum length and a digest are shorter.
const MAX_TOKEN_BYTES: usize = 4096;

/// The token of a link (RFC 8058): it needs no login, affects nobody else's mails and never
/// expires, because a mail may be read years later. It is valid until the key that signed it is
/// dropped.
pub fn token(keyring: &Keyring, unsubscribe: &Unsubscribe) -> String {
    let Unsubscribe { api_key, organization_id, user_id, address, scope } = unsubscribe.clone();
    let document = match scope {
        Scope::Document(id) => Some(id),
        Scope::Organization => None,
    };
    let payload = Payload(api_key, organization_id, user_id, document, address);
    let payload = serde_json::to_vec(&payload).unwrap_or_default();
    keyring.sign(Purpose::Unsubscribe, b"", &payload)
}

/// The user and scope of a token; none if this deployment did not issue it.
pub fn read(keyring: &Keyring, token: &str) -> Option<Unsubscribe> {
    if token.len() > MAX_TOKEN_BYTES {
        return None;
    }
    let payload = keyring.verify(Purpose::Unsubscribe, b"", token)?;
    let Payload(api_key, organization_id, user_id, document, address) =
        serde_json::from_slice(&payload).ok()?;
    let scope = document.map_or(Scope::Organization, Scope::Document);
    Some(Unsubscribe { api_key, organization_id, user_id, address, scope })
}

#[cfg(test)]
mod tests {
    use keyring::{Keyring, Purpose};
    use model::{ApiKeyId, DocumentId, OrganizationId, UserId};

    use proptest::prelude::*;

    use super::{MAX_TOKEN_BYTES, Scope, Unsubscribe, read, token};

    fn ring(secret: &str) -> Keyring {
        Keyring::parse(&format!("k1={secret}")).unwrap()
    }

    fn unsubscribe(id: &str, scope: Scope) -> Unsubscribe {
        Unsubscribe {
            api_key: ApiKeyId::try_from(id.to_owned()).unwrap(),
            organization_id: OrganizationId::try_from(id.to_owned()).unwrap(),
            user_id: UserId::try_from(id.to_owned()).unwrap(),
            address: Some("0123456789abcdef0123456789abcdef".to_owned()),
            scope,
        }
    }

    fn document(id: &str) -> Scope {
        Scope::Document(DocumentId::try_from(id.to_owned()).unwrap())
    }

    #[test]
    fn a_token_reads_as_what_it_was_made_for() {
        let ring = ring("0123456789abcdef0123456789abcdef");
        let longest = "\"".repeat(256);
        for (id, scope) in [
            ("a", Scope::Organization),
            ("a#/%", document("ä 👩‍👧 שלום")),
            (longest.as_str(), document(&longest)),
        ] {
            let made = unsubscribe(id, scope);
            let text = token(&ring, &made);
            assert_eq!(read(&ring, &text), Some(made));
            assert!(text.len() <= MAX_TOKEN_BYTES);
            let is_safe = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
            assert!(text.bytes().all(is_safe), "{text}");
        }
    }

    #[test]
    fn a_link_of_an_earlier_version_has_no_address() {
        let ring = ring("0123456789abcdef0123456789abcdef");
        let earlier = ring.sign(Purpose::Unsubscribe, b"", br#"["a","a","a",null]"#);
        let made = Unsubscribe { address: None, ..unsubscribe("a", Scope::Organization) };
        assert_eq!(read(&ring, &earlier), Some(made));
    }

    #[test]
    fn nobody_else_can_make_or_change_one() {
        let own = ring("0123456789abcdef0123456789abcdef");
        let text = token(&own, &unsubscribe("a", document("d")));
        assert_eq!(read(&ring("fedcba9876543210fedcba9876543210"), &text), None);
        for at in 0..text.len() {
            let mut altered = text.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(read(&own, &String::from_utf8(altered).unwrap()), None);
        }
        let foreign = own.sign(Purpose::PageToken, b"", br#"["a","a","a",null]"#);
        assert_eq!(read(&own, &foreign), None);
        assert_eq!(read(&own, &own.sign(Purpose::Unsubscribe, b"", b"[]")), None);
        assert_eq!(read(&own, &"x".repeat(MAX_TOKEN_BYTES + 1)), None);
        assert_eq!(read(&own, ""), None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_token_of_ours_or_none(
            text in "\\PC{0,80}|[A-Za-z0-9_.-]{0,200}",
            (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        ) {
            let ring = ring("0123456789abcdef0123456789abcdef");
            prop_assert_eq!(read(&ring, &text), None);
            let own = token(&ring, &unsubscribe("a", document("d")));
            let (from, to) = (from.index(own.len()), to.index(own.len()));
            let changed = format!("{}{text}{}", &own[..from], &own[to..]);
            prop_assert!(changed == own || read(&ring, &changed).is_none());
        }
    }
}
