//! `root` names the top of an organization, and is the id of no folder, to every operation that takes
//! one (contract `folders.top`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::{App, specs};

/// The answer of an operation to `root`.
enum Says {
    /// The top is meant.
    Data(Value),
    /// The call is refused, and names this member.
    Refuses(&'static str),
    /// There is no such folder.
    NotFound,
}

/// Each operation that takes a folder, with a call that names `root`.
fn calls() -> Vec<(&'static str, Value, Says)> {
    use Says::{Data, NotFound, Refuses};
    let right = json!({ "resources": [{ "type": "folder", "id": "root", "organizationId": "o" }] });
    let users = json!([{ "userId": "u" }]);
    let added =
        |id: &str| json!({ id: { "id": id, "success": true, "message": "Document added." } });
    vec![
        (
            "documents.add",
            json!({ "documents": [{ "documentId": "new" }], "folderId": "root" }),
            Data(added("new")),
        ),
        (
            "documents.add",
            json!({
                "documents": [{ "documentId": "new" }], "folderId": "root", "createFolder": true,
            }),
            Data(added("new")),
        ),
        ("documents.get", json!({ "folderId": "root" }), Data(json!(["top"]))),
        ("documents.count", json!({ "folderId": "root" }), Data(json!({ "count": 1 }))),
        (
            "documents.move_documents",
            json!({ "documentIds": ["inside"], "folderId": "root" }),
            Data(Value::Null),
        ),
        ("comments.annotations_get", json!({ "folderId": "root" }), Data(json!(["at-top"]))),
        (
            "folders.add",
            json!({ "folders": [{ "folderId": "root" }] }),
            Data(json!({ "root": "invalid-argument" })),
        ),
        (
            "folders.add",
            json!({ "folders": [{ "folderId": "new", "parentFolderId": "root" }] }),
            Data(json!({ "new": null })),
        ),
        ("folders.get", json!({ "folderId": "root" }), NotFound),
        (
            "folders.update",
            json!({ "folders": [{ "folderId": "root", "folderName": "Top" }] }),
            Data(json!({ "root": "not-found" })),
        ),
        (
            "folders.update",
            json!({ "folders": [{ "folderId": "f", "parentFolderId": "root" }] }),
            Data(json!({ "f": null })),
        ),
        (
            "folders.access_update",
            json!({ "folderIds": ["root"], "accessType": "restricted" }),
            Data(json!({ "root": "not-found" })),
        ),
        ("folders.delete", json!({ "folderId": "root" }), NotFound),
        ("users.add", json!({ "folderId": "root", "users": users }), Refuses("folderId")),
        (
            "users.add",
            json!({ "folderId": "root", "createFolder": true, "users": users }),
            Refuses("folderId"),
        ),
        ("users.update", json!({ "folderId": "root", "users": users }), Refuses("folderId")),
        ("users.get", json!({ "folderId": "root" }), Refuses("folderId")),
        ("users.delete", json!({ "folderId": "root", "userIds": ["u"] }), Refuses("folderId")),
        (
            "users.generate_token",
            json!({ "userId": "u", "userProperties": { "name": "u", "email": "u@example.com" }, "permissions": right }),
            Refuses("permissions.resources[0].id"),
        ),
        (
            "permissions.add",
            json!({ "user": { "userId": "u" }, "permissions": right }),
            Refuses("permissions.resources[0].id"),
        ),
        // A right that an earlier version granted can be removed.
        ("permissions.remove", json!({ "userId": "u", "permissions": right }), Data(Value::Null)),
        ("permissions.get", json!({ "userIds": ["u"], "folderIds": ["root"] }), NotFound),
    ]
}

/// The operations whose requests name a folder, by openapi.json.
fn with_folders() -> BTreeSet<String> {
    const NAMES: [&str; 4] = ["folderId", "folderIds", "parentFolderId", "resources"];
    fn names(document: &Value, part: &Value, found: &mut BTreeSet<String>) {
        match part {
            Value::Object(members) => {
                let properties = members.get("properties").and_then(Value::as_object);
                found.extend(properties.into_iter().flatten().map(|(name, _)| name.clone()));
                if let Some(target) = part["$ref"].as_str() {
                    names(document, document.pointer(&target[1..]).expect("a part"), found);
                }
                members.values().for_each(|member| names(document, member, found));
            }
            Value::Array(parts) => parts.iter().for_each(|part| names(document, part, found)),
            _ => {}
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");
    let text = std::fs::read_to_string(file).expect("openapi.json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let takes = |path: &str| {
        let mut found = BTreeSet::new();
        names(&document, &document["paths"][path]["post"]["requestBody"], &mut found);
        NAMES.iter().any(|name| found.contains(*name))
    };
    let specs = specs().values().filter(|spec| takes(spec.paths[0]));
    specs.map(|spec| spec.name.to_owned()).collect()
}

async fn world() -> App {
    let app = App::start().await;
    for (operation, sent) in [
        ("folders.add", json!({ "createOrganization": true, "folders": [{ "folderId": "f" }] })),
        ("documents.add", json!({ "documents": [{ "documentId": "top" }] })),
        ("documents.add", json!({ "folderId": "f", "documents": [{ "documentId": "inside" }] })),
    ] {
        app.call(operation, within(sent)).await.ok();
    }
    for (document, thread) in [("top", "at-top"), ("inside", "at-inside")] {
        let sent = json!({
            "documentId": document, "commentAnnotations": [{ "annotationId": thread,
                "commentData": [{ "from": { "userId": "u" }, "commentText": "text" }] }],
        });
        app.call("comments.annotations_add", within(sent)).await.ok();
    }
    app
}

fn within(mut sent: Value) -> Value {
    sent["organizationId"] = json!("o");
    sent
}

#[tokio::test]
async fn root_names_the_top_and_no_folder() {
    let calls = calls();
    let named: BTreeSet<String> = calls.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(named, with_folders(), "decide what `root` means there");
    let app = world().await;
    let before = app.embedded().snapshot().unwrap();
    for (operation, sent, says) in calls {
        for path in specs()[operation].paths {
            app.embedded().restore(&before).unwrap();
            // Deletions refuse members that they do not know.
            let sent = match operation {
                "permissions.remove" => sent.clone(),
                _ => within(sent.clone()),
            };
            let reply = app.call_at(path, sent.clone()).await;
            match &says {
                Says::Refuses(_)
                    if operation == "users.generate_token" && path.contains("/v1/") =>
                {
                    // The resource of such a right is always an organization.
                }
                Says::Refuses(member) => {
                    let error = reply.error("INVALID_ARGUMENT");
                    assert!(error.to_string().contains(member), "{path}: {error}");
                }
                Says::NotFound => drop(reply.error("NOT_FOUND")),
                Says::Data(expected) => {
                    let data = reply.data();
                    let shown = match (&data, expected) {
                        (Value::Array(found), _) => {
                            let id = |item: &Value| {
                                let ids = ["annotationId", "documentId"].map(|name| &item[name]);
                                ids.into_iter().find(|id| id.is_string()).cloned()
                            };
                            json!(found.iter().map(id).collect::<Vec<_>>())
                        }
                        (Value::Object(entries), Value::Object(wanted))
                            if wanted.values().all(|it| it.is_null() || it.is_string()) =>
                        {
                            let code = |(id, entry): (&String, &Value)| {
                                (id.clone(), entry["code"].clone())
                            };
                            json!(entries.iter().map(code).collect::<serde_json::Map<_, _>>())
                        }
                        _ => data.clone(),
                    };
                    assert_eq!(&shown, expected, "{path} {sent}");
                }
            }
        }
    }
}
