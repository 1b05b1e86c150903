//! Serves `notifications.delete`.

service::main!(notifications::DeleteNotifications);
