//! Agents that comments name as their authors.

use std::collections::BTreeMap;

use model::{
    Text,
    comment::{AgentType, BUILT_IN_AGENTS, NewComment},
};
use service::{Error, Result, TenantStore};

/// What kind of agent has an id, if there is one. Custom agents are looked up here.
async fn is_known_agent(_tenant: &TenantStore, id: &Text) -> Result<Option<AgentType>> {
    Ok(BUILT_IN_AGENTS.contains(&id.as_str()).then_some(AgentType::BuiltIn))
}

/// The agents of the service that a request names, each with its kind if there is one.
#[derive(Default)]
pub(crate) struct Agents(BTreeMap<Text, Option<AgentType>>);

impl Agents {
    /// Looks up those that comments name, each once.
    pub(crate) async fn of(tenant: &TenantStore, comments: &[&NewComment]) -> Result<Self> {
        let mut agents = BTreeMap::new();
        for comment in comments {
            let id = comment.agent.as_ref().and_then(|agent| agent.id_to_know());
            if let Some(id) = id.filter(|id| !agents.contains_key(*id)) {
                agents.insert(id.clone(), is_known_agent(tenant, id).await?);
            }
        }
        Ok(Self(agents))
    }

    /// What kind the agent of a comment is; external, where the service does not know it.
    ///
    /// # Errors
    /// NOT_FOUND when the service should know it and does not.
    pub(crate) fn kind(&self, comment: &NewComment) -> Result<AgentType> {
        let Some(id) = comment.agent.as_ref().and_then(|agent| agent.id_to_know()) else {
            return Ok(AgentType::External);
        };
        let kind = self.0.get(id).copied().flatten();
        kind.ok_or_else(|| Error::not_found(format!("There is no agent {id}.")))
    }
}
