//! Agents (contract `types.agent`): identity, and versions of their behavior.

pub mod behavior;
pub mod blocks;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AgentId, Description, Metadata, Millis, Secret, Text};

/// A built-in agent of every workspace. Only `enabled` can be changed.
#[derive(Debug)]
pub struct BuiltIn {
    /// Id of the agent.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Purpose.
    pub description: &'static str,
}

const fn built_in_agent(
    id: &'static str,
    name: &'static str,
    description: &'static str,
) -> BuiltIn {
    BuiltIn { id, name, description }
}

/// All built-in agents (contract `agents.built-in`). They are enabled unless a tenant disables
/// them.
pub static BUILT_IN: [BuiltIn; 10] = [
    built_in_agent("spell-check", "Spell check", "Finds misspelled words."),
    built_in_agent("grammar-check", "Grammar check", "Finds mistakes of grammar."),
    built_in_agent("broken-links", "Broken links", "Finds links that lead nowhere."),
    built_in_agent("pii-detection", "PII detection", "Finds personal data."),
    built_in_agent("profanity-filter", "Profanity filter", "Finds offensive language."),
    built_in_agent("sensitive-data", "Sensitive data", "Finds secrets and confidential data."),
    built_in_agent("lighthouse", "Lighthouse", "Measures performance and best practices."),
    built_in_agent("accessibility-checker", "Accessibility checker", "Finds barriers."),
    built_in_agent("og-image-checker", "OG image checker", "Checks the previews of shared links."),
    built_in_agent("lorem-ipsum", "Lorem ipsum", "Finds placeholder text."),
];

/// The built-in agent with this id.
pub fn built_in(id: &AgentId) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|agent| agent.id == id.as_str())
}

/// Whether an agent is built in; all others are custom.
pub fn is_built_in(id: &AgentId) -> bool {
    built_in(id).is_some()
}

/// The unversioned members of a custom agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Generated id.
    pub agent_id: AgentId,
    /// Display name.
    pub name: Text,
    /// Purpose.
    pub description: Description,
    /// Whether it is active.
    pub enabled: bool,
    /// The current version.
    pub version: u64,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// Custom members.
    #[serde(default)]
    pub metadata: Metadata,
}

/// The tenant's setting of a built-in agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Switch {
    /// The agent.
    pub agent_id: AgentId,
    /// Whether it is active.
    pub enabled: bool,
}

/// One version of a custom agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentVersion {
    /// The agent.
    pub agent_id: AgentId,
    /// Version number, from 1 without gaps.
    pub version: u64,
    /// Whether it is the current version.
    pub is_current: bool,
    /// Creation time.
    pub created_at: Millis,
    /// The behavior, with [`REDACTED`] in place of every secret.
    pub behavior: Metadata,
    /// The secrets by position.
    #[serde(default)]
    pub secrets: Vec<Concealed>,
}

/// A secret extracted from a behavior.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Concealed {
    /// JSON pointer to its position.
    at: String,
    sealed: Secret,
}

/// The mask of a secret.
pub const REDACTED: &str = "__redacted__";
/// Blocks with credentials.
const CONCEALING: [&str; 2] = ["contextGathering", "execution"];
/// Members of `auth` and of a header that are not secret.
const PUBLIC: [&str; 4] = ["type", "username", "name", "headerName"];

impl AgentVersion {
    /// The current version.
    pub fn new(agent_id: AgentId, version: u64, mut behavior: Metadata, now: Millis) -> Self {
        let mut secrets = Vec::new();
        for block in CONCEALING {
            if let Some(value) = behavior.get_mut(block) {
                conceal(value, &format!("/{block}"), Within::Block, &mut secrets);
            }
        }
        Self { agent_id, version, is_current: true, created_at: now, behavior, secrets }
    }

    /// The behavior as sent.
    pub fn revealed(&self) -> Metadata {
        let mut behavior = Value::Object(self.behavior.clone());
        for secret in &self.secrets {
            if let Some(place) = behavior.pointer_mut(&secret.at) {
                *place = Value::String(secret.sealed.expose().to_owned());
            }
        }
        match behavior {
            Value::Object(behavior) => behavior,
            _ => Metadata::new(),
        }
    }
}

/// Puts the stored secrets in place of masks that a caller read and sends back. An element with an
/// `id` or a `name` is found by it, other elements by their position.
///
/// # Errors
/// When there is no stored secret, or it would go to another URL than before.
pub fn unmask(behavior: &mut Metadata, stored: &Metadata) -> Result<(), &'static str> {
    for block in CONCEALING {
        if let Some(value) = behavior.get_mut(block) {
            unmask_in(value, stored.get(block), Within::Block)?;
        }
    }
    Ok(())
}

fn unmask_in(
    value: &mut Value,
    stored: Option<&Value>,
    within: Within,
) -> Result<(), &'static str> {
    match value {
        Value::String(text) if within != Within::Block && text == REDACTED => {
            let secret = stored.and_then(Value::as_str);
            *text = secret.ok_or("has a placeholder for which no secret is stored")?.to_owned();
        }
        Value::Array(elements) => {
            let stored = stored.and_then(Value::as_array).map_or(&[] as &[_], Vec::as_slice);
            for (n, element) in elements.iter_mut().enumerate() {
                let key = ["id", "name"].into_iter().find(|name| element[*name].is_string());
                let was = match key {
                    Some(key) => stored.iter().find(|one| one[key] == element[key]),
                    None => stored.get(n),
                };
                unmask_in(element, was, within.element())?;
            }
        }
        Value::Object(members) => {
            let is_there = |was: &&Value| was.get("url") == members.get("url");
            let stored = stored.filter(is_there);
            for (name, member) in members {
                unmask_in(member, stored.and_then(|was| was.get(name)), within.member(name))?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Position of a value in a block.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Elsewhere in a block.
    Block,
    /// Below `auth`: every text is a secret, except [`PUBLIC`].
    Auth,
    /// Below `headers`: every value is a secret, whatever the header.
    Headers,
}

impl Within {
    fn member(self, name: &str) -> Self {
        match (self, name) {
            (Self::Block, "auth") => Self::Auth,
            (Self::Block | Self::Auth, "headers") => Self::Headers,
            (Self::Auth, name) if PUBLIC.contains(&name) => Self::Block,
            (within, _) => within,
        }
    }

    /// Headers may also be a list of names and values.
    fn element(self) -> Self {
        if self == Self::Headers { Self::Auth } else { self }
    }
}

/// Extracts the secrets below `auth` and `headers`.
fn conceal(value: &mut Value, at: &str, within: Within, secrets: &mut Vec<Concealed>) {
    match value {
        Value::String(text) if within != Within::Block => {
            let sealed = Secret::from(std::mem::replace(text, REDACTED.to_owned()));
            secrets.push(Concealed { at: at.to_owned(), sealed });
        }
        Value::Array(elements) => {
            for (n, element) in elements.iter_mut().enumerate() {
                conceal(element, &format!("{at}/{n}"), within.element(), secrets);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                conceal(member, &at, within.member(name), secrets);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{AgentVersion, BUILT_IN, REDACTED, is_built_in};
    use crate::AgentId;

    fn id(text: &str) -> AgentId {
        text.to_owned().try_into().unwrap()
    }

    fn version(behavior: Value) -> AgentVersion {
        let Value::Object(behavior) = behavior else { panic!("an object") };
        AgentVersion::new(id("a"), 1, behavior, 1)
    }

    #[test]
    fn ten_agents_are_built_in() {
        assert!(BUILT_IN.iter().all(|agent| is_built_in(&id(agent.id))));
        assert!(!is_built_in(&id("Spell-check")) && !is_built_in(&id("custom")));
    }

    #[test]
    fn secrets_are_taken_out_and_can_be_put_back() {
        let sent = json!({
            "instructions": "auth", "auth": { "token": "not a block that holds credentials" },
            "execution": { "mcpServers": [
                { "id": "s", "auth": { "type": "bearer", "token": "t0" }, "headers": { "a/b~": "h", "name": "n" } },
                { "id": "t", "auth": { "type": "basic", "username": "ada", "password": "p" } },
            ] },
            "contextGathering": { "elsewhere": { "endpoints": [
                { "auth": { "type": "header", "headerName": "x-key", "headerValue": "v" } },
                { "headers": [{ "name": "x-key", "value": "w" }] },
            ] } },
        });
        let version = version(sent.clone());
        let shown = Value::from(version.behavior.clone());
        assert_eq!(Value::from(version.revealed()), sent);
        assert_eq!(version.secrets.len(), 6);
        for secret in ["t0", "\"h\"", "\"n\"", "\"p\"", "\"v\"", "\"w\""] {
            assert!(!shown.to_string().contains(secret), "{secret}: {shown}");
            assert!(!format!("{version:?}").contains(secret), "{secret}");
        }
        assert_eq!(shown["execution"]["mcpServers"][0]["auth"]["token"], REDACTED);
        assert_eq!(shown["execution"]["mcpServers"][1]["auth"]["username"], "ada");
        assert_eq!(shown["auth"], sent["auth"]);
    }
}
