//! Secrets of tenants at rest: AES-256-GCM, bound to the place they are stored at.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use error::{Error, Result};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::{Keyring, Purpose, random_bytes};

impl Keyring {
    /// Encrypts `secret`; only [`Keyring::open`] with the same `place` reads it again.
    ///
    /// # Errors
    /// INTERNAL when the system has no randomness to give, or the function has no keyring.
    pub fn seal(&self, place: &str, secret: &str) -> Result<String> {
        let absent = || Error::internal("a function without a keyring seals nothing");
        let (kid, key) = self.current(Purpose::Seal).ok_or_else(absent)?;
        let nonce = random_bytes::<NONCE_LEN>()?;
        let mut text = secret.as_bytes().to_vec();
        cipher(&key)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(place.as_bytes()),
                &mut text,
            )
            .map_err(|_| Error::internal("a secret could not be sealed"))?;
        Ok(format!("{kid}.{}", URL_SAFE_NO_PAD.encode([nonce.as_slice(), &text].concat())))
    }

    /// Decrypts what [`Keyring::seal`] made for the same `place`.
    ///
    /// # Errors
    /// INTERNAL when it was made for another place, altered, or sealed with a dropped key.
    pub fn open(&self, place: &str, sealed: &str) -> Result<String> {
        self.try_open(place, sealed).ok_or_else(|| Error::internal("a sealed secret does not open"))
    }

    /// What [`Keyring::seal`] made for the same `place` with another key than the one that seals
    /// now, sealed with that; nothing when it was made with it.
    ///
    /// # Errors
    /// As [`Keyring::open`].
    pub fn reseal(&self, place: &str, sealed: &str) -> Result<Option<String>> {
        if sealed.split_once('.').is_some_and(|(own, _)| own == self.current_kid()) {
            return Ok(None);
        }
        self.seal(place, &self.open(place, sealed)?).map(Some)
    }

    fn try_open(&self, place: &str, sealed: &str) -> Option<String> {
        let (kid, text) = sealed.split_once('.')?;
        let key = self.find(kid, Purpose::Seal)?;
        let mut bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, text) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let secret = cipher(&key).open_in_place(nonce, Aad::from(place.as_bytes()), text).ok()?;
        String::from_utf8(secret.to_vec()).ok()
    }
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).expect("a key of 32 bytes"))
}

#[cfg(test)]
mod tests {
    use crate::Keyring;

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
