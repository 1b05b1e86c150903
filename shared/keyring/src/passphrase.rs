//! Texts under a passphrase: AES-256-GCM with a key by PBKDF2 (RFC 8018).

use std::num::NonZeroU32;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use error::{Error, Result};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    pbkdf2,
};

use crate::random_bytes;

/// The head of a locked text; another method gets another one.
const METHOD: &str = "pbkdf2-sha256-600000";
/// Number of iterations that OWASP recommends for PBKDF2 with SHA-256.
const ITERATIONS: NonZeroU32 = NonZeroU32::new(600_000).expect("not zero");
const SALT_LEN: usize = 16;

/// Encrypts a text; only [`unlock`] with the same passphrase and the same `context` reads it again.
/// The context stays readable, and is authenticated with the text.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn lock(text: &str, passphrase: &str, context: &[u8]) -> Result<String> {
    let salt = random_bytes::<SALT_LEN>()?;
    let mut bytes = text.as_bytes().to_vec();
    cipher(&salt, passphrase)
        .seal_in_place_append_tag(nonce(), Aad::from(context), &mut bytes)
        .map_err(|_| Error::internal("a text could not be encrypted"))?;
    Ok(format!("{METHOD}.{}", URL_SAFE_NO_PAD.encode([salt.as_slice(), &bytes].concat())))
}

/// The text of [`lock`]; none with another passphrase, or when it or its context was altered.
pub fn unlock(locked: &str, passphrase: &str, context: &[u8]) -> Option<String> {
    let bytes = locked.strip_prefix(METHOD)?.strip_prefix('.')?;
    let mut bytes = URL_SAFE_NO_PAD.decode(bytes).ok()?;
    let (salt, text) = bytes.split_at_mut_checked(SALT_LEN)?;
    let text = cipher(salt, passphrase).open_in_place(nonce(), Aad::from(context), text).ok()?;
    String::from_utf8(text.to_vec()).ok()
}

/// One nonce for all texts: with its salt, each text has a key of its own.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

fn cipher(salt: &[u8], passphrase: &str) -> LessSafeKey {
    let mut key = [0; 32];
    let method = pbkdf2::PBKDF2_HMAC_SHA256;
    pbkdf2::derive(method, ITERATIONS, salt, passphrase.as_bytes(), &mut key);
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key).expect("a key of 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::{lock, unlock};

    #[test]
    fn a_locked_text_opens_with_its_passphrase_only() {
        let lock = |text| lock(text, "correct horse", b"of a");
        let unlock = |locked: &str, passphrase| unlock(locked, passphrase, b"of a");
        let locked = lock("k1=secret").unwrap();
        assert!(!locked.contains("secret"));
        assert_ne!(locked, lock("k1=secret").unwrap());
        assert_eq!(unlock(&locked, "correct horse").as_deref(), Some("k1=secret"));
        assert_eq!(unlock(&locked, "correct house"), None);
        assert_eq!(super::unlock(&locked, "correct horse", b"of b"), None);
        let (head, last) = locked.split_at(locked.len() - 1);
        let altered = format!("{head}{}", if last == "A" { "B" } else { "A" });
        for broken in [altered.as_str(), head, "", "pbkdf2-sha256-600000.AAAA"] {
            assert_eq!(unlock(broken, "correct horse"), None, "{broken}");
        }
    }
}
