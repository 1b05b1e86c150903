//! Creation of API keys.

use model::{
    ApiKeyId, Email, Millis, WorkspaceId,
    api_key::{ApiKey, KeyType, Settings},
    limits::Limits,
};
use service::{Error, Result};

/// A new key without tokens, with default settings.
pub(crate) fn new_key(
    workspace_id: WorkspaceId,
    owner_email: Email,
    kind: KeyType,
    now: Millis,
) -> Result<ApiKey> {
    let id = format!("rt_{}", service::random_text::<16>()?);
    Ok(ApiKey {
        id: ApiKeyId::try_from(id).map_err(|e| Error::internal(e.to_string()))?,
        workspace_id,
        name: default_name(&owner_email, kind),
        kind,
        owner_email,
        persistence_region: None,
        realtime_region: None,
        allowed_domains: vec![],
        allow_local_host: false,
        settings: Settings::default(),
        tokens: vec![],
        created_at: now,
        clock_ahead: 0,
        disabled: false,
        limits: Limits::default(),
        deleted_at: None,
    })
}

/// `ada@example.com` has an `Ada Test API Key` (siblings 3.1).
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
