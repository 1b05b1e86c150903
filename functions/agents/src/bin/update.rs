//! Serves `agents.update`.

service::main!(agents::UpdateAgent);
