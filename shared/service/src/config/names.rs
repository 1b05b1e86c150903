//! Names of a compatible vendor, beside or instead of ours (decision 138): read from a setting of the
//! deployment, applied at the edge of a call and to bodies of webhooks. Stored data has our words.

mod headers;
mod places;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

pub(crate) use headers::PREFIX;

/// Largest setting, in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// Most regions.
const MAX_REGIONS: usize = 100;
/// Longest word.
const MAX_WORD: usize = 64;

/// The setting. Its keys are a closed list; each may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Names {
    /// Prefix of headers with credentials, accepted beside ours.
    header_prefix: Option<String>,
    #[serde(default)]
    values: Values,
    /// Beginning of the keys of threads that are denied.
    denied_key: Option<String>,
    /// Further regions of keys, each with the region of the deployment that it means.
    #[serde(default)]
    regions: BTreeMap<String, String>,
}

/// Words that requests may have instead of ours, and replies and webhooks have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Values {
    email_provider: Option<String>,
    chat_preference: Option<String>,
    agent_source: Option<String>,
    managed_by: Option<String>,
}

/// A word of ours that may have another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    EmailProvider,
    ChatPreference,
    AgentSource,
    ManagedBy,
    DeniedKey,
}

impl Word {
    /// Ours.
    const fn own(self) -> &'static str {
        match self {
            Self::EmailProvider => "thirdparty",
            Self::ChatPreference => "chat",
            Self::AgentSource | Self::ManagedBy => "service",
            Self::DeniedKey => "__service_denied:",
        }
    }

    /// Words of ours beside it, which would be ambiguous.
    const fn others(self) -> &'static [&'static str] {
        match self {
            Self::EmailProvider => &["default", "custom"],
            Self::ChatPreference => &["inbox", "email"],
            Self::AgentSource => &["external"],
            Self::ManagedBy => &["customer"],
            Self::DeniedKey => &[],
        }
    }
}

impl Names {
    /// Reads the setting; `supported` are the regions of the deployment.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str, supported: &[String]) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("the names have more than {MAX_BYTES} bytes"));
        }
        let names: Self = serde_json::from_str(text)
            .map_err(|error| format!("the names are invalid: {error}"))?;
        if let Some(prefix) = &names.header_prefix {
            headers::check(prefix)?;
        }
        let of_values = [
            ("values.emailProvider", &names.values.email_provider, Word::EmailProvider),
            ("values.chatPreference", &names.values.chat_preference, Word::ChatPreference),
            ("values.agentSource", &names.values.agent_source, Word::AgentSource),
            ("values.managedBy", &names.values.managed_by, Word::ManagedBy),
        ];
        for (key, name, word) in of_values {
            let Some(name) = name else { continue };
            if !is_word(name) {
                return Err(format!("{key} must be 1 to 64 letters, digits, ., _ and -"));
            }
            if word.others().contains(&name.as_str()) {
                return Err(format!("{key} is {name}, which has another meaning there"));
            }
        }
        if let Some(key) = &names.denied_key {
            // No id of a thread has a colon.
            let is_key = key.strip_suffix(':').is_some_and(is_word);
            if !is_key {
                return Err(
                    "deniedKey must be letters, digits, ., _ and -, then a colon".to_owned()
                );
            }
        }
        if names.regions.len() > MAX_REGIONS {
            return Err(format!("there are more than {MAX_REGIONS} regions"));
        }
        for (name, region) in &names.regions {
            if !is_word(name) || !supported.contains(region) {
                return Err(format!("regions: {name} must name a region of the deployment"));
            }
        }
        Ok(names)
    }

    /// Names of regions that keys may have besides those of the deployment.
    pub(crate) fn regions(&self) -> impl Iterator<Item = &String> {
        self.regions.keys()
    }

    /// The other name of a word.
    fn of(&self, word: Word) -> Option<&str> {
        let name = match word {
            Word::EmailProvider => &self.values.email_provider,
            Word::ChatPreference => &self.values.chat_preference,
            Word::AgentSource => &self.values.agent_source,
            Word::ManagedBy => &self.values.managed_by,
            Word::DeniedKey => &self.denied_key,
        };
        name.as_deref().filter(|name| *name != word.own())
    }

    /// Puts our words into the parameters of a call.
    pub(crate) fn accept(&self, operation: &str, data: &mut Value) {
        for (path, word) in places::of_requests(operation) {
            if let Some(name) = self.of(word) {
                places::replace(data, path, word, name, word.own());
            }
        }
    }

    /// Puts the other names into a reply, which is a JSON text.
    pub(crate) fn answer(&self, operation: &str, body: String) -> String {
        self.write(places::of_replies(operation), body)
    }

    /// Puts the other names into the body of a webhook.
    pub(crate) fn send(&self, body: String) -> String {
        self.write(places::of_webhooks(), body)
    }

    fn write(&self, places: impl Iterator<Item = (&'static str, Word)>, body: String) -> String {
        let places: Vec<_> =
            places.filter_map(|(path, word)| Some((path, word, self.of(word)?))).collect();
        // The text of our word is not there: nothing to read, which is almost always so.
        if !places.iter().any(|(_, word, _)| body.contains(word.own())) {
            return body;
        }
        let Ok(mut value) = serde_json::from_str::<Value>(&body) else { return body };
        for (path, word, name) in places {
            places::replace(&mut value, path, word, word.own(), name);
        }
        value.to_string()
    }
}

fn is_word(text: impl AsRef<str>) -> bool {
    let text = text.as_ref();
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    (1..=MAX_WORD).contains(&text.len()) && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Names;

    fn parse(names: &Value) -> Result<Names, String> {
        Names::parse(&names.to_string(), &["eu-west-1".to_owned()])
    }

    #[test]
    fn a_name_that_is_ambiguous_or_unknown_is_refused() {
        assert_eq!(parse(&json!({})), Ok(Names::default()));
        for (names, fault) in [
            (json!({ "brand": "acme" }), "unknown field"),
            (json!({ "values": { "brand": "acme" } }), "unknown field"),
            (json!({ "values": { "emailProvider": "custom" } }), "values.emailProvider"),
            (json!({ "values": { "chatPreference": "inbox" } }), "values.chatPreference"),
            (json!({ "values": { "agentSource": "external" } }), "values.agentSource"),
            (json!({ "values": { "managedBy": "customer" } }), "values.managedBy"),
            (json!({ "values": { "managedBy": "" } }), "values.managedBy"),
            (json!({ "values": { "managedBy": "a b" } }), "values.managedBy"),
            (json!({ "deniedKey": "denied" }), "deniedKey"),
            (json!({ "deniedKey": ":" }), "deniedKey"),
            (json!({ "regions": { "europe": "eu-west-9" } }), "regions"),
            (json!({ "headerPrefix": "x-acme" }), "headerPrefix"),
            (json!({ "headerPrefix": "X-Acme-" }), "headerPrefix"),
            (json!({ "headerPrefix": "x-" }), "headerPrefix"),
            (json!({ "headerPrefix": "x-service-workspace-" }), "headerPrefix"),
        ] {
            let refused = parse(&names).unwrap_err();
            assert!(refused.contains(fault), "{names}: {refused}");
        }
        assert!(Names::parse("[", &[]).is_err());
    }

    #[test]
    fn our_words_are_replaced_where_they_are_ours_and_nowhere_else() {
        let names = parse(&json!({ "values": { "agentSource": "acme" } })).unwrap();
        let agent = |source: &str| json!({ "agentSource": source });
        let thread = |source: &str| {
            json!({
                "agent": agent(source), "context": { "agent": agent("service") },
                "comments": [{ "agent": agent(source) }, { "agent": agent("external") }],
            })
        };
        let by_document = |source: &str| json!({ "result": { "data": { "d": [thread(source)] } } });
        let list = |source: &str| json!({ "result": { "data": [null, thread(source)] } });
        for (ours, theirs) in
            [(list("service"), list("acme")), (by_document("service"), by_document("acme"))]
        {
            let written = names.answer("comments.annotations_get", ours.to_string());
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), theirs);
        }
    }
}
