//! Agents and their versions (spec 2.3, 4.3; siblings 13).

#[macro_use]
mod behavior;
mod views;

service::operations! {
    /// Creates a custom agent with its first version.
    create::CreateAgent,
    /// Shows an agent, or lists agents.
    get::GetAgents,
    /// Changes who an agent is, or whether it is enabled; no version comes of it.
    update::UpdateAgent,
    /// Deletes a custom agent with its versions.
    delete::DeleteAgent,
    /// Changes what a custom agent does, which makes a new version of it.
    version_update::UpdateAgentVersion,
    /// Lists the versions of a custom agent.
    versions_list::ListAgentVersions,
    /// Takes back the current version of a custom agent.
    versions_restore::RestoreAgentVersion,
}
