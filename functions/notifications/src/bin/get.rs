//! Serves `notifications.get`.

service::main!(notifications::GetNotifications);
