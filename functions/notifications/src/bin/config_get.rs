//! Serves `notifications.config_get`.

service::main!(notifications::GetPreferences);
