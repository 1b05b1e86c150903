//! Switching the activity service on.

use serde_json::json;

use crate::{App, Caller};

impl App {
    /// Switches the activity service of this deployment's tenant on.
    pub async fn enable_activities(&self, immutable: bool) {
        self.caller().enable_activities(immutable).await;
    }
}

impl Caller<'_> {
    /// Switches the activity service of the caller's tenant on.
    pub async fn enable_activities(&self, immutable: bool) {
        self.configure_activities(true, immutable).await;
    }

    /// Switches the activity service of the caller's tenant on or off.
    pub async fn configure_activities(&self, is_enabled: bool, immutable: bool) {
        let config = json!({ "isEnabled": is_enabled, "immutable": immutable });
        let sent = json!({ "activityServiceConfig": config });
        self.call("configuration.activities_update", sent).await.ok();
    }
}
