//! Runs `live.changes`.

service::main!(live::Changes);
