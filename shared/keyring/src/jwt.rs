//! JSON Web Tokens with one fixed algorithm, HS256: the header can only choose the key.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::hmac;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Keyring, Purpose, is_same};

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    alg: &'a str,
    kid: &'a str,
    typ: &'a str,
}

/// Maximum length of a token.
pub const MAX_TOKEN_BYTES: usize = 8 * 1024;

impl Keyring {
    /// A token with these claims, signed with the current key. Equal claims make equal tokens.
    pub fn issue_jwt<C: Serialize>(&self, purpose: Purpose, claims: &C) -> String {
        self.reissue_jwt(self.current_kid(), purpose, claims).unwrap_or_default()
    }

    /// Like [`Keyring::issue_jwt`], with the original signing key: a re-created token is the same
    /// string after a rotation. `None` when that key was dropped.
    pub fn reissue_jwt<C: Serialize>(
        &self,
        kid: &str,
        purpose: Purpose,
        claims: &C,
    ) -> Option<String> {
        let key = self.find(kid, purpose)?;
        let header = serde_json::to_vec(&Header { alg: "HS256", kid, typ: "JWT" }).ok()?;
        let claims = serde_json::to_vec(claims).ok()?;
        let (header, claims) = (URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
        let signed = format!("{header}.{claims}");
        let tag = hs256(&key, signed.as_bytes());
        Some(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag)))
    }

    /// The id of the signing key; empty without one.
    pub fn current_kid(&self) -> &str {
        self.keys.first().map_or("", |(kid, _)| kid)
    }

    /// The claims of a token that this deployment signed for this purpose. The caller checks the
    /// expiry.
    pub fn verify_jwt<C: DeserializeOwned>(&self, purpose: Purpose, token: &str) -> Option<C> {
        if token.len() > MAX_TOKEN_BYTES {
            return None;
        }
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header = URL_SAFE_NO_PAD.decode(header).ok()?;
        let header: Header<'_> = serde_json::from_slice(&header).ok()?;
        if header.alg != "HS256" {
            return None;
        }
        let key = self.find(header.kid, purpose)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        if !is_same(hs256(&key, signed.as_bytes()).as_ref(), &signature) {
            return None;
        }
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
    }
}

fn hs256(key: &[u8], signed: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), signed)
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use serde::{Deserialize, Serialize};

    use super::hs256;
    use crate::{Keyring, Purpose};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Claims {
        sub: String,
    }

    fn ring() -> Keyring {
        Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap()
    }

    #[test]
    fn the_example_of_rfc_7515_verifies() {
        let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
        let signed = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let tag = hs256(&URL_SAFE_NO_PAD.decode(key).unwrap(), signed.as_bytes());
        assert_eq!(URL_SAFE_NO_PAD.encode(tag), "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    }

    #[test]
    fn equal_claims_make_equal_tokens() {
        let claims = Claims { sub: "u".to_owned() };
        let (a, b) = (
            ring().issue_jwt(Purpose::AuthToken, &claims),
            ring().issue_jwt(Purpose::AuthToken, &claims),
        );
        assert_eq!(a, b);
        assert_eq!(ring().verify_jwt::<Claims>(Purpose::AuthToken, &a), Some(claims));
        assert_eq!(ring().verify_jwt::<Claims>(Purpose::UserToken, &a), None);
    }

    #[test]
    fn only_hs256_is_accepted_and_no_byte_can_change() {
        let token = ring().issue_jwt(Purpose::AuthToken, &Claims { sub: "u".to_owned() });
        let (_, rest) = token.split_once('.').unwrap();
        for alg in ["none", "RS256", "HS512"] {
            let header =
                URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"{alg}","kid":"k1","typ":"JWT"}}"#));
            assert!(
                ring()
                    .verify_jwt::<Claims>(Purpose::AuthToken, &format!("{header}.{rest}"))
                    .is_none()
            );
        }
        for at in 0..token.len() {
            let mut altered = token.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert!(
                ring().verify_jwt::<Claims>(Purpose::AuthToken, &altered).is_none(),
                "{altered}"
            );
        }
        for text in ["", ".", "..", "a.b.c", &"x".repeat(9000)] {
            assert!(ring().verify_jwt::<Claims>(Purpose::AuthToken, text).is_none());
        }
    }
}
