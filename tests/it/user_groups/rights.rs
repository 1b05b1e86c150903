//! Rights of users by their groups (contract `access.groups`). No worker runs in these tests unless
//! they say so.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    app::{App, Reply},
    end_users::token,
};

/// The organization `acme` with folder `f`, document `d` in it and document `e` in none, all
/// restricted; the group `team`, and the members `ada`, who is in it, and `bob`, who is not.
async fn world() -> App {
    let app = App::start().await;
    let folders = json!({ "createOrganization": true, "folders": [{ "folderId": "f" }] });
    ok(&app, "folders.add", folders).await;
    let in_folder = json!({ "folderId": "f", "documents": [{ "documentId": "d" }] });
    ok(&app, "documents.add", in_folder).await;
    ok(&app, "documents.add", json!({ "documents": [{ "documentId": "e" }] })).await;
    restrict(&app, &["d", "e"]).await;
    let users = json!({ "users": [{ "userId": "ada" }, { "userId": "bob" }] });
    ok(&app, "users.add", users).await;
    add_group(&app).await;
    join(&app, "ada").await;
    app
}

fn at(more: &Value) -> Value {
    let mut sent = json!({ "organizationId": "acme" });
    sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sent
}

/// Calls an operation, and lets a millisecond pass, so that the next call is later.
async fn ok(app: &App, operation: &str, more: Value) -> Value {
    let reply = app.call(operation, at(&more)).await.ok();
    app.advance(Duration::from_millis(1));
    reply
}

async fn restrict(app: &App, documents: &[&str]) {
    let access = json!({ "documentIds": documents, "accessType": "restricted" });
    ok(app, "documents.access_update", access).await;
}

async fn add_group(app: &App) {
    let groups = json!({ "organizationUserGroups": [{ "groupId": "team" }] });
    ok(app, "user-groups.add", groups).await;
}

async fn delete_group(app: &App) {
    let groups = json!({ "organizationUserGroupIds": ["team"] });
    ok(app, "user-groups.delete", groups).await;
}

fn member(user: &str) -> Value {
    json!({ "organizationUserGroupId": "team", "userIds": [user] })
}

async fn join(app: &App, user: &str) {
    let joined = ok(app, "user-groups.users_add", member(user)).await;
    assert_eq!(joined["data"][user]["success"], true, "{joined}");
}

async fn leave(app: &App, user: &str) {
    let left = ok(app, "user-groups.users_delete", member(user)).await;
    assert_eq!(left["data"][user]["success"], true, "{left}");
}

fn resource(kind: &str, id: &str, role: &str) -> Value {
    json!({ "type": kind, "id": id, "organizationId": "acme", "accessRole": role })
}

async fn say(app: &App, operation: &str, resource: Value) -> Reply {
    let of_group = json!({
        "organizationUserGroupId": "team", "permissions": { "resources": [resource] },
    });
    let reply = app.call(operation, of_group).await;
    app.advance(Duration::from_millis(1));
    reply
}

async fn grant(app: &App, kind: &str, id: &str, role: &str) {
    say(app, "permissions.add", resource(kind, id, role)).await.ok();
}

async fn read(app: &App, user: &str, document: &str) -> Reply {
    let token = token(app, user, json!([])).await;
    let state = at(&json!({ "documentId": document }));
    app.caller().end_user(&token).call("live-state.get", state).await
}

async fn write(app: &App, user: &str, document: &str) -> Reply {
    let token = token(app, user, json!([])).await;
    let state = at(&json!({ "documentId": document, "liveStateDataId": "s", "data": { "x": 1 } }));
    app.caller().end_user(&token).call("live-state.broadcast", state).await
}

async fn comment(app: &App, user: &str, document: &str) -> Reply {
    let token = token(app, user, json!([])).await;
    let thread = json!({ "documentId": document, "commentAnnotations": [{
        "commentData": [{ "commentText": "x" }],
    }] });
    app.caller().end_user(&token).call("comments.annotations_add", at(&thread)).await
}

/// The entry of `permissions.get` for a user or for the group.
async fn shown(app: &App, name: &str, id: &str) -> Value {
    let sent = json!({ name: [id], "folderIds": ["f"], "documentIds": ["d", "e"] });
    app.call("permissions.get", at(&sent)).await.data()[id].take()
}

#[tokio::test]
async fn a_right_of_a_group_is_one_of_each_member_at_each_level_with_each_role() {
    let app = world().await;
    for (kind, id, document) in [("document", "e", "e"), ("folder", "f", "d")] {
        read(&app, "ada", document).await.error("NOT_FOUND");
        for (role, comments, writes) in
            [("viewer", false, false), ("commenter", true, false), ("editor", true, true)]
        {
            grant(&app, kind, id, role).await;
            read(&app, "ada", document).await.ok();
            for (reply, may) in [
                (comment(&app, "ada", document).await, comments),
                (write(&app, "ada", document).await, writes),
            ] {
                match may {
                    true => drop(reply.ok()),
                    false => drop(reply.error("PERMISSION_DENIED")),
                }
            }
            read(&app, "bob", document).await.error("NOT_FOUND");
            let mut expected = json!({ "accessRole": role, "accessType": "restricted" });
            expected["organizationUserGroupId"] = json!("team");
            assert_eq!(shown(&app, "userIds", "ada").await["documents"][document], expected);
            let of_group = shown(&app, "organizationUserGroupIds", "team").await;
            assert_eq!(of_group["documents"][document], expected);
        }
        say(&app, "permissions.remove", resource(kind, id, "viewer")).await.ok();
        read(&app, "ada", document).await.error("NOT_FOUND");
    }
    // In the organization itself the membership of the user comes first.
    grant(&app, "organization", "acme", "viewer").await;
    let of_group = shown(&app, "organizationUserGroupIds", "team").await;
    let expected = json!({ "accessRole": "viewer", "organizationUserGroupId": "team" });
    assert_eq!(of_group["organization"]["acme"], expected);
    let of_ada = shown(&app, "userIds", "ada").await;
    assert_eq!(of_ada["organization"]["acme"], json!({ "accessRole": "editor" }));
    read(&app, "ada", "e").await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_right_of_the_user_comes_before_rights_of_groups_and_the_best_group_counts() {
    let app = world().await;
    grant(&app, "document", "e", "editor").await;
    let own = json!({
        "user": { "userId": "ada" },
        "permissions": { "resources": [resource("document", "e", "viewer")] },
    });
    app.call("permissions.add", own).await.ok();
    app.advance(Duration::from_millis(1));
    write(&app, "ada", "e").await.error("PERMISSION_DENIED");
    let resources = json!({ "resources": [resource("document", "e", "viewer")] });
    let removed = json!({ "userId": "ada", "permissions": resources });
    app.call("permissions.remove", removed).await.ok();
    write(&app, "ada", "e").await.ok();
    // A better group.
    grant(&app, "document", "e", "viewer").await;
    write(&app, "ada", "e").await.error("PERMISSION_DENIED");
    let groups = json!({ "organizationUserGroups": [{ "groupId": "chiefs" }] });
    ok(&app, "user-groups.add", groups).await;
    let joined = json!({ "organizationUserGroupId": "chiefs", "userIds": ["ada"] });
    ok(&app, "user-groups.users_add", joined).await;
    let better = json!({
        "organizationUserGroupId": "chiefs",
        "permissions": { "resources": [resource("document", "e", "editor")] },
    });
    app.call("permissions.add", better).await.ok();
    write(&app, "ada", "e").await.ok();
    let shown = shown(&app, "userIds", "ada").await;
    assert_eq!(shown["documents"]["e"]["organizationUserGroupId"], "chiefs");
    // The nearest level decides, also for groups.
    grant(&app, "folder", "f", "editor").await;
    write(&app, "ada", "d").await.ok();
    grant(&app, "document", "d", "viewer").await;
    write(&app, "ada", "d").await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_right_of_a_group_expires() {
    let app = world().await;
    let mut ending = resource("document", "e", "editor");
    let ends = app.now() / 1000 + 60;
    ending["expiresAt"] = json!(ends);
    say(&app, "permissions.add", ending).await.ok();
    read(&app, "ada", "e").await.ok();
    assert_eq!(shown(&app, "userIds", "ada").await["documents"]["e"]["expiresAt"], ends);
    app.advance(Duration::from_secs(61));
    read(&app, "ada", "e").await.error("NOT_FOUND");
    let of_group = shown(&app, "organizationUserGroupIds", "team").await;
    assert_eq!(of_group["documents"]["e"]["errorCode"], "permission_denied");
}

#[tokio::test]
async fn users_get_the_rights_of_a_group_when_they_join_and_lose_them_when_they_leave() {
    let app = world().await;
    grant(&app, "folder", "f", "viewer").await;
    read(&app, "bob", "d").await.error("NOT_FOUND");
    join(&app, "bob").await;
    read(&app, "bob", "d").await.ok();
    // A change of the user is none of the groups.
    for operation in ["users.update", "users.add"] {
        ok(&app, operation, json!({ "users": [{ "userId": "bob", "name": "B" }] })).await;
        read(&app, "bob", "d").await.ok();
    }
    leave(&app, "bob").await;
    read(&app, "bob", "d").await.error("NOT_FOUND");
    read(&app, "ada", "d").await.ok();
    let all = json!({ "organizationUserGroupId": "team", "deleteAll": true });
    ok(&app, "user-groups.users_delete", all).await;
    read(&app, "ada", "d").await.error("NOT_FOUND");
}

#[tokio::test]
async fn rights_of_a_deleted_group_end_at_once_and_do_not_return_with_a_new_group_of_its_id() {
    for works in [false, true] {
        let app = world().await;
        grant(&app, "document", "e", "editor").await;
        grant(&app, "folder", "f", "editor").await;
        delete_group(&app).await;
        if works {
            app.settle().await;
        }
        for document in ["d", "e"] {
            read(&app, "ada", document).await.error("NOT_FOUND");
        }
        add_group(&app).await;
        for document in ["d", "e"] {
            read(&app, "ada", document).await.error("NOT_FOUND");
        }
        // Neither a new member nor a new right brings the others back.
        join(&app, "bob").await;
        read(&app, "bob", "e").await.error("NOT_FOUND");
        grant(&app, "document", "e", "viewer").await;
        read(&app, "bob", "e").await.ok();
        read(&app, "ada", "e").await.error("NOT_FOUND");
        read(&app, "bob", "d").await.error("NOT_FOUND");
        join(&app, "ada").await;
        read(&app, "ada", "e").await.ok();
        app.settle().await;
        app.advance(Duration::from_secs(21 * 60));
        app.tick().await;
        app.settle().await;
        read(&app, "ada", "e").await.ok();
        read(&app, "bob", "e").await.ok();
        write(&app, "bob", "e").await.error("PERMISSION_DENIED");
    }
}

#[tokio::test]
async fn a_user_who_left_the_organization_and_came_back_is_in_no_group() {
    for works in [false, true] {
        let app = world().await;
        grant(&app, "document", "e", "viewer").await;
        let ada = json!({ "userIds": ["ada"] });
        ok(&app, "users.delete", ada).await;
        read(&app, "ada", "e").await.error("NOT_FOUND");
        if works {
            app.settle().await;
        }
        ok(&app, "users.add", json!({ "users": [{ "userId": "ada" }] })).await;
        read(&app, "ada", "e").await.error("NOT_FOUND");
        join(&app, "ada").await;
        read(&app, "ada", "e").await.ok();
        app.settle().await;
        read(&app, "ada", "e").await.ok();
        let groups = app.call("user-groups.get", at(&json!({}))).await.data();
        assert_eq!(groups[0]["userIds"], json!(["ada"]));
    }
}

#[tokio::test]
async fn a_right_of_a_group_ends_with_its_document_folder_and_organization() {
    let app = world().await;
    grant(&app, "document", "e", "editor").await;
    ok(&app, "documents.delete", json!({ "documentIds": ["e"] })).await;
    ok(&app, "documents.add", json!({ "documents": [{ "documentId": "e" }] })).await;
    restrict(&app, &["e"]).await;
    read(&app, "ada", "e").await.error("NOT_FOUND");
    grant(&app, "folder", "f", "editor").await;
    ok(&app, "folders.delete", json!({ "folderId": "f" })).await;
    read(&app, "ada", "d").await.error("NOT_FOUND");
    ok(&app, "folders.add", json!({ "folders": [{ "folderId": "f" }] })).await;
    let moved = json!({ "documentIds": ["e"], "folderId": "f" });
    ok(&app, "documents.move_documents", moved).await;
    read(&app, "ada", "e").await.error("NOT_FOUND");
    grant(&app, "document", "e", "editor").await;
    read(&app, "ada", "e").await.ok();
    app.call("organizations.delete", json!({ "organizationIds": ["acme"] })).await.ok();
    app.advance(Duration::from_millis(1));
    let again = json!({ "createOrganization": true, "documents": [{ "documentId": "e" }] });
    ok(&app, "documents.add", again).await;
    restrict(&app, &["e"]).await;
    ok(&app, "users.add", json!({ "users": [{ "userId": "ada" }] })).await;
    say(&app, "permissions.add", resource("document", "e", "viewer")).await.error("NOT_FOUND");
    add_group(&app).await;
    grant(&app, "document", "e", "viewer").await;
    read(&app, "ada", "e").await.error("NOT_FOUND");
    join(&app, "ada").await;
    read(&app, "ada", "e").await.ok();
}

#[tokio::test]
async fn a_right_stays_with_a_document_that_is_changed_or_moved() {
    let app = world().await;
    grant(&app, "document", "e", "viewer").await;
    let named = json!({ "documents": [{ "documentId": "e", "documentName": "E" }] });
    ok(&app, "documents.update", named).await;
    ok(&app, "documents.move_documents", json!({ "documentIds": ["e"], "folderId": "f" })).await;
    restrict(&app, &["e"]).await;
    read(&app, "ada", "e").await.ok();
    grant(&app, "folder", "f", "viewer").await;
    let folder = json!({ "folders": [{ "folderId": "f", "folderName": "F" }] });
    ok(&app, "folders.update", folder).await;
    ok(&app, "folders.access_update", json!({ "folderIds": ["f"], "accessType": "restricted" }))
        .await;
    read(&app, "ada", "d").await.ok();
}
