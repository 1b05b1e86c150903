//! Types that several operations share.

use std::collections::BTreeMap;

use model::{
    Domain, Millis,
    api_key::{AiModelKey, AiProvider, AuthToken, Features},
};
use service::prelude::*;

/// An auth token.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AuthToken")]
pub(crate) struct TokenView {
    token: String,
    name: String,
    /// Allowed domains; may be empty.
    domains: Vec<Domain>,
    /// Expiry in epoch milliseconds; absent for the current token.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Millis>,
}

impl TokenView {
    pub(crate) fn new(token: String, record: &AuthToken) -> Self {
        let (name, domains) = (record.name.clone(), record.domains.clone());
        Self { token, name, domains, expires_at: record.expires_at }
    }
}

/// Keys of AI providers, masked.
pub(crate) type AiModels = BTreeMap<AiProvider, MaskedKey>;

/// A masked secret.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MaskedAiKey")]
pub(crate) struct MaskedKey {
    display_text: String,
}

/// The masked keys of AI providers.
pub(crate) fn masked<'a>(keys: impl IntoIterator<Item = &'a AiModelKey>) -> AiModels {
    let masked = |key: &AiModelKey| {
        let display_text = mask(key.customer_api_key.expose());
        (key.provider, MaskedKey { display_text })
    };
    let set = keys.into_iter().filter(|key| !key.customer_api_key.is_unset());
    set.map(masked).collect()
}

/// Shows at most a third of a secret and hides its length.
fn mask(secret: &str) -> String {
    const STARS: &str = "********";
    const SHORTEST_SHOWN: usize = 21;
    let letters: Vec<char> = secret.chars().collect();
    if letters.len() < SHORTEST_SHOWN {
        return STARS.to_owned();
    }
    let (first, last) = (&letters[..3], &letters[letters.len() - 4..]);
    first.iter().copied().chain(STARS.chars()).chain(last.iter().copied()).collect()
}

/// Features to switch.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyFeaturesPatch")]
pub(crate) struct Switches {
    /// Whether folders can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    advanced_queries: Option<bool>,
    /// Whether users can have notification preferences.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_notification_config: Option<bool>,
}

impl Switches {
    pub(crate) fn is_empty(&self) -> bool {
        self.advanced_queries.is_none() && self.user_notification_config.is_none()
    }

    /// Sets the members that were sent.
    pub(crate) fn apply(&self, features: &mut Features) {
        model::set(&mut features.advanced_queries, self.advanced_queries);
        model::set(&mut features.user_notification_config, self.user_notification_config);
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn a_short_secret_is_not_shown_at_all() {
        assert_eq!(mask(""), "********");
        assert_eq!(mask("12345678901234567890"), "********");
        assert_eq!(mask("123456789012345678901"), "123********8901");
        assert_eq!(mask(&"é".repeat(40)), "ééé********éééé");
    }
}
