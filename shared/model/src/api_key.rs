//! API keys: the tenants, with their auth tokens and settings (contract `workspace`).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ApiKeyId, Domain, Email, MarkName, Millis, TokenId, WorkspaceId,
    clock::{ClockOffset, WallTime},
    limits::Limits,
    permissions::{AccessRole, AccessType},
    workspace::MAX_REPLACED_TOKENS,
};

/// The type of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ApiKeyType")]
pub enum KeyType {
    /// For development.
    Testing,
    /// For production; limited in number.
    Production,
}

impl KeyType {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Testing => "testing",
            Self::Production => "production",
        }
    }
}

/// An API key with its tokens in one record, so that admission reads only this.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// Generated id, which is the key itself.
    pub id: ApiKeyId,
    /// The workspace it belongs to.
    pub workspace_id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// Testing or production.
    #[serde(rename = "type")]
    pub kind: KeyType,
    /// E-mail address of the owner.
    pub owner_email: Email,
    /// The requested region of its data; informative, because a deployment has one region.
    pub persistence_region: Option<String>,
    /// The requested region of its realtime data; informative.
    pub realtime_region: Option<String>,
    /// Domains whose pages may use the key; empty: all.
    #[serde(default)]
    pub allowed_domains: Vec<Domain>,
    /// Whether pages on localhost may use it.
    #[serde(default)]
    pub allow_local_host: bool,
    /// Settings that callers may change.
    pub settings: Settings,
    /// Records of its auth tokens.
    pub tokens: Vec<AuthToken>,
    /// Creation time.
    pub created_at: Millis,
    /// Offset of its clock; only for `testing` keys
    /// (contract `schedule.test_clock_advance`).
    #[serde(default)]
    pub clock_ahead: ClockOffset,
    /// Whether calls with it are refused (decision 22).
    #[serde(default)]
    pub disabled: bool,
    /// Rate limits of the key.
    #[serde(default)]
    pub limits: Limits,
    /// The last reset of all tokens, in epoch milliseconds: tokens of end users are refused whose
    /// issuer did not know it. Each reset is later than the one before.
    #[serde(default)]
    pub end_users_since: Option<Millis>,
    /// Deletion time; its data is deleted in the background, then its record.
    #[serde(default)]
    pub deleted_at: Option<Millis>,
}

impl ApiKey {
    /// A new key without tokens, with default settings. The default access type of its documents
    /// has to be given, because a key that says nothing is one of an earlier version.
    pub fn new(
        id: ApiKeyId,
        workspace_id: WorkspaceId,
        owner_email: Email,
        kind: KeyType,
        default_document_access_type: AccessType,
        now: Millis,
    ) -> Self {
        Self {
            id,
            workspace_id,
            name: default_name(&owner_email, kind),
            kind,
            owner_email,
            persistence_region: None,
            realtime_region: None,
            allowed_domains: vec![],
            allow_local_host: false,
            settings: Settings { default_document_access_type, ..Settings::default() },
            tokens: vec![],
            created_at: now,
            clock_ahead: ClockOffset::default(),
            disabled: false,
            limits: Limits::default(),
            end_users_since: None,
            deleted_at: None,
        }
    }

    /// The valid auth tokens at `now`, the current one first.
    pub fn tokens_at(&self, now: Millis) -> impl Iterator<Item = &AuthToken> {
        self.tokens.iter().filter(move |token| token.works_at(now))
    }

    /// Sets a new auth token; others stay valid for at most `grace` milliseconds. False, without a
    /// change, when too many would be valid.
    #[must_use]
    pub fn replace_tokens(&mut self, token: AuthToken, grace: Millis, now: Millis) -> bool {
        if grace > 0 && self.tokens_at(now).count() > MAX_REPLACED_TOKENS {
            return false;
        }
        self.make_room();
        if grace == 0 {
            // Tokens of end users are issued by the clock of the key.
            let shown = WallTime::from_millis(now).shown_to_tenant(self.clock_ahead);
            let later = self.end_users_since.map_or(0, |last| last.saturating_add(1));
            self.end_users_since = Some(shown.max(later));
        }
        let until = now.saturating_add(grace);
        self.tokens.retain(|old| grace > 0 && old.works_at(now));
        for old in &mut self.tokens {
            old.expires_at = Some(old.expires_at.map_or(until, |at| at.min(until)));
        }
        self.tokens.insert(0, token);
        true
    }

    /// Drops the newest domains beyond what leaves room for tokens. Only a record of an earlier
    /// version has so many: who holds a lost token could fill it, and it has to be replaced.
    fn make_room(&mut self) {
        let mut room = MAX_KEPT_CHARS;
        self.allowed_domains.retain(|domain| {
            let rest = room.checked_sub(domain.as_str().len());
            room = rest.unwrap_or(0);
            rest.is_some()
        });
    }

    /// All domains of the key, as listed.
    pub fn domains(&self) -> Vec<String> {
        let local = if self.allow_local_host { Domain::LOCAL_HOSTS.as_slice() } else { &[] };
        let listed = self.allowed_domains.iter().map(|domain| domain.as_str().to_owned());
        listed.chain(local.iter().map(|&host| host.to_owned())).collect()
    }

    /// Adds domains; returns the new ones and the known ones. Any local host stands for all local
    /// hosts.
    ///
    /// # Errors
    /// When the key would have too many; a key of an earlier version may have more, and gets none.
    pub fn add_domains(
        &mut self,
        domains: &[Domain],
    ) -> Result<(Vec<Domain>, Vec<Domain>), &'static str> {
        let (known, new) = self.divide(domains);
        let (local, listed): (Vec<&Domain>, Vec<&Domain>) =
            new.iter().partition(|domain| domain.is_local());
        let all = || self.allowed_domains.iter().chain(listed.iter().copied());
        if !listed.is_empty() && (all().count() > MAX_DOMAINS || length(all()) > MAX_DOMAIN_CHARS) {
            return Err("An API key has at most 200 domains, of 16384 characters together.");
        }
        self.allow_local_host |= !local.is_empty();
        self.allowed_domains.extend(listed.into_iter().cloned());
        Ok((new, known))
    }

    /// Removes domains; returns the known ones and the unknown ones.
    pub fn remove_domains(&mut self, domains: &[Domain]) -> (Vec<Domain>, Vec<Domain>) {
        let (known, new) = self.divide(domains);
        self.allowed_domains.retain(|domain| !known.contains(domain));
        self.allow_local_host &= !known.iter().any(Domain::is_local);
        (known, new)
    }

    /// Splits the domains into known and unknown ones, without duplicates.
    fn divide(&self, domains: &[Domain]) -> (Vec<Domain>, Vec<Domain>) {
        let mut seen = BTreeSet::new();
        let distinct = domains.iter().filter(|domain| seen.insert(*domain)).cloned();
        distinct.partition(|domain| match domain.is_local() {
            true => self.allow_local_host,
            false => self.allowed_domains.contains(domain),
        })
    }

    /// Whether a page of this origin may use the key (contract `conventions.origins`).
    pub fn admits(&self, origin: &str) -> bool {
        self.allowed_domains.is_empty() || self.lists(origin)
    }

    /// Whether the host of a URL is in one of its domains.
    pub fn lists(&self, url: &str) -> bool {
        let local = || {
            let host = |name: &str| Domain::try_from(name.to_owned()).is_ok_and(|d| d.admits(url));
            self.allow_local_host && Domain::LOCAL_HOSTS.iter().any(|name| host(name))
        };
        self.allowed_domains.iter().any(|domain| domain.admits(url)) || local()
    }
}

/// `ada@example.com` has an `Ada Test API Key` (contract `types.api-key`).
fn default_name(owner: &Email, kind: KeyType) -> String {
    let local = owner.as_str().rsplit_once('@').map_or("", |(local, _)| local);
    let mut letters = local.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let kind = match kind {
        KeyType::Testing => "Test",
        KeyType::Production => "Production",
    };
    format!("{first}{} {kind} API Key", letters.as_str())
}

/// Maximum number of domains of a key. Its record is read by each call.
const MAX_DOMAINS: usize = 200;
/// Maximum total length of the domains of a key, in characters.
const MAX_DOMAIN_CHARS: usize = 16 * 1024;
/// The total length of domains in a record of an earlier version that leaves room for its tokens: a
/// record has at most 400 KB.
const MAX_KEPT_CHARS: usize = 256 * 1024;

fn length<'a>(domains: impl Iterator<Item = &'a Domain>) -> usize {
    domains.map(|domain| domain.as_str().len()).sum()
}

/// The record of an auth token, from which the token is signed again
/// (contract `conventions.auth-tokens`).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthToken {
    /// Generated id.
    pub id: TokenId,
    /// Display name.
    pub name: String,
    /// Domains whose pages may use the token; empty: all.
    #[serde(default)]
    pub domains: Vec<Domain>,
    /// Time of issue.
    pub issued_at: Millis,
    /// The deployment key that signed it.
    pub kid: String,
    /// End of its validity after a rotation.
    #[serde(default)]
    pub expires_at: Option<Millis>,
}

impl AuthToken {
    fn works_at(&self, now: Millis) -> bool {
        self.expires_at.is_none_or(|at| at > now)
    }
}

/// Settings of an API key (contract `types.api-key-config`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Whether end users may begin private threads. The tenant's server may in any case.
    pub private_comments: bool,
    /// Whether end users may assign threads and change priority, place and context of them.
    pub thread_editing: bool,
    /// Whether clients must present end-user tokens.
    pub require_jwt_token: bool,
    /// Whether an end user whose token names an organization joins it with the first access.
    pub require_auto_org_user: bool,
    /// The default for documents without an access type of their own: `public` in records that have
    /// none, which are older than the closed default (decision 111).
    pub default_document_access_type: AccessType,
    /// The role of end users without a right in what is public.
    pub public_access_role: AccessRole,
    /// The mark that the service writes for anchors of threads; nothing: it writes none.
    pub anchor_mark: MarkName,
    /// Optional features.
    pub features: Features,
    /// Keys of AI providers.
    pub ai_model_keys: Vec<AiModelKey>,
}

/// Features of an API key, enabled by default.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(rename = "ApiKeyFeatures")]
pub struct Features {
    /// Folders can be listed.
    pub advanced_queries: bool,
    /// Users can have notification preferences.
    pub user_notification_config: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self { advanced_queries: true, user_notification_config: true }
    }
}

/// A tenant's key for an AI provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AiModelKey {
    /// The provider.
    pub provider: AiProvider,
    /// The key, sealed by the store.
    pub customer_api_key: crate::Secret,
}

/// An AI provider.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "names of companies")]
pub enum AiProvider {
    OpenAi,
    Anthropic,
    Gemini,
}
