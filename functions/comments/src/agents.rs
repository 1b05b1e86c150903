//! Agents as authors of comments.

use std::collections::BTreeMap;

use model::{
    AgentId, Text,
    agent::is_built_in,
    comment::{AgentType, NewComment},
};
use service::{TenantStore, prelude::*};

/// The stored agents of a request, each with its kind if it exists.
#[derive(Default)]
pub(crate) struct Agents(BTreeMap<Text, Option<AgentType>>);

impl Agents {
    /// Looks up the agents of comments with one read, or none if all of them are built in.
    pub(crate) async fn of(tenant: &TenantStore, comments: &[&NewComment]) -> Result<Self> {
        let named = comments.iter().filter_map(|comment| comment.agent.as_ref()?.id_to_know());
        let mut agents: BTreeMap<Text, Option<AgentType>> =
            named.map(|id| (id.clone(), None)).collect();
        let mut custom = Vec::new();
        for (id, kind) in &mut agents {
            match AgentId::try_from(id.to_string()) {
                Ok(id) if is_built_in(&id) => *kind = Some(AgentType::BuiltIn),
                Ok(id) => custom.push(id),
                // No stored agent has such an id.
                Err(_) => {}
            }
        }
        if !custom.is_empty() {
            let found = tenant.agents().custom().find_all(custom).await?;
            for (id, kind) in &mut agents {
                if found.keys().any(|known| known.as_str() == id.as_str()) {
                    *kind = Some(AgentType::Custom);
                }
            }
        }
        Ok(Self(agents))
    }

    /// The kind of a comment's agent; external if the service does not know it.
    ///
    /// # Errors
    /// NOT_FOUND when the id is one of the service and no agent has it.
    pub(crate) fn kind(&self, comment: &NewComment) -> Result<AgentType> {
        let Some(id) = comment.agent.as_ref().and_then(|agent| agent.id_to_know()) else {
            return Ok(AgentType::External);
        };
        let kind = self.0.get(id).copied().flatten();
        kind.ok_or_else(|| Error::not_found(format!("There is no agent {id}.")))
    }
}
