//! Serves `agents.delete`.

service::main!(agents::DeleteAgent);
