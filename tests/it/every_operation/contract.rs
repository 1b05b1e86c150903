//! Path, credentials and required members of each operation, and the statuses of errors
//! (contract `conventions`).

use serde_json::{Value, json};
use service::Status;

use crate::app::{App, specs};

const KEY: &str = "apiKey";
const WORKSPACE: &str = "workspace";

/// Section, path, level and required members.
const OPERATIONS: &[(&str, &str, &str, &[&str])] = &[
    ("4.1", "/v2/workspace/apikey/create", WORKSPACE, &["ownerEmail", "type"]),
    ("4.2", "/v2/workspace/authtokens/get", WORKSPACE, &["apiKey"]),
    ("4.3", "/v2/agents/update", KEY, &["agentId"]),
    ("4.4", "/v2/workspace/advancedwebhook/endpoints/get", KEY, &[]),
    ("4.5", "/v2/workspace/advancedwebhook/endpoints/update", KEY, &["endpointId"]),
    ("4.6", "/v2/workspace/advancedwebhook/endpoints/delete", KEY, &["endpointId"]),
    ("4.7", "/v2/recordings/get", KEY, &["organizationId"]),
    ("4.8", "/v2/workspace/emailconfig/update", KEY, &[]),
    ("4.9", "/v2/workspace/emailconfig/get", KEY, &[]),
    ("4.10", "/v2/organizations/folders/get", KEY, &["organizationId"]),
    ("4.11", "/v2/crdt/update", KEY, &["organizationId", "documentId", "editorId", "data", "type"]),
    (
        "4.12",
        "/v1/livestate/broadcast",
        KEY,
        &["organizationId", "documentId", "liveStateDataId", "data"],
    ),
    ("4.13", "/v2/presence/add", KEY, &["organizationId", "documentId", "users"]),
    ("4.14", "/v2/presence/update", KEY, &["organizationId", "documentId", "users"]),
    (
        "4.15",
        "/v1/organizations/usergroups/users/delete",
        KEY,
        &["organizationId", "organizationUserGroupId"],
    ),
    ("4.16", "/v2/activities/update", KEY, &["organizationId", "activities"]),
    ("4.17", "/v1/organizations/documents/delete", KEY, &["organizationId", "documentIds"]),
    ("4.18", "/v2/workspace/activityconfig/get", KEY, &[]),
    ("4.19", "/v2/users/update", KEY, &["organizationId", "users"]),
    ("4.20", "/v2/users/data/get", KEY, &["organizationId", "userId"]),
    ("4.21", "/v1/users/delete", KEY, &["organizationId", "userIds"]),
    ("4.22", "/v1/organizations/documents/update", KEY, &["organizationId", "documents"]),
    ("4.23", "/v1/notifications/get", KEY, &["organizationId"]),
    ("4.24", "/v2/workspace/notificationconfig/update", KEY, &[]),
    (
        "4.25",
        "/v1/notifications/config/set",
        KEY,
        &["organizationId", "documentIds", "userIds", "config"],
    ),
];

#[test]
fn each_operation_is_served_at_its_path_with_its_credentials() {
    for (section, path, level, _) in OPERATIONS {
        let found: Vec<_> = specs().values().filter(|spec| spec.paths.contains(path)).collect();
        assert_eq!(found.len(), 1, "{section} {path}");
        assert_eq!(found[0].level, *level, "{section} {path}");
    }
}

#[tokio::test]
async fn required_members_are_required_and_named() {
    let (app, second) = App::sample_world().await;
    for (section, path, _, members) in OPERATIONS {
        let spec = specs().values().find(|spec| spec.paths.contains(path)).expect("an operation");
        let body = app.sample_body(&spec.binary(), &second);
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        for member in *members {
            let mut without = body.clone();
            let removed = without["data"].as_object_mut().expect("data").remove(*member);
            assert!(removed.is_some(), "{section}: the sample has no {member}");
            let mut null = body.clone();
            null["data"][member] = Value::Null;
            for sent in [without, null] {
                let reply = app.caller().body_at(path, sent.to_string()).await;
                let error = reply.error("INVALID_ARGUMENT");
                let named = &error["details"]["issues"][0]["path"];
                assert_eq!(named, &json!(["data", member]), "{section}: {sent}");
            }
        }
    }
}

#[test]
fn each_status_of_an_error_has_its_http_code() {
    let paired = Status::ALL.map(|status| (status.as_str(), status.http()));
    let expected = [
        ("INVALID_ARGUMENT", 400),
        ("FAILED_PRECONDITION", 400),
        ("PERMISSION_DENIED", 403),
        ("NOT_FOUND", 404),
        ("ALREADY_EXISTS", 409),
        ("ABORTED", 409),
        ("RESOURCE_EXHAUSTED", 429),
        ("INTERNAL", 500),
        ("UNAVAILABLE", 503),
    ];
    assert_eq!(paired, expected);
}
