//! Serves `presence.delete`.

service::main!(presence::DeletePresence);
