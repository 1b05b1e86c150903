//! Users and groups for end users (contract `users.fellows`).

use serde_json::{Value, json};

use super::with;
use crate::{
    app::App,
    end_users::{at, member, token, with_document},
};

/// An organization of three, with a document that a guest has a right to.
async fn world() -> (App, String, String) {
    let app = with_document().await;
    let ada = member(&app, "ada", "viewer").await;
    let users = json!([
        { "userId": "bob", "name": "Bob Lovelace", "email": "bob@example.com", "color": "red",
          "photoUrl": "https://example.com/bob.png", "plan": "pro", "isAdmin": true },
        { "userId": "cy", "name": "Cyrus" },
    ]);
    app.call("users.add", json!({ "organizationId": "acme", "users": users })).await.ok();
    let guests = at(json!({ "users": [{ "userId": "gus", "name": "Gus" }] }));
    app.call("users.add", guests).await.ok();
    let gus = token(&app, "gus", json!([])).await;
    (app, ada, gus)
}

async fn found(app: &App, token: &str, filters: Value) -> Vec<Value> {
    let sent = with(json!({ "organizationId": "acme" }), filters);
    let reply = app.caller().end_user(token).call("users.get", sent).await;
    reply.data().as_array().expect("a list").clone()
}

fn ids(users: &[Value]) -> Vec<&str> {
    users.iter().map(|user| user["userId"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn a_member_learns_who_members_are_and_no_address() {
    let (app, ada, _) = world().await;
    let found = found(&app, &ada, json!({ "userIds": ["bob", "nobody", "gus"] })).await;
    assert_eq!(
        found,
        [json!({
            "userId": "bob", "organizationId": "acme", "name": "Bob Lovelace", "initial": "B",
            "color": "red", "photoUrl": "https://example.com/bob.png",
        })]
    );
}

#[tokio::test]
async fn users_are_found_by_the_beginning_of_a_word_of_their_name() {
    let (app, ada, _) = world().await;
    for (prefix, expected) in
        [("lov", vec!["bob"]), ("BOB", vec!["bob"]), ("c", vec!["cy"]), ("yrus", vec![])]
    {
        let found = found(&app, &ada, json!({ "prefix": prefix })).await;
        assert_eq!(ids(&found), expected, "{prefix}");
    }
    let of_server = json!({ "organizationId": "acme", "prefix": "lov" });
    let found = app.call("users.get", of_server).await.data();
    assert_eq!(found[0]["email"], "bob@example.com", "the tenant's server learns all");
    let both = json!({ "organizationId": "acme", "prefix": "lov", "userIds": ["bob"] });
    let error = app.call("users.get", both).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "prefix"]));
}

#[tokio::test]
async fn a_search_goes_on_page_by_page() {
    let (app, ada, _) = world().await;
    let users: Vec<Value> =
        (0..5).map(|n| json!({ "userId": format!("z{n}"), "name": format!("Zoe {n}") })).collect();
    app.call("users.add", json!({ "organizationId": "acme", "users": users })).await.ok();
    let (mut all, mut page_token) = (vec![], json!(null));
    loop {
        let sent = json!({
            "organizationId": "acme", "prefix": "zoe", "pageSize": 2, "pageToken": page_token,
        });
        let reply = app.caller().end_user(&ada).call("users.get", sent).await.ok();
        all.extend(ids(reply["data"].as_array().unwrap()).into_iter().map(str::to_owned));
        page_token = reply["nextPageToken"].clone();
        if page_token.is_null() {
            break;
        }
    }
    assert_eq!(all, ["z0", "z1", "z2", "z3", "z4"]);
}

#[tokio::test]
async fn a_guest_of_a_document_learns_its_users_and_not_those_of_the_organization() {
    let (app, ada, gus) = world().await;
    let of_document = json!({ "documentId": "d", "prefix": "" });
    assert_eq!(ids(&found(&app, &gus, of_document.clone()).await), ["gus"]);
    assert_eq!(ids(&found(&app, &ada, of_document.clone()).await), ["gus"]);
    let sent = json!({ "organizationId": "acme", "prefix": "" });
    app.caller().end_user(&gus).call("users.get", sent).await.error("PERMISSION_DENIED");
    // The role of everybody in a public document is no right of one's own.
    let public = json!({
        "organizationId": "acme", "documentIds": ["d"], "accessType": "public",
    });
    app.call("documents.access_update", public).await.ok();
    let eve = token(&app, "eve", json!([])).await;
    let sent = at(json!({ "prefix": "" }));
    app.caller().end_user(&eve).call("users.get", sent).await.error("PERMISSION_DENIED");
    assert_eq!(ids(&found(&app, &gus, of_document).await), ["gus"]);
}

#[tokio::test]
async fn an_end_user_names_whom_to_find() {
    let (app, ada, _) = world().await;
    for sent in
        [json!({ "organizationId": "acme" }), json!({ "organizationId": "acme", "userIds": [] })]
    {
        app.caller().end_user(&ada).call("users.get", sent).await.error("INVALID_ARGUMENT");
    }
    for member in ["allDocuments", "folderId", "organizationUserGroupIds", "groupByDocumentId"] {
        let mut sent = json!({ "organizationId": "acme", "userIds": ["bob"] });
        sent[member] = json!("x");
        app.caller().end_user(&ada).call("users.get", sent).await.error("PERMISSION_DENIED");
    }
}

#[tokio::test]
async fn a_member_learns_the_names_of_groups_and_not_who_is_in_them() {
    let (app, ada, gus) = world().await;
    let groups = json!({ "organizationId": "acme", "organizationUserGroups": [
        { "groupId": "g", "groupName": "G" },
    ] });
    app.call("user-groups.add", groups).await.ok();
    let members = json!({
        "organizationId": "acme", "organizationUserGroupId": "g", "userIds": ["bob"],
    });
    app.call("user-groups.users_add", members).await.ok();
    let named = json!({ "organizationId": "acme", "organizationUserGroupIds": ["g", "x"] });
    let reply = app.caller().end_user(&ada).call("user-groups.get", named.clone()).await;
    let group = json!({ "groupId": "g", "organizationUserGroupId": "g", "groupName": "G" });
    assert_eq!(reply.data(), json!([group]));
    app.caller().end_user(&gus).call("user-groups.get", named).await.error("PERMISSION_DENIED");
    let all = json!({ "organizationId": "acme" });
    app.caller().end_user(&ada).call("user-groups.get", all).await.error("INVALID_ARGUMENT");
}
