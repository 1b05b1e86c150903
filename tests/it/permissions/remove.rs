use serde_json::{Value, json};

use super::{grant, of, resource, world};
use crate::app::App;

async fn remove(app: &App, resources: Value) -> Value {
    let sent = json!({ "userId": "u", "permissions": { "resources": resources } });
    app.call("permissions.remove", sent).await.ok()
}

#[tokio::test]
async fn removed_rights_end_and_other_rights_and_users_keep_theirs() {
    let app = world().await;
    let resources = ["deep", "loose"].map(|id| resource("document", id, "viewer"));
    grant(&app, "u", json!(resources)).await;
    grant(&app, "v", json!(resources)).await;
    let deep = json!({ "type": "document", "id": "deep", "organizationId": "o" });
    let result = remove(&app, json!([deep, deep])).await;
    assert_eq!(result.get("data"), None);
    let of_user = of(&app, "u").await;
    assert_eq!(of_user["documents"]["deep"]["accessRole"], "editor");
    assert_eq!(of_user["documents"]["loose"]["accessRole"], "viewer");
    assert_eq!(of(&app, "v").await["documents"]["deep"]["accessRole"], "viewer");
}

#[tokio::test]
async fn removing_a_right_that_was_not_granted_succeeds() {
    let app = world().await;
    let resources = json!([
        { "type": "organization", "id": "nowhere" },
        { "type": "folder", "id": "f", "organizationId": "nowhere" },
        { "type": "document", "id": "deep", "organizationId": "o" },
    ]);
    remove(&app, resources.clone()).await;
    remove(&app, resources).await;
}

#[tokio::test]
async fn a_folder_or_document_without_its_organization_is_refused() {
    let app = world().await;
    for kind in ["folder", "document"] {
        let resources = json!([{ "type": kind, "id": "x" }]);
        let sent = json!({ "userId": "u", "permissions": { "resources": resources } });
        let error = app.call("permissions.remove", sent).await.error("INVALID_ARGUMENT");
        let path = json!(["data", "permissions", "resources", 0, "organizationId"]);
        assert_eq!(error["details"]["issues"][0]["path"], path);
    }
    for resources in [json!([]), json!(vec![json!({ "type": "organization", "id": "o" }); 501])] {
        let sent = json!({ "userId": "u", "permissions": { "resources": resources } });
        app.call("permissions.remove", sent).await.error("INVALID_ARGUMENT");
    }
}
