//! Serves `presence.add`.

service::main!(presence::AddPresence);
