//! Names of people and groups, wherever the organization has them (contract `types.notification`).

use serde_json::{Value, json};

use super::scene::{comment, headline, inbox, say, start, thread, wait};
use crate::app::App;

/// Moves the document `d` into the folder `inner`, which lies in `outer`.
async fn with_folders() -> App {
    let app = start().await;
    for folder in
        [json!({ "folderId": "outer" }), json!({ "folderId": "inner", "parentFolderId": "outer" })]
    {
        let sent = json!({ "organizationId": "acme", "folders": [folder] });
        app.call("folders.add", sent).await.ok();
    }
    let moved = json!({ "organizationId": "acme", "folderId": "inner", "documentIds": ["d"] });
    app.call("documents.move_documents", moved).await.ok();
    app
}

async fn grant(app: &App, user: &str, kind: &str, id: &str) {
    let right = json!({ "type": kind, "id": id, "organizationId": "acme", "accessRole": "editor" });
    let sent = json!({ "user": { "userId": user }, "permissions": { "resources": [right] } });
    app.call("permissions.add", sent).await.ok();
}

/// The actor of the only notification of `bob`.
async fn actor(app: &App) -> Value {
    let [it] = inbox(app, "bob").await.try_into().unwrap();
    it["actionUser"].clone()
}

#[tokio::test]
async fn an_actor_with_a_granted_right_is_named_as_the_thread_names_them() {
    for (kind, id) in
        [("organization", "acme"), ("folder", "outer"), ("folder", "inner"), ("document", "d")]
    {
        let app = with_folders().await;
        grant(&app, "mia", kind, id).await;
        let by_mia = json!({ "from": { "userId": "mia", "name": "Mia" } });
        thread(&app, "d", "t", comment("mia", "hi", by_mia), json!({})).await;
        app.settle().await;
        let actor = actor(&app).await;
        assert_eq!(
            (&actor["userId"], &actor["name"]),
            (&json!("mia"), &json!("Mia")),
            "{kind} {id}"
        );
    }
}

#[tokio::test]
async fn an_actor_is_named_by_a_membership_at_any_level_above_the_document() {
    for (member, id) in [("documentId", "d"), ("folderId", "inner"), ("folderId", "outer")] {
        let app = with_folders().await;
        let mut sent = json!({ "organizationId": "acme", "users": [
            { "userId": "fay", "name": "Fay Field" },
        ] });
        sent[member] = json!(id);
        app.call("users.add", sent).await.ok();
        thread(&app, "d", "t", comment("fay", "hi", json!({})), json!({})).await;
        app.settle().await;
        assert_eq!(actor(&app).await["name"], "Fay Field", "{member} {id}");
    }
}

#[tokio::test]
async fn an_actor_whose_right_was_taken_away_is_a_deleted_user() {
    let app = with_folders().await;
    super::scene::delay(&app, 60).await;
    grant(&app, "mia", "folder", "outer").await;
    say(&app, "d", "t", "mia").await;
    app.settle().await;
    let right = json!({ "type": "folder", "id": "outer", "organizationId": "acme" });
    let sent = json!({ "userId": "mia", "permissions": { "resources": [right] } });
    app.call("permissions.remove", sent).await.ok();
    wait(&app, 61).await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(headline(&it), "Deleted user commented in Plan");
}

#[tokio::test]
async fn mentions_show_the_names_that_the_organization_has() {
    let app = with_folders().await;
    let users = json!([{ "userId": "u_7f3a", "name": "Bob Builder" }]);
    app.call("users.add", json!({ "organizationId": "acme", "users": users })).await.ok();
    let fay = json!({ "organizationId": "acme", "folderId": "outer", "users": [
        { "userId": "fay", "name": "Fay Field" },
    ] });
    app.call("users.add", fay).await.ok();
    let group = json!({ "organizationId": "acme", "organizationUserGroups": [
        { "groupId": "g1", "groupName": "Designers" },
    ] });
    app.call("user-groups.add", group).await.ok();
    let mentioned = json!({ "taggedUserContacts": [
        { "userId": "u_7f3a" }, { "userId": "g1", "contact": { "userId": "g1" } },
        { "userId": "fay" }, { "userId": "zoe" },
        { "userId": "cy", "contact": { "userId": "cy", "name": "Captain" } },
    ] });
    let text = "{{u_7f3a}}, {{g1}}, {{fay}}, {{cy}} and {{zoe}}: look";
    thread(&app, "d", "t", comment("ada", text, mentioned), json!({})).await;
    app.settle().await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    let shown = "@Bob Builder, @Designers, @Fay Field, @Captain and @zoe: look";
    assert_eq!(it["displayBodyMessage"], shown);
}

#[tokio::test]
async fn an_assignee_is_named_in_headlines() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    app.advance(std::time::Duration::from_millis(1));
    super::scene::change(&app, "d", "t", json!({ "assignedTo": { "userId": "eve" } })).await;
    app.settle().await;
    assert_eq!(headline(&inbox(&app, "cy").await[0]), "Somebody assigned a thread in Plan to Eve");
}

#[tokio::test]
async fn a_user_with_a_right_and_no_membership_is_mailed_at_the_address_sent() {
    let app = with_folders().await;
    super::scene::configure_mail(&app, json!({ "useEmailService": true })).await;
    grant(&app, "mia", "document", "d").await;
    let to = json!([{ "userId": "mia", "email": "mia@example.com" },
        { "userId": "bob", "email": "another@example.com" }]);
    super::add(&app, json!({ "notifyUsers": to })).await;
    app.settle().await;
    let mut mailed: Vec<String> = app.mails().iter().flat_map(|mail| mail.to.clone()).collect();
    mailed.sort();
    assert_eq!(mailed, ["bob@example.com", "mia@example.com"], "a membership has the address");
}

#[tokio::test]
async fn a_reader_is_named_by_a_membership_of_a_folder() {
    let app = with_folders().await;
    let fay = json!({ "organizationId": "acme", "folderId": "outer", "users": [
        { "userId": "fay", "name": "Fay Field" },
    ] });
    app.call("users.add", fay).await.ok();
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let [it] = inbox(&app, "fay").await.try_into().unwrap();
    let reader = &it["displayHeadlineMessageTemplateData"]["recipientUser"];
    assert_eq!(reader["name"], "Fay Field");
}

#[tokio::test]
async fn a_notification_of_a_comment_is_found_by_its_location() {
    let app = start().await;
    for (id, location) in [("t", json!({ "id": "L1" })), ("u", json!({ "id": 1.0 }))] {
        thread(&app, "d", id, comment("ada", "x", json!({})), json!({ "location": location }))
            .await;
    }
    app.settle().await;
    for (location, of) in [("L1", "t"), ("1", "u")] {
        let found = super::get(&app, json!({ "userId": "bob", "locationId": location })).await;
        let [it] = found.try_into().unwrap();
        assert_eq!((&it["locationId"], &it["targetAnnotationId"]), (&json!(location), &json!(of)));
    }
}
