//! Serves `agents.versions_list`.

service::main!(agents::ListAgentVersions);
