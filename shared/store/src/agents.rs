//! Agents of a tenant.

mod versions;

use std::collections::BTreeMap;

use aws::{Item, Write};
use error::{Error, Result};
use model::{
    AgentId,
    agent::{Agent, AgentVersion, Switch},
    workspace::Workspace,
};
use tenancy::{
    layout::{Entity, Key, Table, item},
    prelude::*,
    reading::{Collection, missing},
    scopes::{ATTEMPTS, TenantStore, back_off, place_of},
    writing::{Counted, Unit, count, settle, unchanged},
};

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Agents, and the versions of custom ones.
    agents: Agents,
}

/// Key of the count of custom agents.
const COUNT: &str = "agent-count";
/// Maximum number of custom agents of one tenant.
const MAX_AGENTS: u64 = 100;
/// Versions deleted together with their agent: the transaction also has the agent, its current
/// version and the count.
const LAST_ROUND: u64 = 97;

impl Agents<'_> {
    /// Custom agents, without built-in ones.
    pub fn custom(self) -> Collection<Agent> {
        self.0.collection()
    }

    /// All custom agents by age, and the stored switches of built-in ones.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn all(self) -> Result<(Vec<Agent>, BTreeMap<AgentId, bool>)> {
        let (agents, switches) = (self.custom(), self.0.collection::<Switch>());
        let most = model::agent::BUILT_IN.len() + usize::try_from(MAX_AGENTS).unwrap_or_default();
        let items =
            agents.rows().all_items(agents.rows().under(format!("{}#", Agent::KIND)), most).await?;
        let (own, switched): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| place_of(item).1.split('#').count() == 2);
        let own = own.into_iter().map(|item| agents.rows().decode(item));
        let mut own: Vec<Agent> = own.collect::<Result<_>>()?;
        own.sort_by(|a, b| (a.created_at, &a.agent_id).cmp(&(b.created_at, &b.agent_id)));
        let switched = switched.into_iter().map(|item| {
            let switch = switches.rows().decode(item)?;
            Ok((switch.agent_id, switch.enabled))
        });
        Ok((own, switched.collect::<Result<_>>()?))
    }

    /// A custom agent and its current version.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn get(self, id: &AgentId) -> Result<(Agent, AgentVersion)> {
        let (agent, version) = self.items(id).await?;
        Ok((self.custom().rows().decode(agent)?, self.versions().rows().decode(version)?))
    }

    pub(crate) async fn items(self, id: &AgentId) -> Result<(Item, Item)> {
        let (agent, version) =
            (Agent::place(id).into_key(), AgentVersion::place(&(id.clone(), None)).into_key());
        let sorts = [agent.clone(), version.clone()];
        let mut found = self.0.db().get_all(Table::Resources, self.0.partition(), sorts).await?;
        let items = (found.remove(agent.as_str()), found.remove(version.as_str()));
        match items {
            (Some(agent), Some(version)) => Ok((agent, version)),
            _ => Err(missing::<Agent>(id)),
        }
    }

    /// Whether a built-in agent is enabled, as all are until a tenant disables them.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_enabled(self, id: &AgentId) -> Result<bool> {
        let switch = self.0.collection::<Switch>().find(id).await?;
        Ok(switch.is_none_or(|switch| switch.enabled))
    }

    /// Adds a custom agent with its first version. It is counted in the same transaction, so the
    /// limit holds under concurrency.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED at the maximum number of agents; INVALID_ARGUMENT when the version is too
    /// large.
    pub async fn add(self, agent: &Agent, version: &AgentVersion) -> Result<()> {
        let mut unit = self.custom().rows().inserted(agent, None)?;
        unit.writes_mut().extend(self.versions().rows().inserted(version, None)?.into_writes());
        let counted = unit.writes().len();
        unit.writes_mut().push(count(self.0, COUNT, "agents", Counted::Added { max: MAX_AGENTS })?);
        settle(self.0.db().commit(unit).await, |position| match position == counted {
            true => Error::exhausted(format!(
                "The API key has the maximum number of custom agents already: {MAX_AGENTS}."
            )),
            false => Error::internal("a random id occurred twice"),
        })
    }

    /// Changes a custom agent itself; returns whether it exists. A change without effect writes
    /// nothing.
    ///
    /// # Errors
    /// NOT_FOUND when the workspace of the API key does not exist.
    pub async fn change(
        self,
        id: &AgentId,
        mut change: impl FnMut(&mut Agent) + Send,
    ) -> Result<bool> {
        let agents = self.custom();
        for attempt in 0..ATTEMPTS {
            let Some(item) = self.with_workspace(Agent::place(id).into_key()).await? else {
                return Ok(false);
            };
            let seen = item::version(&item)?;
            let before = agents.rows().decode(item)?;
            let mut agent = before.clone();
            change(&mut agent);
            if agent == before {
                return Ok(true);
            }
            agent.last_updated = self.0.db().clock().now();
            if self
                .0
                .db()
                .commit(agents.rows().changed(&agent, &seen, None)?)
                .await
                .was_executed()?
            {
                return Ok(true);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Switches a built-in agent on or off.
    ///
    /// # Errors
    /// NOT_FOUND when the workspace of the API key does not exist.
    pub async fn switch(self, id: &AgentId, enabled: bool) -> Result<()> {
        let switches = self.0.collection::<Switch>();
        let stored = self.with_workspace(Switch::place(id).into_key()).await?;
        let stored = stored.map(|item| switches.rows().decode(item)).transpose()?;
        if stored.is_none_or(|switch| switch.enabled) == enabled {
            return Ok(());
        }
        switches.put(&Switch { agent_id: id.clone(), enabled }).await
    }

    /// An item of the tenant, if it exists, read together with the workspace of the API key.
    async fn with_workspace(self, sort: Key) -> Result<Option<Item>> {
        let workspace = Key::pair("workspace", self.0.api_key().workspace_id.as_str());
        let record = Workspace::place(&()).into_key();
        let wanted = vec![item::key(&workspace, &record), item::key(self.0.partition(), &sort)];
        let found = self.0.db().get_chunk(Table::Resources, wanted).await?;
        let (workspaces, mut items): (Vec<Item>, Vec<Item>) =
            found.into_iter().partition(|item| place_of(item).0 == workspace.as_str());
        if workspaces.is_empty() {
            return Err(Error::not_found("The workspace of the API key could not be resolved."));
        }
        Ok(items.pop())
    }

    /// Deletes a custom agent with its versions; an unknown agent is a success.
    ///
    /// Versions beyond the size of the last transaction are deleted before it, the oldest first:
    /// after an interruption the agent has less history, and the next call deletes it.
    ///
    /// # Errors
    /// ABORTED, UNAVAILABLE.
    pub async fn remove(self, id: &AgentId) -> Result<()> {
        let (agents, mut removed) = (self.custom(), 0);
        for attempt in 0..ATTEMPTS {
            let Some(item) = self
                .0
                .db()
                .get(Table::Resources, self.0.partition(), &Agent::place(id).into_key())
                .await?
            else {
                return Ok(());
            };
            let seen = item::version(&item)?;
            let past = agents.rows().decode(item)?.version.saturating_sub(1);
            let kept = past.saturating_sub(LAST_ROUND);
            self.remove_versions(id, removed + 1..=kept).await?;
            removed = removed.max(kept);
            let mut unit = agents.rows().deleted(id, None, unchanged(&seen))?;
            unit.writes_mut().push(self.without_version(id, None));
            unit.writes_mut().extend((kept + 1..=past).map(|n| self.without_version(id, Some(n))));
            unit.writes_mut().push(count(self.0, COUNT, "agents", Counted::Removed)?);
            if self.0.db().commit(unit).await.was_executed()? {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    async fn remove_versions(self, id: &AgentId, numbers: impl Iterator<Item = u64>) -> Result<()> {
        let unit = |n| Unit::new(vec![self.without_version(id, Some(n))]);
        for outcome in self.0.db().commit_all(numbers.map(unit).collect()).await {
            settle(outcome, |_| Error::internal("a write without a condition was refused"))?;
        }
        Ok(())
    }

    fn without_version(self, id: &AgentId, number: Option<u64>) -> Write {
        let place = AgentVersion::place(&(id.clone(), number)).into_key();
        let key = item::key(self.0.partition(), &place);
        Write::Delete { table: AgentVersion::TABLE.name(), key, condition: None }
    }
}
