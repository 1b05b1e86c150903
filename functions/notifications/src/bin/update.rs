//! Serves `notifications.update`.

service::main!(notifications::UpdateNotifications);
