//! Serves `notifications.seen`.

service::main!(notifications::MarkSeen);
