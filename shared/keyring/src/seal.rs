//! Encryption of secrets at rest, and of opaque texts for callers: AES-256-GCM, bound to the key of
//! their item or to their list.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use error::{Error, Result};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::{Keyring, Purpose, random_bytes, tag};

fn absent() -> Error {
    Error::internal("a function without a keyring encrypts nothing")
}

impl Keyring {
    /// Encrypts `secret`; only [`Keyring::open`] with the same `place` reads it again.
    ///
    /// # Errors
    /// INTERNAL without system randomness or without a keyring.
    pub fn seal(&self, place: &str, secret: &str) -> Result<String> {
        let nonce = random_bytes::<NONCE_LEN>()?;
        self.encrypt_with(Purpose::Seal, nonce, place.as_bytes(), secret.as_bytes())
    }

    /// `payload` encrypted and bound to `context`, as URL-safe text. Equal payloads give equal
    /// texts, which reveals nothing else.
    ///
    /// # Errors
    /// INTERNAL without a keyring.
    pub fn encrypt(&self, purpose: Purpose, context: &[u8], payload: &[u8]) -> Result<String> {
        let mut nonce = [0; NONCE_LEN];
        let (_, key) = self.current(purpose).ok_or_else(absent)?;
        nonce.copy_from_slice(&tag(&key, context, payload).as_ref()[..NONCE_LEN]);
        self.encrypt_with(purpose, nonce, context, payload)
    }

    /// The payload of a text made by [`Keyring::encrypt`] for the same purpose and context.
    pub fn decrypt(&self, purpose: Purpose, context: &[u8], text: &str) -> Option<Vec<u8>> {
        let (kid, text) = text.split_once('.')?;
        let key = self.find(kid, purpose)?;
        let mut bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, text) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let payload = cipher(&key).open_in_place(nonce, Aad::from(context), text).ok()?;
        Some(payload.to_vec())
    }

    fn encrypt_with(
        &self,
        purpose: Purpose,
        nonce: [u8; NONCE_LEN],
        context: &[u8],
        payload: &[u8],
    ) -> Result<String> {
        let (kid, key) = self.current(purpose).ok_or_else(absent)?;
        let mut text = payload.to_vec();
        cipher(&key)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(context),
                &mut text,
            )
            .map_err(|_| Error::internal("a text could not be encrypted"))?;
        Ok(format!("{kid}.{}", URL_SAFE_NO_PAD.encode([nonce.as_slice(), &text].concat())))
    }

    /// Decrypts a text of [`Keyring::seal`] for the same `place`.
    ///
    /// # Errors
    /// INTERNAL when it belongs to another place, was altered, or was sealed with a dropped key.
    pub fn open(&self, place: &str, sealed: &str) -> Result<String> {
        self.try_open(place, sealed).ok_or_else(|| Error::internal("a sealed secret does not open"))
    }

    /// Reseals a text of [`Keyring::seal`] for the same `place` with the current key; none if that
    /// sealed it.
    ///
    /// # Errors
    /// The errors of [`Keyring::open`].
    pub fn reseal(&self, place: &str, sealed: &str) -> Result<Option<String>> {
        if sealed.split_once('.').is_some_and(|(own, _)| own == self.current_kid()) {
            return Ok(None);
        }
        self.seal(place, &self.open(place, sealed)?).map(Some)
    }

    fn try_open(&self, place: &str, sealed: &str) -> Option<String> {
        let secret = self.decrypt(Purpose::Seal, place.as_bytes(), sealed)?;
        String::from_utf8(secret).ok()
    }
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).expect("a key of 32 bytes"))
}

#[cfg(test)]
mod tests {
    use crate::{Keyring, Purpose};

    #[test]
    fn what_is_encrypted_is_read_for_its_purpose_and_context_only() {
        let keys = Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap();
        let text = keys.encrypt(Purpose::PageToken, b"list a", b"document#d").unwrap();
        assert_eq!(text, keys.encrypt(Purpose::PageToken, b"list a", b"document#d").unwrap());
        let read = |purpose, context| keys.decrypt(purpose, context, &text);
        assert_eq!(read(Purpose::PageToken, b"list a").unwrap(), b"document#d");
        assert_eq!(read(Purpose::PageToken, b"list b"), None);
        assert_eq!(read(Purpose::Seal, b"list a"), None);
        let others = [(&b"list b"[..], &b"document#d"[..]), (b"list a", b"document#e")];
        for (context, payload) in others {
            let other = keys.encrypt(Purpose::PageToken, context, payload).unwrap();
            assert_ne!(other[..15], text[..15], "no nonce is used twice");
        }
    }

    #[test]
    fn a_secret_is_sealed_anew_with_the_key_that_seals_now() {
        let old = "k1=0123456789abcdef0123456789abcdef";
        let new = "k2=fedcba9876543210fedcba9876543210";
        let sealed = Keyring::parse(old).unwrap().seal("here", "hunter2").unwrap();
        let both = Keyring::parse(&format!("{new},{old}")).unwrap();
        let again = both.reseal("here", &sealed).unwrap().unwrap();
        assert_eq!(both.reseal("here", &again).unwrap(), None, "once");
        let new = Keyring::parse(new).unwrap();
        assert_eq!(new.open("here", &again).unwrap(), "hunter2");
        assert!(new.reseal("here", &sealed).is_err() && both.reseal("there", &sealed).is_err());
    }

    #[test]
    fn a_sealed_secret_opens_at_its_place_only() {
        let keys = Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap();
        let sealed = keys.seal("tenant a", "hunter2").unwrap();
        assert!(!sealed.contains("hunter2"));
        assert_ne!(sealed, keys.seal("tenant a", "hunter2").unwrap());
        assert_eq!(keys.open("tenant a", &sealed).unwrap(), "hunter2");
        assert!(keys.open("tenant b", &sealed).is_err());
        assert!(keys.open("tenant a", "k1.AAAA").is_err());
        assert!(keys.open("tenant a", "hunter2").is_err());
    }
}
