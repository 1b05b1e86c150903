//! Switching the activity service on.

use serde_json::json;
use service::Table;

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

    /// Writes the configuration as it lies in the store.
    pub async fn configure_activities(&self, is_enabled: bool, immutable: bool) {
        let config = json!({ "M": {
            "isEnabled": { "BOOL": is_enabled }, "immutable": { "BOOL": immutable },
        } });
        let item = json!({
            "PK": { "S": format!("key#{}", self.key.api_key) },
            "SK": { "S": "config#activity" },
            "activityServiceConfig": config,
            "_version": { "S": "v" },
            "_written": { "N": self.app.now().to_string() },
        });
        let request = json!({ "TableName": local::table_name(Table::Resources), "Item": item });
        let sent = self
            .app
            .client
            .post(self.app.stack.aws_endpoint())
            .header("x-amz-target", "DynamoDB_20120810.PutItem")
            .body(request.to_string())
            .send();
        assert_eq!(sent.await.expect("an answer").status(), 200);
    }
}
