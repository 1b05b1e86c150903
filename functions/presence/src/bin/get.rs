//! Serves `presence.get`.

service::main!(presence::GetPresence);
