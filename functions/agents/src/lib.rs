//! Agents and their versions (contract `agents`).

mod access;
#[macro_use]
mod behavior;
mod views;

pub use access::ACCESS;

service::operations! {
    /// Creates a custom agent with its first version.
    create::CreateAgent,
    /// Shows an agent, or lists agents.
    get::GetAgents,
    /// Renames an agent, or enables or disables it.
    update::UpdateAgent,
    /// Deletes a custom agent with its versions.
    delete::DeleteAgent,
    /// Adds a version to a custom agent.
    version_update::UpdateAgentVersion,
    /// Lists the versions of a custom agent.
    versions_list::ListAgentVersions,
    /// Restores the previous version of a custom agent.
    versions_restore::RestoreAgentVersion,
}
