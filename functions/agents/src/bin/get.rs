//! Serves `agents.get`.

service::main!(agents::GetAgents);
