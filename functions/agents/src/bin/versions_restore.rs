//! Serves `agents.versions_restore`.

service::main!(agents::RestoreAgentVersion);
