//! Serves `notifications.add`.

service::main!(notifications::AddNotification);
