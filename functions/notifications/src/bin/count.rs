//! Serves `notifications.count`.

service::main!(notifications::CountNotifications);
