//! Serves `configuration.notifications_update`.

service::main!(configuration::UpdateNotificationConfig);
