//! Serves `agents.version_update`.

service::main!(agents::UpdateAgentVersion);
