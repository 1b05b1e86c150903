//! Runs `notifications.deliver`.

service::main!(notifications::Deliver);
