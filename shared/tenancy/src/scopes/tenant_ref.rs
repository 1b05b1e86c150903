//! References to tenants, on our own queues.

use model::ApiKeyId;
use serde::{Deserialize, Serialize};

/// A reference to a tenant, on our own queues. Useless without [`Store::resume`](super::Store::resume).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TenantRef {
    pub(super) api_key: ApiKeyId,
}

impl TenantRef {
    /// The tenant's API key.
    pub fn api_key(&self) -> &ApiKeyId {
        &self.api_key
    }

    /// The tenant's API key, for log lines and message groups.
    pub fn as_str(&self) -> &str {
        self.api_key.as_str()
    }
}

impl From<ApiKeyId> for TenantRef {
    fn from(api_key: ApiKeyId) -> Self {
        Self { api_key }
    }
}
