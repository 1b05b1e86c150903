//! Serves `presence.update`.

service::main!(presence::UpdatePresence);
