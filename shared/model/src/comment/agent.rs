//! Agents as authors of comments (contract `types.comment-agent`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bounded, Metadata, Text,
    people::{Names, People, Rest, members},
};

/// Owner of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgentSource {
    /// An agent of the service: built in, or of the workspace.
    Service,
    /// An agent unknown to the service.
    External,
}

/// Kind of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CommentAgentType")]
pub enum AgentType {
    /// A built-in agent.
    #[serde(rename = "built-in")]
    BuiltIn,
    /// An agent of the workspace.
    #[serde(rename = "custom")]
    Custom,
    /// An agent unknown to the service.
    #[serde(rename = "external")]
    External,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "FindingSeverity")]
enum Severity {
    Critical,
    High,
    Medium,
    Low,
    Info,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FindingType {
    Text,
    Pin,
    Page,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ReasonSource {
    Instructions,
    Knowledge,
}

/// The reason for an agent's comment. Further members are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentReason")]
pub struct Reason {
    title: String,
    description: String,
    severity: Severity,
    /// The agent's name for its finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding_type: Option<FindingType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Bounded<0, 100>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<ReasonSource>,
    #[serde(flatten)]
    more: Metadata,
}

/// An agent as sent.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "Sent")]
#[schemars(rename = "NewCommentAgent")]
pub struct SentAgent(Sent);

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    agent_source: AgentSource,
    agent_id: Text,
    execution_id: Option<String>,
    /// Required for an external agent.
    agent_name: Option<Text>,
    url: Option<String>,
    reason: Reason,
}

impl TryFrom<Sent> for SentAgent {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Self, &'static str> {
        if sent.agent_source == AgentSource::External && sent.agent_name.is_none() {
            return Err("must have an agentName when its agentSource is external");
        }
        Ok(Self(sent))
    }
}

impl SentAgent {
    /// The id of an agent of the service, which has to exist.
    pub fn id_to_know(&self) -> Option<&Text> {
        (self.0.agent_source == AgentSource::Service).then_some(&self.0.agent_id)
    }

    /// The agent with its kind; an external agent has the kind external.
    pub fn into_agent(self, known: AgentType) -> Agent {
        let sent = self.0;
        let agent_type = match sent.agent_source {
            AgentSource::Service => known,
            AgentSource::External => AgentType::External,
        };
        Agent {
            agent_source: sent.agent_source,
            agent_type,
            agent_id: sent.agent_id,
            execution_id: sent.execution_id,
            agent_name: sent.agent_name,
            url: sent.url,
            reason: sent.reason,
        }
    }
}

/// The agent that wrote a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentAgent")]
pub struct Agent {
    /// Owner of the agent.
    pub agent_source: AgentSource,
    /// Kind of the agent.
    pub agent_type: AgentType,
    /// The agent.
    pub agent_id: Text,
    /// The run in which it wrote the comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_id: Option<String>,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<Text>,
    /// The page it visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The reason for its comment.
    pub reason: Reason,
}

impl Names for Agent {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            agent_source: _,
            agent_type: _,
            agent_id: _,
            execution_id: _,
            agent_name: _,
            url: _,
            reason,
        } = self;
        let Reason {
            title,
            description,
            severity: _,
            finding_id: _,
            finding_type: _,
            confidence: _,
            source: _,
            more,
        } = reason;
        walk.text(title);
        walk.text(description);
        members(walk, more);
        Rest::Stays
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::{AgentType, SentAgent};

    fn agent() -> Value {
        json!({
            "agentSource": "service", "agentId": "spell-check",
            "reason": { "title": "t", "description": "d", "severity": "low", "confidence": 100,
                "findingType": "pin", "findingId": "f", "anything": { "x": 1 } },
        })
    }

    fn read(json: Value) -> Result<SentAgent, String> {
        from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    fn what_the_caller_adds_to_the_reason_is_kept() {
        let shown = to_value(read(agent()).unwrap().into_agent(AgentType::BuiltIn)).unwrap();
        assert_eq!(shown["reason"], agent()["reason"]);
        assert_eq!(shown["agentType"], "built-in");
        let back: super::Agent = from_value(shown.clone()).unwrap();
        assert_eq!(to_value(back).unwrap(), shown);
    }

    #[test]
    fn an_external_agent_has_a_name_and_is_not_looked_for() {
        let mut external = agent();
        external["agentSource"] = json!("external");
        assert!(read(external.clone()).unwrap_err().contains("agentName"));
        external["agentName"] = json!("Eve");
        let external = read(external).unwrap();
        assert_eq!(external.id_to_know(), None);
        assert_eq!(external.into_agent(AgentType::BuiltIn).agent_type, AgentType::External);
        assert_eq!(read(agent()).unwrap().id_to_know().unwrap().as_str(), "spell-check");
    }

    #[test]
    fn a_reason_is_complete_and_in_range() {
        for (member, value) in [
            ("title", Value::Null),
            ("description", Value::Null),
            ("severity", json!("worst")),
            ("confidence", json!(101)),
            ("findingType", json!("x")),
            ("source", json!("x")),
        ] {
            let mut agent = agent();
            agent["reason"][member] = value;
            assert!(read(agent).is_err(), "{member}");
        }
        let mut nameless = agent();
        nameless["agentId"] = json!(" ");
        assert!(read(nameless).is_err());
    }
}
