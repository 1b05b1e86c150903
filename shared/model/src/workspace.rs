//! Workspaces: the accounts that own keys and pay for them (contract `workspace`).

mod view;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::view::{KeyView, WorkspaceView};
use crate::{Email, Millis, WorkspaceId};

/// The plan of a workspace; production keys need `paid`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "WorkspacePlan")]
pub enum Plan {
    /// Testing keys only.
    Free,
    /// Production keys, too.
    #[default]
    Paid,
}

/// A workspace.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Generated id.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// The owner.
    pub owner: Owner,
    /// SHA-256 of the auth token; the token itself is not stored.
    pub token_hash: String,
    /// Hashes of replaced tokens; some may have expired.
    #[serde(default)]
    replaced_tokens: Vec<ReplacedToken>,
    /// Plan of the workspace.
    pub plan: Plan,
    /// Whether it may create production keys itself.
    pub self_serve_production_keys: bool,
    /// Maximum number of production keys.
    pub max_production_keys: u64,
    /// How many production keys it has.
    pub production_keys: u64,
    /// Maximum number of testing keys.
    #[serde(default = "max_testing_keys")]
    pub max_testing_keys: u64,
    /// How many testing keys it has.
    #[serde(default)]
    pub testing_keys: u64,
    /// Creation time.
    pub created_at: Millis,
    /// Maximum number of webhook endpoints of each of its keys.
    #[serde(default = "max_webhook_endpoints")]
    pub max_webhook_endpoints: u64,
}

/// Default maximum of webhook endpoints per key.
pub const MAX_WEBHOOK_ENDPOINTS: u64 = 500;

const fn max_webhook_endpoints() -> u64 {
    MAX_WEBHOOK_ENDPOINTS
}

/// Default maximum of testing keys per workspace (contract `workspace.maximums`).
pub const MAX_TESTING_KEYS: u64 = 100;

const fn max_testing_keys() -> u64 {
    MAX_TESTING_KEYS
}

/// A replaced token that is still valid.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ReplacedToken {
    hash: String,
    /// End of its validity.
    until: Millis,
}

/// Maximum number of replaced auth tokens of a workspace or API key that are still valid.
pub const MAX_REPLACED_TOKENS: usize = 5;

impl Workspace {
    /// A workspace with a token and its first key, for testing.
    pub fn new(
        id: WorkspaceId,
        name: String,
        owner: Owner,
        token_hash: String,
        now: Millis,
    ) -> Self {
        Self {
            id,
            name,
            owner,
            token_hash,
            replaced_tokens: vec![],
            plan: Plan::default(),
            self_serve_production_keys: true,
            max_production_keys: MAX_PRODUCTION_KEYS,
            production_keys: 0,
            max_testing_keys: MAX_TESTING_KEYS,
            max_webhook_endpoints: MAX_WEBHOOK_ENDPOINTS,
            testing_keys: 1,
            created_at: now,
        }
    }

    /// The hashes of valid tokens at `now`.
    pub fn token_hashes(&self, now: Millis) -> impl Iterator<Item = &str> {
        let valid = self.replaced_tokens.iter().filter(move |old| old.until > now);
        std::iter::once(self.token_hash.as_str()).chain(valid.map(|old| old.hash.as_str()))
    }

    /// Rotates the auth token; the old one stays valid for `grace` milliseconds. Without grace only
    /// the new one is valid. False, without a change, when too many would be valid.
    #[must_use]
    pub fn rotate_token(&mut self, hash: String, grace: Millis, now: Millis) -> bool {
        self.replaced_tokens.retain(|old| grace > 0 && old.until > now);
        if self.replaced_tokens.len() >= MAX_REPLACED_TOKENS {
            return false;
        }
        let old = std::mem::replace(&mut self.token_hash, hash);
        if grace > 0 {
            self.replaced_tokens
                .push(ReplacedToken { hash: old, until: now.saturating_add(grace) });
        }
        true
    }
}

/// Default maximum of production keys per workspace (contract `workspace.maximums`).
const MAX_PRODUCTION_KEYS: u64 = 10;

/// The owner of a workspace in replies.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceOwner")]
pub struct Owner {
    /// E-mail address.
    pub email: Email,
    /// Generated id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Picture; empty when unset.
    pub avatar: String,
}
