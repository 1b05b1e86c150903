//! Serves `configuration.notifications_get`.

service::main!(configuration::GetNotificationConfig);
