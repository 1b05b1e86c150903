//! The master keys of a deployment, with everything derived from them: signatures, tokens, sealed
//! values.
//!
//! A deployment has one or more master keys. The first signs and seals, all of them verify and
//! open, so a rotation adds a new key in front and drops the old one later.

#![warn(missing_docs)]

mod jwt;
mod passphrase;
mod seal;

use std::fmt;

pub use jwt::MAX_TOKEN_BYTES;
pub use passphrase::{lock, unlock};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use error::{Error, Result};
use ring::{
    digest::{SHA256, digest},
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use subtle::ConstantTimeEq;

/// The purpose of a signature or a sealed value; it is invalid for any other purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Auth tokens of API keys.
    AuthToken,
    /// End-user tokens.
    UserToken,
    /// Page tokens.
    PageToken,
    /// Unsubscribe links in mails (RFC 8058).
    Unsubscribe,
    /// Secrets of tenants at rest.
    Seal,
}

impl Purpose {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::AuthToken => b"auth-token",
            Self::UserToken => b"user-token",
            Self::PageToken => b"page-token",
            Self::Unsubscribe => b"unsubscribe",
            Self::Seal => b"seal",
        }
    }
}

/// The master keys of a deployment, newest first.
#[derive(Clone)]
pub struct Keyring {
    keys: Vec<(String, hmac::Key)>,
}

/// The id of a single key without one.
pub const FIRST: &str = "k1";

impl Keyring {
    /// Reads `kid=secret[,kid=secret…]`; a secret has at least 32 characters. One without an id, as
    /// CloudFormation generates it, has the id `k1`.
    ///
    /// # Errors
    /// A sentence with the cause, without any secret.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut keys: Vec<(String, hmac::Key)> = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (kid, secret) = entry.split_once('=').unwrap_or((FIRST, entry));
            if kid.is_empty() || !kid.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
                return Err("a key id is made of letters, digits and hyphens");
            }
            if secret.len() < 32 {
                return Err("a secret has at least 32 characters");
            }
            // Values sealed by one key could not be opened by the other.
            if keys.iter().any(|(known, _)| known == kid) {
                return Err("two keys have the same id");
            }
            keys.push((kid.to_owned(), hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())));
        }
        if keys.is_empty() { Err("there is no key") } else { Ok(Self { keys }) }
    }

    /// The keyring of a function without secrets: it signs and seals nothing, and verifies no
    /// signature.
    pub fn absent() -> Self {
        Self { keys: vec![] }
    }

    /// The signing key with its id.
    fn current(&self, purpose: Purpose) -> Option<(&str, [u8; 32])> {
        let (kid, master) = self.keys.first()?;
        Some((kid, derive(master, purpose)))
    }

    fn find(&self, kid: &str, purpose: Purpose) -> Option<[u8; 32]> {
        self.keys.iter().find(|(k, _)| k == kid).map(|(_, master)| derive(master, purpose))
    }

    /// `payload` signed and bound to `context`, as URL-safe text. Empty without a key.
    pub fn sign(&self, purpose: Purpose, context: &[u8], payload: &[u8]) -> String {
        let Some((kid, key)) = self.current(purpose) else { return String::new() };
        let tag = tag(&key, context, payload);
        format!("{kid}.{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(tag))
    }

    /// The payload of a text made by [`Keyring::sign`] for the same purpose and context.
    pub fn verify(&self, purpose: Purpose, context: &[u8], text: &str) -> Option<Vec<u8>> {
        let (kid, rest) = text.split_once('.')?;
        let (payload, signature) = rest.split_once('.')?;
        let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let expected = tag(&self.find(kid, purpose)?, context, &payload);
        is_same(expected.as_ref(), &signature).then_some(payload)
    }
}

/// Length first, so that no byte can move between context and payload.
fn tag(key: &[u8; 32], context: &[u8], payload: &[u8]) -> hmac::Tag {
    let mut signer = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    signer.update(&(context.len() as u64).to_be_bytes());
    signer.update(context);
    signer.update(payload);
    signer.sign()
}

/// One step of HKDF-Expand (RFC 5869): the master key is already uniformly random.
fn derive(master: &hmac::Key, purpose: Purpose) -> [u8; 32] {
    let info = [b"roundtable ", purpose.label(), &[1]].concat();
    let mut key = [0; 32];
    key.copy_from_slice(hmac::sign(master, &info).as_ref());
    key
}

/// Compares in constant time.
pub fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, bytes).as_ref());
    hash
}

/// SHA-256, in hexadecimal. Sufficient for random tokens, which need no slow hash.
pub fn sha256_hex(text: &str) -> String {
    hex(&sha256(text.as_bytes()))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// `N` random bytes as URL-safe text.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn random_text<const N: usize>() -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(random_bytes::<N>()?))
}

/// 20 random letters and digits: a generated id.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn random_id<T: TryFrom<String, Error: fmt::Display>>() -> Result<T> {
    let digits = random_bytes::<10>()?.map(|byte| format!("{byte:02x}"));
    T::try_from(digits.concat()).map_err(|cause| Error::internal(cause.to_string()))
}

/// `N` random bytes in base64, the format of webhook signing secrets.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn random_base64<const N: usize>() -> Result<String> {
    Ok(STANDARD.encode(random_bytes::<N>()?))
}

/// `N` random bytes.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| Error::internal("the system has no randomness"))?;
    Ok(bytes)
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|(kid, _)| kid)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyring, Purpose, random_id};

    #[test]
    fn an_id_has_20_letters_and_digits() {
        let (one, other): (String, String) = (random_id().unwrap(), random_id().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 20);
        assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{one}");
    }

    fn ring(text: &str) -> Keyring {
        Keyring::parse(text).unwrap()
    }

    const OLD: &str = "k1=0123456789abcdef0123456789abcdef";
    const BOTH: &str = "k2=fedcba9876543210fedcba9876543210,k1=0123456789abcdef0123456789abcdef";

    #[test]
    fn a_signature_holds_for_its_purpose_and_context_only() {
        let keys = ring(OLD);
        let text = keys.sign(Purpose::PageToken, b"here", b"payload");
        assert_eq!(keys.verify(Purpose::PageToken, b"here", &text).unwrap(), b"payload");
        assert!(keys.verify(Purpose::PageToken, b"there", &text).is_none());
        assert!(keys.verify(Purpose::AuthToken, b"here", &text).is_none());
    }

    #[test]
    fn no_byte_of_a_signed_text_can_change() {
        let keys = ring(OLD);
        let text = keys.sign(Purpose::PageToken, b"", b"payload");
        for at in 0..text.len() {
            let mut altered = text.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert!(keys.verify(Purpose::PageToken, b"", &altered).is_none(), "{altered}");
        }
    }

    #[test]
    fn a_rotated_key_verifies_until_it_is_dropped() {
        let text = ring(OLD).sign(Purpose::PageToken, b"", b"payload");
        assert!(ring(BOTH).verify(Purpose::PageToken, b"", &text).is_some());
        let new = ring(BOTH.split(',').next().unwrap());
        assert!(new.verify(Purpose::PageToken, b"", &text).is_none());
    }

    #[test]
    fn a_generated_secret_is_the_first_key_and_others_follow_it() {
        let generated = OLD.trim_start_matches("k1=");
        let text = ring(OLD).sign(Purpose::PageToken, b"", b"payload");
        for keys in [generated.to_owned(), format!("{generated},k2={generated}")] {
            assert!(ring(&keys).verify(Purpose::PageToken, b"", &text).is_some(), "{keys}");
        }
    }

    #[test]
    fn an_absent_keyring_signs_and_opens_nothing() {
        let absent = Keyring::absent();
        assert!(absent.seal("here", "secret").is_err());
        let sealed = ring(OLD).seal("here", "secret").unwrap();
        assert!(absent.open("here", &sealed).is_err());
        let text = ring(OLD).sign(Purpose::PageToken, b"", b"payload");
        assert!(absent.verify(Purpose::PageToken, b"", &text).is_none());
        assert_eq!(absent.sign(Purpose::PageToken, b"", b"payload"), "");
    }

    #[test]
    fn a_bad_setting_is_refused_without_repeating_it() {
        for (text, reason) in [
            ("", "there is no key"),
            ("k1", "a secret has at least 32 characters"),
            ("k1=short", "a secret has at least 32 characters"),
            (
                "k1=0123456789abcdef0123456789abcdef,k1=fedcba9876543210fedcba9876543210",
                "two keys have the same id",
            ),
            (
                "0123456789abcdef0123456789abcdef,k1=fedcba9876543210fedcba9876543210",
                "two keys have the same id",
            ),
            (
                "k.1=0123456789abcdef0123456789abcdef",
                "a key id is made of letters, digits and hyphens",
            ),
        ] {
            assert_eq!(Keyring::parse(text).unwrap_err(), reason);
        }
    }
}
