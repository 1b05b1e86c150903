//! Serves `agents.create`.

service::main!(agents::CreateAgent);
