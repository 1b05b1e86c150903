//! Enabling the activity service.

use serde_json::json;

use crate::{App, Caller};

impl App {
    /// Enables the activity service of this deployment's tenant.
    pub async fn enable_activities(&self, immutable: bool) {
        self.caller().enable_activities(immutable).await;
    }
}

impl Caller<'_> {
    /// Enables the activity service of the caller's tenant.
    pub async fn enable_activities(&self, immutable: bool) {
        self.configure_activities(true, immutable).await;
    }

    /// Configures the activity service of the caller's tenant.
    pub async fn configure_activities(&self, is_enabled: bool, immutable: bool) {
        let service = json!({ "isEnabled": is_enabled, "immutable": immutable });
        let config = json!({ "activityServiceConfig": service });
        self.call("configuration.activities_update", config).await.ok();
    }
}
