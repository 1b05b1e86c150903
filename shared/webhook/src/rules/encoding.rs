//! Encoding of payloads: as base64, or encrypted for the subscriber (`encodeData` and `encryptData`
//! of webhooks).

use aes::Aes256;
use base64::{Engine, engine::general_purpose::STANDARD};
use cbc::{
    Encryptor,
    cipher::{BlockModeEncrypt, KeyIvInit, block_padding::Pkcs7},
};
use model::configuration::{AdvancedWebhookConfig, Unusable, Use, WebhookConfig};
use ring::rand::{SecureRandom, SystemRandom};
use rsa::{
    Oaep, RsaPublicKey, pkcs1::DecodeRsaPublicKey, pkcs8::DecodePublicKey, rand_core::OsRng,
    sha2::Sha256, traits::PublicKeyParts,
};

/// Longer than a key of 4096 bits in any notation.
const MAX_KEY_TEXT: usize = 8 * 1024;
/// Shorter keys give no protection; 2048 is recommended.
const MIN_KEY_BITS: usize = 1024;

/// How bodies are encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Not at all.
    Off,
    /// For the holder of a key.
    With(Box<SubscriberKey>),
}

/// The public key of a subscriber: an RSA key of 1024 to 4096 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriberKey(RsaPublicKey);

/// Why bodies cannot be encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoKey {
    /// The key is none.
    Invalid {
        /// The member of the configuration.
        path: &'static [&'static str],
    },
    /// There is none, and `encryptData` asks for it.
    Missing {
        /// The member of the configuration.
        path: &'static [&'static str],
    },
}

impl From<NoKey> for Unusable {
    fn from(fault: NoKey) -> Self {
        match fault {
            NoKey::Invalid { path } => {
                Self { path, rule: "must be an RSA key of 1024 to 4096 bits, in base64" }
            }
            NoKey::Missing { path } => Self { path, rule: "is required while encryptData is true" },
        }
    }
}

/// The members about encryption of a configuration.
struct Members<'a> {
    is_on: bool,
    key: &'a str,
    /// The member with the key.
    path: &'static [&'static str],
}

impl Members<'_> {
    fn encryption(&self) -> Result<Encryption, NoKey> {
        let path = self.path;
        match (self.is_on, self.key) {
            (false, _) => Ok(Encryption::Off),
            (true, "") => Err(NoKey::Missing { path }),
            (true, key) => match parse(key) {
                Some(key) => Ok(Encryption::With(Box::new(key))),
                None => Err(NoKey::Invalid { path }),
            },
        }
    }

    /// A key has to be one before it is used, too.
    fn accept(&self) -> Result<(), NoKey> {
        if !self.key.is_empty() && parse(self.key).is_none() {
            return Err(NoKey::Invalid { path: self.path });
        }
        self.encryption().map(drop)
    }
}

impl<'a> From<&'a AdvancedWebhookConfig> for Members<'a> {
    fn from(config: &'a AdvancedWebhookConfig) -> Self {
        let (is_on, key) = (config.encrypt_data, config.public_key.as_str());
        Self { is_on, key, path: &["publicKey"] }
    }
}

impl<'a> From<&'a WebhookConfig> for Members<'a> {
    fn from(config: &'a WebhookConfig) -> Self {
        let service = &config.webhook_service_config;
        let key = service.public_key.as_ref().map_or("", |key| key.as_str());
        let path = &["webhookServiceConfig", "publicKey"];
        Self { is_on: service.encrypt_data == Some(true), key, path }
    }
}

impl Use<AdvancedWebhookConfig> for Encryption {
    type Fault = NoKey;

    fn of(config: &AdvancedWebhookConfig) -> Result<Self, NoKey> {
        Members::from(config).encryption()
    }

    fn accept(config: &AdvancedWebhookConfig) -> Result<(), NoKey> {
        Members::from(config).accept()
    }
}

impl Use<WebhookConfig> for Encryption {
    type Fault = NoKey;

    fn of(config: &WebhookConfig) -> Result<Self, NoKey> {
        Members::from(config).encryption()
    }

    fn accept(config: &WebhookConfig) -> Result<(), NoKey> {
        Members::from(config).accept()
    }
}

/// `{"encodedPayload": …}` with the payload in base64.
#[must_use]
pub(crate) fn encode(json: &[u8]) -> Vec<u8> {
    format!(r#"{{"encodedPayload":"{}"}}"#, STANDARD.encode(json)).into_bytes()
}

/// `{"encryptedData": …, "encryptedKey": …, "iv": …}`, all in base64: the payload encrypted with
/// AES-256-CBC (PKCS 7) under a key that is used once, and that key with RSA-OAEP (SHA-256).
///
/// None without system randomness.
pub(crate) fn encrypt(json: &[u8], public: &SubscriberKey) -> Option<Vec<u8>> {
    let (mut key, mut iv) = ([0; 32], [0; 16]);
    let random = SystemRandom::new();
    for bytes in [&mut key[..], &mut iv[..]] {
        random.fill(bytes).ok()?;
    }
    let data = Encryptor::<Aes256>::new(&key.into(), &iv.into()).encrypt_padded_vec::<Pkcs7>(json);
    let key = public.0.encrypt(&mut OsRng, Oaep::new::<Sha256>(), &key).ok()?;
    let [data, key, iv] = [&data[..], &key, &iv].map(|bytes| STANDARD.encode(bytes));
    let body = format!(r#"{{"encryptedData":"{data}","encryptedKey":"{key}","iv":"{iv}"}}"#);
    Some(body.into_bytes())
}

/// The key in a text: the base64 of the DER of an RSA key, as SPKI or as PKCS 1; lines of PEM around
/// it are tolerated.
fn parse(text: &str) -> Option<SubscriberKey> {
    if text.len() > MAX_KEY_TEXT {
        return None;
    }
    let base64: String = without_armor(text).split_whitespace().collect();
    let der = STANDARD.decode(base64).ok()?;
    let key = RsaPublicKey::from_public_key_der(&der)
        .ok()
        .or_else(|| RsaPublicKey::from_pkcs1_der(&der).ok())?;
    (key.n().bits() >= MIN_KEY_BITS).then_some(SubscriberKey(key))
}

/// The text between `-----BEGIN …-----` and `-----END …-----`, if present; copied into JSON, it has
/// often lost its line ends.
fn without_armor(text: &str) -> &str {
    let mut parts = text.split("-----").map(str::trim).filter(|part| !part.is_empty());
    parts.find(|part| !part.starts_with("BEGIN ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use cbc::{Decryptor, cipher::BlockModeDecrypt};
    use proptest::prelude::*;
    use rsa::{RsaPrivateKey, pkcs1::EncodeRsaPublicKey, pkcs8::EncodePublicKey};
    use serde_json::Value;

    use super::*;

    static PRIVATE: LazyLock<RsaPrivateKey> =
        LazyLock::new(|| RsaPrivateKey::new(&mut OsRng, 2048).unwrap());

    fn spki() -> String {
        STANDARD.encode(PRIVATE.to_public_key().to_public_key_der().unwrap())
    }

    fn lines(base64: &str, end: &str) -> String {
        let lines = base64.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap());
        lines.flat_map(|line| [line, end]).collect()
    }

    fn armored(label: &str, base64: &str, end: &str) -> String {
        let body = lines(base64, end);
        format!("-----BEGIN {label}-----{end}{body}-----END {label}-----{end}")
    }

    fn bytes(body: &Value, member: &str) -> Vec<u8> {
        STANDARD.decode(body[member].as_str().unwrap()).unwrap()
    }

    fn decrypt(body: &[u8]) -> Vec<u8> {
        let body: Value = serde_json::from_slice(body).unwrap();
        assert_eq!(body.as_object().unwrap().len(), 3);
        let key = PRIVATE.decrypt(Oaep::new::<Sha256>(), &bytes(&body, "encryptedKey")).unwrap();
        let decryptor = Decryptor::<Aes256>::new_from_slices(&key, &bytes(&body, "iv")).unwrap();
        decryptor.decrypt_padded_vec::<Pkcs7>(&bytes(&body, "encryptedData")).unwrap()
    }

    #[test]
    fn an_encoded_payload_is_its_base64() {
        assert_eq!(encode(br#"{"a":"b"}"#), br#"{"encodedPayload":"eyJhIjoiYiJ9"}"#);
    }

    #[test]
    fn a_key_is_understood_in_every_notation_that_is_met() {
        let pkcs1 = STANDARD.encode(PRIVATE.to_public_key().to_pkcs1_der().unwrap());
        let notations = [
            spki(),
            lines(&spki(), "\n"),
            format!("  {}\n", spki()),
            armored("PUBLIC KEY", &spki(), "\n"),
            armored("PUBLIC KEY", &spki(), "\r\n"),
            armored("PUBLIC KEY", &spki(), " "),
            armored("PUBLIC KEY", &spki(), ""),
            armored("RSA PUBLIC KEY", &pkcs1, "\n"),
            pkcs1,
        ];
        for key in notations {
            assert_eq!(decrypt(&encrypt(b"{}", &parse(&key).unwrap()).unwrap()), b"{}", "{key}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let short = RsaPrivateKey::new(&mut OsRng, 512).unwrap().to_public_key();
        let short = STANDARD.encode(short.to_public_key_der().unwrap());
        let cut = &spki()[..100];
        let long = "A".repeat(MAX_KEY_TEXT + 4);
        for key in ["", "-----", "-----BEGIN PUBLIC KEY-----", "key", "AAAA", &short, cut, &long] {
            assert_eq!(parse(key), None, "{key}");
        }
        assert!(parse(&spki()).is_some());
    }

    #[test]
    fn a_key_that_an_earlier_version_accepted_matters_only_when_it_is_used() {
        const PATH: &[&str] = &["publicKey"];
        let config = |encrypt_data: bool, key: &str| AdvancedWebhookConfig {
            encrypt_data,
            public_key: key.to_owned().try_into().unwrap(),
            ..AdvancedWebhookConfig::default()
        };
        let invalid = NoKey::Invalid { path: PATH };
        assert_eq!(Encryption::of(&config(false, "key")), Ok(Encryption::Off));
        assert_eq!(Encryption::accept(&config(false, "key")), Err(invalid));
        assert_eq!(Encryption::of(&config(true, "key")), Err(invalid));
        assert_eq!(Encryption::of(&config(true, "")), Err(NoKey::Missing { path: PATH }));
        assert!(matches!(Encryption::of(&config(true, &spki())), Ok(Encryption::With(_))));
    }

    #[test]
    fn equal_payloads_are_encrypted_differently() {
        let key = parse(&spki()).unwrap();
        let (one, two) = (encrypt(b"{}", &key).unwrap(), encrypt(b"{}", &key).unwrap());
        let [one, two] = [one, two].map(|body| serde_json::from_slice::<Value>(&body).unwrap());
        for member in ["encryptedData", "encryptedKey", "iv"] {
            assert_ne!(one[member], two[member], "{member}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn the_holder_of_the_key_reads_every_payload(
            payload in prop::collection::vec(any::<u8>(), 0..100),
        ) {
            prop_assert_eq!(decrypt(&encrypt(&payload, &parse(&spki()).unwrap()).unwrap()), payload);
        }
    }
}
