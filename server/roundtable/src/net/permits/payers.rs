//! The payer for the costs of a client: the user or tenant that the signature of its credential
//! proves, and its address otherwise. A claim without proof names no payer.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName};
use keyring::{Keyring, Purpose, is_same, sha256};
use serde::Deserialize;
use service::{Clock, Spec};

use crate::net::{
    addresses::{Network, networks},
    lifted::{claimed, is_lifted},
};

/// The payer for a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    /// The operator of the deployment, who has no limit.
    Operator,
    /// The server of a tenant, by its API key.
    Key(String),
    /// An end user.
    User { key: String, user: String },
    /// A client at this address that has proven nothing.
    Unproven(IpAddr),
}

/// An owner of a share: a payer belongs to several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    User(String, String),
    Key(String),
    Network(Network),
    /// All clients that have proven nothing.
    AllUnproven,
}

impl Payer {
    /// Whether it has shown a credential.
    pub(crate) fn is_proven(&self) -> bool {
        !matches!(self, Self::Unproven(_))
    }

    /// The name of its tenant; strangers have one together.
    pub(crate) fn tenant(&self) -> String {
        match self {
            Self::Operator | Self::Unproven(_) => String::new(),
            Self::Key(key) | Self::User { key, .. } => key.clone(),
        }
    }

    /// Owners whose shares it takes, the narrowest first.
    pub(crate) fn owners(&self) -> Vec<Owner> {
        match self {
            Self::Operator => vec![],
            Self::Key(key) => vec![Owner::Key(key.clone())],
            Self::User { key, user } => {
                vec![Owner::User(key.clone(), user.clone()), Owner::Key(key.clone())]
            }
            Self::Unproven(address) => {
                let networks = networks(*address).into_iter().map(Owner::Network);
                networks.chain([Owner::AllUnproven]).collect()
            }
        }
    }
}

/// Proves who calls, without a read: a signature takes microseconds.
pub(crate) struct Payers {
    keyring: Keyring,
    clock: Clock,
    admin_token: [u8; 32],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyClaims {
    api_key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserClaims {
    sub: String,
    api_key: String,
    exp: u64,
}

impl Payers {
    pub(crate) fn new(keyring: Keyring, clock: Clock, admin_token: &str) -> Self {
        Self { keyring, clock, admin_token: sha256(admin_token.as_bytes()) }
    }

    /// The payer for a call of an operation: the holder of the credential that the operation uses.
    pub(crate) fn of_call(&self, spec: Option<&Spec>, headers: &HeaderMap, from: IpAddr) -> Payer {
        let key = headers.get("x-service-api-key").filter(|_| is_lifted("accounts"));
        if let Some(key) = key.and_then(|key| key.to_str().ok()) {
            return Payer::Key(key.to_owned());
        }
        spec.and_then(|spec| self.proven(spec, headers)).unwrap_or(Payer::Unproven(from))
    }

    fn proven(&self, spec: &Spec, headers: &HeaderMap) -> Option<Payer> {
        if let Some(token) = bearer(headers).filter(|_| spec.end_users.may_call()) {
            return self.of_token(token);
        }
        let sent = |name: HeaderName| headers.get(name)?.to_str().ok();
        let admin = sent(HeaderName::from_static("x-service-admin-token"));
        if let Some(token) = admin.filter(|_| spec.takes_admin_token()) {
            let is_operator = is_same(&sha256(token.as_bytes()), &self.admin_token);
            return is_operator.then_some(Payer::Operator);
        }
        let key = sent(HeaderName::from_static("x-service-api-key"))?;
        let token = sent(HeaderName::from_static("x-service-auth-token"))?;
        let claims = self.keyring.verify_jwt::<KeyClaims>(Purpose::AuthToken, token)?;
        let is_of_key = claims.api_key == key && spec.level == "apiKey";
        is_of_key.then_some(Payer::Key(claims.api_key))
    }

    /// The end user of a token that was signed here and has not expired.
    pub(crate) fn of_token(&self, token: &str) -> Option<Payer> {
        let claims = self.keyring.verify_jwt::<UserClaims>(Purpose::UserToken, token);
        let claims = claims.or_else(|| claimed(token))?;
        let is_valid = claims.exp.saturating_mul(1000) > self.clock.now();
        is_valid.then_some(Payer::User { key: claims.api_key, user: claims.sub })
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get(axum::http::header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = sent.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use keyring::{Keyring, Purpose};
    use serde_json::json;
    use service::Clock;

    use super::{Owner, Payer, Payers};

    const OWN: &str = "k1=0123456789abcdef0123456789abcdef";
    const FOREIGN: &str = "k1=fedcba9876543210fedcba9876543210";

    #[test]
    fn only_a_signature_proves_a_user() {
        let payers = Payers::new(Keyring::parse(OWN).unwrap(), Clock::default(), "admin");
        let token = |ring: &str, exp: u64| {
            let claims = json!({ "sub": "ann", "apiKey": "k", "exp": exp });
            Keyring::parse(ring).unwrap().issue_jwt(Purpose::UserToken, &claims)
        };
        let ann = Payer::User { key: "k".to_owned(), user: "ann".to_owned() };
        assert_eq!(payers.of_token(&token(OWN, u64::MAX)), Some(ann));
        assert_eq!(payers.of_token(&token(OWN, 1)), None, "it has expired");
        assert_eq!(payers.of_token(&token(FOREIGN, u64::MAX)), None);
        for text in ["", ".", "a.b", "a.!.c"] {
            assert_eq!(payers.of_token(text), None, "{text}");
        }
    }

    #[test]
    fn a_payer_takes_the_part_of_all_it_belongs_to() {
        let user = Payer::User { key: "k".to_owned(), user: "ann".to_owned() };
        let of_user = Owner::User("k".to_owned(), "ann".to_owned());
        assert_eq!(user.owners(), [of_user, Owner::Key("k".to_owned())]);
        let owners = |address: &str| Payer::Unproven(address.parse().unwrap()).owners();
        assert_eq!(owners("2606:4700::1").len(), 4);
        assert_eq!(owners("127.0.0.1"), [Owner::AllUnproven]);
        assert_eq!(Payer::Operator.owners(), []);
    }
}
