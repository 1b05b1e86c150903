//! What operations ask.

use std::time::Duration;

use serde_json::json;
use service::IDEMPOTENCY_KEY;

use super::{Seen, family_of};
use crate::app::{App, cost};

/// The first call of each sample at each path, credentials and the name of the call included.
pub(super) async fn run_samples(seen: &mut Seen) {
    for family in registry::families() {
        for route in &family.operations {
            for path in route.spec.paths {
                let (app, second) = App::sample_world().await;
                let body = app.sample_body(&route.spec.binary(), &second);
                // Neither the key nor the organization is remembered.
                app.advance(Duration::from_secs(11 * 60));
                app.forget_calls();
                app.caller().header(IDEMPOTENCY_KEY, "first").body_at(path, body).await;
                seen.take(family.name, &app);
            }
        }
    }
}

pub(super) async fn run_batches(seen: &mut Seen) {
    let (app, _) = App::sample_world().await;
    for (operation, body) in cost::batches(3) {
        app.advance(Duration::from_secs(11 * 60));
        app.forget_calls();
        app.call(operation, body).await.ok();
        seen.take(family_of(operation), &app);
    }
}

/// Lists with filters that no sample has.
pub(super) async fn run_filters(seen: &mut Seen) {
    let (app, second) = App::sample_world().await;
    let o = "acme";
    for (operation, body) in [
        ("organizations.get", json!({})),
        ("organizations.get", json!({ "organizationIds": [o, "x"] })),
        ("documents.get", json!({ "organizationId": o })),
        ("documents.get", json!({ "organizationId": o, "folderId": "handbook" })),
        ("documents.get", json!({ "organizationId": o, "documentIds": ["welcome", "roadmap"] })),
        ("users.get", json!({ "organizationId": o, "userIds": ["ada", "bob"] })),
        ("users.get", json!({ "organizationId": o, "allDocuments": true })),
        ("users.get", json!({ "organizationId": o, "allDocuments": true, "userIds": ["ada"] })),
        ("users.get", json!({ "organizationId": o, "organizationUserGroupIds": ["writers"] })),
        (
            "users.get",
            json!({
                "organizationId": o, "organizationUserGroupIds": ["writers"],
                "userIds": ["ada", "bob"],
            }),
        ),
        ("user-groups.get", json!({ "organizationId": o })),
        (
            "user-groups.get",
            json!({ "organizationId": o, "organizationUserGroupIds": ["writers"] }),
        ),
        ("folders.get", json!({ "organizationId": o })),
        ("folders.get", json!({ "organizationId": o, "folderId": "handbook", "maxDepth": 2 })),
        (
            "permissions.get",
            json!({ "organizationId": o, "userIds": ["ada"], "folderIds": ["handbook"] }),
        ),
        (
            "permissions.add",
            json!({ "user": { "userId": "ada" }, "permissions": { "resources": [
                { "type": "organization", "id": "new", "organizationId": "new" },
                { "type": "organization", "id": "newer", "organizationId": "newer" },
            ] } }),
        ),
        ("agents.get", json!({})),
        ("agents.get", json!({ "agentId": "spell-check" })),
        ("webhook-endpoints.get", json!({})),
        ("presence.get", json!({ "organizationId": o, "documentId": "welcome" })),
        (
            "presence.get",
            json!({ "organizationId": o, "documentId": "welcome", "userIds": ["ada"] }),
        ),
        (
            "presence.get",
            json!({ "organizationId": o, "documentId": "welcome", "userIds": ["ada", "bob"] }),
        ),
        (
            "live-state.get",
            json!({ "organizationId": o, "documentId": "welcome", "liveStateDataId": "slides" }),
        ),
        ("notifications.get", json!({ "organizationId": o })),
        ("notifications.get", json!({ "organizationId": o, "userId": "bob" })),
        (
            "notifications.get",
            json!({ "organizationId": o, "userId": "bob", "documentId": "welcome" }),
        ),
        (
            "notifications.get",
            json!({ "organizationId": o, "notificationIds": ["review-1", "release-1"] }),
        ),
        ("notifications.trace_get", json!({ "organizationId": o })),
        ("notifications.trace_get", json!({ "organizationId": o, "eventId": "review-1" })),
        ("notifications.delete", json!({ "organizationId": o, "userId": "bob" })),
        ("recordings.get", json!({ "organizationId": o })),
        ("recordings.get", json!({ "organizationId": o, "recordingIds": ["demo", "x"] })),
        ("activities.get", json!({ "organizationId": o })),
        ("activities.get", json!({ "organizationId": o, "activityIds": ["roadmap-drafted", "x"] })),
        ("activities.get", json!({ "organizationId": o, "targetEntityId": "roadmap-2027" })),
        ("activities.get", json!({ "organizationId": o, "userId": "ada" })),
        ("activities.delete", json!({ "organizationId": o, "documentId": "roadmap" })),
        ("comments.annotations_get", json!({ "organizationId": o })),
        ("comments.annotations_get", json!({ "organizationId": o, "folderId": "handbook" })),
        ("comments.annotations_get", json!({ "organizationId": o, "userIds": ["ada"] })),
        ("comments.annotations_get", json!({ "organizationId": o, "mentionedUserIds": ["ada"] })),
        ("comments.annotations_get", json!({ "organizationId": o, "annotationIds": ["intro"] })),
        ("workspace.api_keys_get", json!({})),
        ("workspace.api_keys_get", json!({ "apiKeys": [app.key.api_key, second.api_key] })),
    ] {
        app.advance(Duration::from_secs(11));
        app.forget_calls();
        app.call(operation, body).await.ok();
        seen.take(family_of(operation), &app);
    }
}
