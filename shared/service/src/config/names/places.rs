//! Where words with another name are: in parameters, replies and bodies of webhooks. Free JSON of
//! callers is at none of these places.

use serde_json::Value;

use super::Word;

/// A path: members with dots between them; `[]` stands for each element of an array, `{}` for each
/// member of an object. The last part is a member whose value is the word, or for words that are
/// names of members the object that has them.
type Place = (&'static str, Word);

/// The places of operations.
type Places = &'static [(&'static str, &'static [Place])];

const REQUESTS: Places = &[
    ("workspace.api_key_create", &[("emailServiceConfig.type", Word::EmailProvider)]),
    ("configuration.email_update", &[("emailServiceConfig.type", Word::EmailProvider)]),
    ("notifications.config_set", &[("config", Word::ChatPreference)]),
    ("comments.add", &[("commentData.[].agent.agentSource", Word::AgentSource)]),
    ("comments.annotations_get", &[("agentSource", Word::AgentSource)]),
    (
        "comments.annotations_add",
        &[
            ("commentAnnotations.[].commentData.[].agent.agentSource", Word::AgentSource),
            ("commentAnnotations.[].comments.[].agent.agentSource", Word::AgentSource),
        ],
    ),
];

const REPLIES: Places = &[
    ("configuration.email_get", &[("result.data.emailServiceConfig.type", Word::EmailProvider)]),
    ("configuration.email_update", &[("result.data.emailServiceConfig.type", Word::EmailProvider)]),
    ("notifications.config_get", &[("result.data.[].config", Word::ChatPreference)]),
    ("comments.get", &[("result.data.[].agent.agentSource", Word::AgentSource)]),
    (
        "comments.annotations_get",
        &[
            ("result.data.[].agent.agentSource", Word::AgentSource),
            ("result.data.[].comments.[].agent.agentSource", Word::AgentSource),
            ("result.data.{}.[].agent.agentSource", Word::AgentSource),
            ("result.data.{}.[].comments.[].agent.agentSource", Word::AgentSource),
        ],
    ),
    (
        "user-data.get",
        &[
            ("result.data.comments.[].agent.agentSource", Word::AgentSource),
            ("result.data.comments.[].comments.[].agent.agentSource", Word::AgentSource),
        ],
    ),
    ("comments.annotations_add", &[("result.data", Word::DeniedKey)]),
    (
        "deliveries.messages_get",
        &[
            (
                "result.data.messages.[].payload.data.commentAnnotation.agent.agentSource",
                Word::AgentSource,
            ),
            (
                "result.data.messages.[].payload.data.commentAnnotation.comments.[].agent.agentSource",
                Word::AgentSource,
            ),
            (
                "result.data.messages.[].payload.data.targetComment.agent.agentSource",
                Word::AgentSource,
            ),
        ],
    ),
    (
        "agents.get",
        &[
            ("result.data.agent.managedBy", Word::ManagedBy),
            ("result.data.agents.[].managedBy", Word::ManagedBy),
        ],
    ),
];

/// In bodies of endpoints, and of basic webhooks, which have no `data`.
const WEBHOOKS: &[Place] = &[
    ("data.commentAnnotation.agent.agentSource", Word::AgentSource),
    ("data.commentAnnotation.comments.[].agent.agentSource", Word::AgentSource),
    ("data.targetComment.agent.agentSource", Word::AgentSource),
    ("commentAnnotation.agent.agentSource", Word::AgentSource),
    ("commentAnnotation.comments.[].agent.agentSource", Word::AgentSource),
    ("targetComment.agent.agentSource", Word::AgentSource),
];

fn of(table: Places, operation: &str) -> impl Iterator<Item = Place> + use<> {
    let found = table.iter().find(|(name, _)| *name == operation);
    found.map_or(&[] as &[Place], |(_, places)| *places).iter().copied()
}

pub(super) fn of_requests(operation: &str) -> impl Iterator<Item = Place> + use<> {
    of(REQUESTS, operation)
}

pub(super) fn of_replies(operation: &str) -> impl Iterator<Item = Place> + use<> {
    of(REPLIES, operation)
}

pub(super) fn of_webhooks() -> impl Iterator<Item = Place> {
    WEBHOOKS.iter().copied()
}

/// Replaces a word by another at a path.
pub(super) fn replace(value: &mut Value, path: &str, word: Word, from: &str, to: &str) {
    let (part, rest) = match path.split_once('.') {
        Some((part, rest)) => (part, Some(rest)),
        None => (path, None),
    };
    let each = |value: &mut Value| match rest {
        Some(rest) => replace(value, rest, word, from, to),
        None => put(value, word, from, to),
    };
    match (part, value) {
        ("[]", Value::Array(elements)) => elements.iter_mut().for_each(each),
        ("{}", Value::Object(members)) => members.values_mut().for_each(each),
        ("[]" | "{}", _) => {}
        (name, Value::Object(members)) => members.get_mut(name).into_iter().for_each(each),
        _ => {}
    }
}

fn put(value: &mut Value, word: Word, from: &str, to: &str) {
    match (word, value) {
        (Word::ChatPreference, Value::Object(members)) => {
            if !members.contains_key(to)
                && let Some(value) = members.remove(from)
            {
                members.insert(to.to_owned(), value);
            }
        }
        (Word::DeniedKey, Value::Object(members)) => {
            let keys: Vec<String> =
                members.keys().filter(|key| key.starts_with(from)).cloned().collect();
            for key in keys {
                let other = format!("{to}{}", &key[from.len()..]);
                members.remove(&key).and_then(|value| members.insert(other, value));
            }
        }
        (_, Value::String(text)) if text.as_str() == from => to.clone_into(text),
        _ => {}
    }
}
