//! Versions of custom agents.
//!
//! The current version has a key of its own, so that one read by key returns an agent with it;
//! previous versions are sorted by number. Every change of versions also writes the agent, which
//! stores the current number, under a version condition: no version gets lost.

use aws::{Query, Update, Value, Write};
use error::{Error, Result};
use model::{
    AgentId, Metadata, Millis,
    agent::{Agent, AgentVersion},
};
use tenancy::{
    layout::{Entity, VERSION, WRITTEN, item, versions_of},
    prelude::*,
    reading::{Collection, missing, new_version},
    scopes::{ATTEMPTS, back_off},
    writing::unchanged,
};

use crate::agents::Agents;

/// Maximum number of versions of one agent.
const MAX_VERSIONS: u64 = 1000;
impl Agents<'_> {
    pub(crate) fn versions(self) -> Collection<AgentVersion> {
        self.0.collection()
    }

    /// Adds a version to a custom agent and returns its number. `change` makes the behavior from
    /// the agent and its current version.
    ///
    /// # Errors
    /// NOT_FOUND; RESOURCE_EXHAUSTED when there are too many; INVALID_ARGUMENT when it is too
    /// large; ABORTED; the errors of `change`.
    pub async fn add_version(
        self,
        id: &AgentId,
        mut change: impl FnMut(&mut Agent, &AgentVersion) -> Result<Metadata> + Send,
    ) -> Result<u64> {
        let (agents, versions) = (self.custom(), self.versions());
        for attempt in 0..ATTEMPTS {
            let (item, version) = self.items(id).await?;
            let (seen, seen_version) = (item::version(&item)?, item::version(&version)?);
            let (mut agent, mut past) =
                (agents.rows().decode(item)?, versions.rows().decode(version)?);
            if agent.version >= MAX_VERSIONS {
                return Err(Error::exhausted(format!(
                    "The agent {id} has the maximum number of versions already: {MAX_VERSIONS}."
                )));
            }
            let now = self.0.db().clock().now();
            let behavior = change(&mut agent, &past)?;
            agent.version = past.version + 1;
            agent.last_updated = now;
            let current = AgentVersion::new(id.clone(), agent.version, behavior, now);
            past.is_current = false;
            let mut unit = agents.rows().changed(&agent, &seen, None)?;
            unit.writes_mut()
                .extend(versions.rows().changed(&current, &seen_version, None)?.into_writes());
            unit.writes_mut().extend(versions.rows().inserted(&past, None)?.into_writes());
            if self.0.db().commit(unit).await.was_executed()? {
                return Ok(agent.version);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The versions of an agent, the newest first.
    fn newest_versions(self, id: &AgentId) -> Query {
        let query = self.versions().rows().under(versions_of(id).prefix());
        Query { ascending: false, ..query }
    }

    /// All versions of an agent, the newest first; none for an unknown agent.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when they are too large for one reply.
    pub async fn history(self, id: &AgentId) -> Result<Vec<AgentVersion>> {
        let versions = self.versions();
        let most = usize::try_from(MAX_VERSIONS).unwrap_or_default();
        let (items, more) = versions.rows().fetch(self.newest_versions(id), most).await?;
        if more {
            return Err(Error::exhausted(format!(
                "The versions of the agent {id} are too large for one reply."
            )));
        }
        items.into_iter().map(|item| versions.rows().decode(item)).collect()
    }

    /// Deletes the current version of a custom agent; returns the number of the previous one, which
    /// becomes current.
    ///
    /// # Errors
    /// NOT_FOUND; FAILED_PRECONDITION without a previous version; ABORTED.
    pub async fn restore_version(self, id: &AgentId) -> Result<u64> {
        let versions = self.versions();
        for attempt in 0..ATTEMPTS {
            let (found, _) = versions.rows().fetch(self.newest_versions(id), 2).await?;
            let mut found = found.into_iter();
            let current = found.next().ok_or_else(|| missing::<Agent>(id))?;
            let Some(past) = found.next() else {
                return Err(Error::precondition(format!(
                    "The agent {id} has no version before the current one."
                )));
            };
            let (seen, seen_past) = (item::version(&current)?, item::version(&past)?);
            let (current, past) = (versions.rows().decode(current)?, versions.rows().decode(past)?);
            if past.version + 1 != current.version {
                // Changed during the read.
                back_off(attempt).await;
                continue;
            }
            let number = past.version;
            let forgotten = versions.rows().deleted(&past.id(), None, unchanged(&seen_past))?;
            let restored = AgentVersion { is_current: true, ..past };
            let mut unit = versions.rows().changed(&restored, &seen, None)?;
            unit.writes_mut().extend(forgotten.into_writes());
            unit.writes_mut().push(self.move_pointer(id, current.version, number)?);
            if self.0.db().commit(unit).await.was_executed()? {
                return Ok(number);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    fn move_pointer(self, id: &AgentId, from: u64, to: u64) -> Result<Write> {
        let now: Millis = self.0.db().clock().now();
        let number = |number: u64| Value::N(number.to_string());
        let values = [
            (":from", number(from)),
            (":to", number(to)),
            (":now", number(now)),
            (":version", Value::S(new_version()?)),
        ];
        let names = [
            ("#number", "version"),
            ("#updated", "lastUpdated"),
            ("#version", VERSION),
            ("#written", WRITTEN),
        ];
        let expression = "SET #number = :to, #updated = :now, #version = :version, #written = :now";
        Ok(Write::Update {
            table: Agent::TABLE.name(),
            key: item::key(self.0.partition(), &Agent::place(id).into_key()),
            update: Update {
                expression: expression.to_owned(),
                condition: Some("#number = :from".to_owned()),
                names: names.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
                values: values.map(|(name, value)| (name.to_owned(), value)).into(),
            },
        })
    }
}
