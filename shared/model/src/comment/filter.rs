use std::collections::BTreeSet;

use super::{AgentSource, AgentType, Thread, ThreadType};
use crate::{DocumentId, Millis, Only, Text, UserId};

/// A condition on the agent of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentFilter {
    /// With this id.
    Id(Text),
    /// Written in this run.
    Execution(String),
    /// With this kind.
    Type(AgentType),
    /// With this source.
    Source(AgentSource),
    /// Suggestions.
    Suggestions,
    /// Comments other than suggestions.
    Comments,
    /// Annotations of agents that visited one of these pages.
    Urls(BTreeSet<String>),
}

/// A filter of threads: all conditions have to hold.
#[derive(Clone, Debug, Default)]
pub struct ThreadFilter {
    /// In one of these documents.
    pub documents: Only<DocumentId>,
    /// Pinned to one of these locations.
    pub locations: Only<String>,
    /// By one of these authors.
    pub authors: Only<UserId>,
    /// Mentioning one of these users.
    pub mentioned: Only<UserId>,
    /// Resolved by this user.
    pub resolved_by: Option<UserId>,
    /// With one of these statuses.
    pub statuses: Only<Text>,
    /// Created after this time.
    pub created_after: Option<Millis>,
    /// Created before this time.
    pub created_before: Option<Millis>,
    /// Last changed after this time.
    pub updated_after: Option<Millis>,
    /// Last changed before this time.
    pub updated_before: Option<Millis>,
    /// Conditions on the agent; the thread has to have one.
    pub agent: Vec<AgentFilter>,
}

impl ThreadFilter {
    /// Whether a thread matches.
    pub fn keeps(&self, thread: &Thread) -> bool {
        let location = thread.location.as_ref();
        self.documents.keeps(&thread.document_id)
            && (self.locations.named().is_none()
                || location.is_some_and(|location| location.is_among(&self.locations)))
            && self.authors.keeps(&thread.from.user_id)
            && (self.mentioned.named().is_none()
                || self.mentioned.keeps_one_of(&thread.mentioned()))
            && (self.resolved_by.is_none() || self.resolved_by == thread.resolved_by_user_id)
            && self.statuses.keeps(&thread.status.id)
            && self.created_after.is_none_or(|time| thread.created_at > time)
            && self.created_before.is_none_or(|time| thread.created_at < time)
            && self.updated_after.is_none_or(|time| thread.last_updated > time)
            && self.updated_before.is_none_or(|time| thread.last_updated < time)
            && self.agent.iter().all(|filter| filter.keeps(thread))
    }
}

impl AgentFilter {
    fn keeps(&self, thread: &Thread) -> bool {
        let Some(agent) = &thread.agent else { return false };
        match self {
            Self::Id(id) => agent.agent_id == *id,
            Self::Execution(id) => agent.execution_id.as_ref() == Some(id),
            Self::Type(kind) => agent.agent_type == *kind,
            Self::Source(source) => agent.agent_source == *source,
            Self::Suggestions => thread.kind == ThreadType::Suggestion,
            Self::Comments => thread.kind == ThreadType::Comment,
            Self::Urls(urls) => agent.url.as_ref().is_some_and(|url| urls.contains(url)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{AgentFilter, ThreadFilter};
    use crate::comment::thread::tests::{made, person};

    #[test]
    fn all_of_it_has_to_hold() {
        let thread = made(json!({
            "location": { "id": "top" }, "type": "suggestion", "commentData": [{
                "from": { "userId": "ada" }, "taggedUserContacts": [{ "userId": "bob" }],
                "agent": { "agentSource": "external", "agentId": "x", "agentName": "X",
                    "url": "https://a.example",
                    "reason": { "title": "t", "description": "d", "severity": "low" } },
            }],
        }));
        let all = || ThreadFilter {
            documents: [thread.document_id.clone()].into(),
            locations: ["top".to_owned()].into(),
            authors: [person("ada").user_id].into(),
            mentioned: [person("bob").user_id, person("x").user_id].into(),
            statuses: [thread.status.id.clone()].into(),
            created_after: Some(0),
            created_before: Some(2),
            agent: vec![
                AgentFilter::Id("x".to_owned().try_into().unwrap()),
                AgentFilter::Suggestions,
                AgentFilter::Urls(["https://a.example".to_owned()].into()),
            ],
            ..ThreadFilter::default()
        };
        assert!(all().keeps(&thread));
        assert!(ThreadFilter::default().keeps(&thread));
        for other in [
            ThreadFilter { documents: [].into(), ..all() },
            ThreadFilter { locations: ["x".to_owned()].into(), ..all() },
            ThreadFilter { locations: [].into(), ..all() },
            ThreadFilter { authors: [person("x").user_id].into(), ..all() },
            ThreadFilter { mentioned: [person("x").user_id].into(), ..all() },
            ThreadFilter { resolved_by: Some(person("x").user_id), ..all() },
            ThreadFilter { created_after: Some(1), ..all() },
            ThreadFilter { created_before: Some(1), ..all() },
            ThreadFilter { updated_after: Some(1), ..all() },
            ThreadFilter { updated_before: Some(1), ..all() },
            ThreadFilter { agent: vec![AgentFilter::Comments], ..all() },
        ] {
            assert!(!other.keeps(&thread), "{other:?}");
        }
        let no_agent = made(json!({ "commentData": [{ "from": { "userId": "ada" } }] }));
        let filter = ThreadFilter { agent: vec![AgentFilter::Comments], ..Default::default() };
        assert!(!filter.keeps(&no_agent));
    }
}
