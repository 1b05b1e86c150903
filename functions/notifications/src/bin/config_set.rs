//! Serves `notifications.config_set`.

service::main!(notifications::SetPreferences);
