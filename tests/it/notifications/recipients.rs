//! Recipients of notifications (rules N1 and N3).

use serde_json::{Value, json};

use super::scene::{
    add_users, change, comment, counts, inbox, prefer, recipients, reply, say, start, thread,
};
use crate::app::App;

const MINE: &str = "MINE";

/// All users are notified only of activities that involve them.
async fn only_mine(app: &App, users: &[&str]) {
    for user in users {
        prefer(app, user, None, json!({ "inbox": MINE })).await;
    }
}

#[tokio::test]
async fn n3_with_the_preference_mine_only_involved_users_are_notified() {
    let app = start().await;
    only_mine(&app, &["ada", "bob", "cy", "eve"]).await;
    say(&app, "d", "t", "bob").await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada", "bob", "cy", "eve"]).await, [0, 0, 0, 0]);
    // The author, and the mentioned user.
    let mention = json!({ "taggedUserContacts": [{ "userId": "cy" }], "commentId": 7 });
    reply(&app, "d", "t", comment("ada", "x", mention)).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada", "bob", "cy", "eve"]).await, [0, 1, 1, 0]);
    // The authors of comments in the thread, and the new assignee.
    change(&app, "d", "t", json!({ "assignedTo": { "userId": "eve" } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada", "bob", "cy", "eve"]).await, [1, 2, 2, 1]);
    // The assignee before.
    change(&app, "d", "t", json!({ "assignedTo": null })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["eve"]).await, [2]);
    // The author of the comment reacted to.
    let reaction = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentId": 7,
        "icon": "HEART", "from": { "userId": "bob" }, "triggerNotification": true,
    });
    app.call("comments.reactions_add", reaction).await.ok();
    app.settle().await;
    assert_eq!(counts(&app, ["ada"]).await, [3]);
}

#[tokio::test]
async fn n3_an_assignee_is_involved_from_the_creation_of_the_thread_and_after_unsubscribing() {
    let app = start().await;
    only_mine(&app, &["bob", "cy", "eve"]).await;
    let assigned = json!({ "assignedTo": { "userId": "eve" } });
    thread(&app, "d", "t", comment("ada", "Please look.", json!({})), assigned).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 1]);
    reply(&app, "d", "t", comment("ada", "Well?", json!({}))).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 2]);
    // And who is assigned later, of what follows.
    change(&app, "d", "t", json!({ "assignedTo": { "userId": "cy" } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 1, 3]);
    reply(&app, "d", "t", comment("ada", "And you?", json!({}))).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 2, 3]);
    // An assignee is told of the thread even after unsubscribing.
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t",
        "user": { "userId": "cy" },
    });
    app.call("comments.annotations_unsubscribe", sent).await.ok();
    reply(&app, "d", "t", comment("ada", "Anybody?", json!({}))).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 3, 3]);
}

#[tokio::test]
async fn n4_muting_and_unsubscribing_before_a_late_worker_runs_drop_the_notification() {
    let app = start().await;
    only_mine(&app, &["bob"]).await;
    thread(&app, "d", "t", comment("bob", "x", json!({})), json!({})).await;
    app.settle().await;
    let before = counts(&app, ["bob", "cy", "eve"]).await;
    reply(&app, "d", "t", comment("ada", "y", json!({}))).await;
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "user": { "userId": "bob" },
    });
    app.call("comments.annotations_unsubscribe", sent).await.ok();
    prefer(&app, "cy", None, json!({ "inbox": "NONE" })).await;
    app.settle().await;
    let [bob, cy, eve] = before;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [bob, cy, eve + 1]);
    for user in ["bob", "cy"] {
        let fates = super::scene::fates(&app, user).await;
        assert!(fates.contains(&"inbox dropped muted".to_owned()), "{user}: {fates:?}");
    }
}

#[tokio::test]
async fn n3_mentioning_a_group_involves_each_of_its_members() {
    let app = start().await;
    only_mine(&app, &["bob", "cy", "eve"]).await;
    let group =
        json!({ "organizationId": "acme", "organizationUserGroups": [{ "groupId": "team" }] });
    app.call("user-groups.add", group).await.ok();
    let members = json!({
        "organizationId": "acme", "organizationUserGroupId": "team", "userIds": ["cy", "eve"],
    });
    app.call("user-groups.users_add", members).await.ok();
    let mention = json!({ "taggedUserContacts": [{ "userId": "team" }] });
    thread(&app, "d", "t", comment("ada", "{{team}}!", mention), json!({})).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 1, 1]);
    assert_eq!(recipients(&app), 2, "the group itself is nobody");
}

#[tokio::test]
async fn n3_an_unsubscribed_user_is_notified_of_group_mentions_and_of_a_lost_assignment() {
    let app = start().await;
    only_mine(&app, &["bob", "cy", "eve"]).await;
    super::scene::configure_mail(&app, json!({ "useEmailService": true })).await;
    let group =
        json!({ "organizationId": "acme", "organizationUserGroups": [{ "groupId": "team" }] });
    app.call("user-groups.add", group).await.ok();
    let members = json!({
        "organizationId": "acme", "organizationUserGroupId": "team", "userIds": ["bob"],
    });
    app.call("user-groups.users_add", members).await.ok();
    let silent = json!({ "triggerNotification": false });
    let assigned = json!({ "assignedTo": { "userId": "cy" } });
    thread(&app, "d", "t", comment("ada", "x", silent), assigned).await;
    for user in ["bob", "cy", "eve"] {
        let sent = json!({
            "organizationId": "acme", "documentId": "d", "annotationId": "t", "user": { "userId": user },
        });
        app.call("comments.annotations_subscribe", sent.clone()).await.ok();
        app.call("comments.annotations_unsubscribe", sent).await.ok();
    }
    let mention = json!({ "taggedUserContacts": [{ "userId": "team" }] });
    reply(&app, "d", "t", comment("ada", "{{team}}!", mention)).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 0], "cy is the assignee");
    app.advance(std::time::Duration::from_millis(1));
    change(&app, "d", "t", json!({ "assignedTo": null })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 2, 0]);
    for user in ["bob", "cy"] {
        let muted = super::scene::fates(&app, user).await;
        assert!(muted.iter().all(|fate| !fate.contains("muted")), "{user}: {muted:?}");
    }
}

#[tokio::test]
async fn n3_members_of_a_deleted_group_are_not_mentioned_by_a_new_group_of_its_id() {
    let app = start().await;
    only_mine(&app, &["bob", "cy", "eve"]).await;
    let organization = || json!({ "organizationId": "acme" });
    let with = |more: Value| {
        let mut all = organization();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let add = with(json!({ "organizationUserGroups": [{ "groupId": "team" }] }));
    let join = |user: &str| with(json!({ "organizationUserGroupId": "team", "userIds": [user] }));
    app.call("user-groups.add", add.clone()).await.ok();
    app.call("user-groups.users_add", join("cy")).await.ok();
    app.advance(std::time::Duration::from_millis(1));
    let gone = with(json!({ "organizationUserGroupIds": ["team"] }));
    app.call("user-groups.delete", gone).await.ok();
    app.call("user-groups.add", add).await.ok();
    app.call("user-groups.users_add", join("eve")).await.ok();
    let mention = json!({ "taggedUserContacts": [{ "userId": "team" }] });
    thread(&app, "d", "t", comment("ada", "{{team}}!", mention), json!({})).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 1]);
}

#[tokio::test]
async fn n1_current_members_of_a_group_with_a_right_are_notified_and_no_others() {
    let app = start().await;
    super::restrict(&app, "d", &[]).await;
    add_users(&app, &["dan", "fay"]).await;
    let bot = json!({ "organizationId": "acme", "users": [{ "userId": "rob", "type": "bot" }] });
    app.call("users.add", bot).await.ok();
    let group =
        json!({ "organizationId": "acme", "organizationUserGroups": [{ "groupId": "team" }] });
    app.call("user-groups.add", group.clone()).await.ok();
    let of_team = |users: Value| json!({ "organizationId": "acme", "organizationUserGroupId": "team", "userIds": users });
    let joined = of_team(json!(["ada", "bob", "cy", "dan", "eve", "rob"]));
    app.call("user-groups.users_add", joined).await.ok();
    let right = json!({ "organizationUserGroupId": "team", "permissions": { "resources": [
        { "type": "document", "id": "d", "organizationId": "acme", "accessRole": "viewer" },
    ] } });
    app.call("permissions.add", right.clone()).await.ok();
    app.call("user-groups.users_delete", of_team(json!(["bob"]))).await.ok();
    let left = json!({ "organizationId": "acme", "userIds": ["dan"] });
    app.call("users.delete", left).await.ok();
    app.advance(std::time::Duration::from_millis(1));
    add_users(&app, &["dan"]).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let users = ["ada", "bob", "cy", "dan", "eve", "fay", "rob"];
    assert_eq!(counts(&app, users).await, [0, 0, 1, 0, 1, 0, 0]);
    app.call("permissions.remove", right).await.ok();
    say(&app, "d", "u", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["cy", "eve"]).await, [0, 0], "and the first is not shown any more");
}

#[tokio::test]
async fn n3_a_preference_for_a_document_overrides_that_for_the_organization() {
    let app = start().await;
    prefer(&app, "bob", None, json!({ "inbox": "NONE" })).await;
    prefer(&app, "bob", Some("e"), json!({ "inbox": "ALL" })).await;
    prefer(&app, "cy", Some("d"), json!({ "inbox": "NONE" })).await;
    say(&app, "d", "t", "ada").await;
    say(&app, "e", "u", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 2]);
}

#[tokio::test]
async fn n3_a_subscriber_is_involved_and_an_unsubscribed_user_is_not() {
    let app = start().await;
    only_mine(&app, &["bob", "cy", "eve"]).await;
    say(&app, "d", "t", "cy").await;
    let sent = |user: &str| {
        json!({
            "organizationId": "acme", "documentId": "d", "annotationId": "t", "user": { "userId": user },
        })
    };
    app.call("comments.annotations_subscribe", sent("bob")).await.ok();
    app.call("comments.annotations_unsubscribe", sent("cy")).await.ok();
    reply(&app, "d", "t", comment("ada", "x", json!({}))).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 0, 0]);
}

#[tokio::test]
async fn n1_only_users_who_may_see_document_and_thread_are_notified() {
    let app = start().await;
    super::restrict(&app, "d", &["bob", "cy"]).await;
    let private = json!({ "visibility": { "type": "restricted", "userIds": ["cy", "eve"] } });
    thread(&app, "d", "t", comment("ada", "x", json!({})), private).await;
    say(&app, "d", "s", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada", "bob", "cy", "eve"]).await, [0, 1, 2, 0]);
    assert_eq!(recipients(&app), 3);
}

#[tokio::test]
async fn n1_users_of_the_document_or_a_folder_above_it_are_notified_too() {
    let app = start().await;
    let folder = json!({ "organizationId": "acme", "folders": [{ "folderId": "f" }] });
    app.call("folders.add", folder).await.ok();
    let moved = json!({ "organizationId": "acme", "folderId": "f", "documentIds": ["d"] });
    app.call("documents.move_documents", moved).await.ok();
    for (member, id, user) in [("documentId", "d", "dora"), ("folderId", "f", "fay")] {
        let mut sent = json!({ "organizationId": "acme", "users": [{ "userId": user }] });
        sent[member] = json!(id);
        app.call("users.add", sent).await.ok();
    }
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "dora", "fay"]).await, [1, 1, 1]);
}

#[tokio::test]
async fn n1_agents_and_bots_are_not_notified() {
    let app = start().await;
    let bot = json!({ "organizationId": "acme", "users": [{ "userId": "robot", "type": "bot" }] });
    app.call("users.add", bot).await.ok();
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "robot"]).await, [1, 0]);
}

#[tokio::test]
async fn a_mentioned_user_without_a_record_is_notified() {
    let app = start().await;
    let mention = json!({ "taggedUserContacts": [{ "userId": "guest" }] });
    thread(&app, "d", "t", comment("stranger", "x", mention), json!({})).await;
    app.settle().await;
    let [it] = inbox(&app, "guest").await.try_into().unwrap();
    assert_eq!(it["actionUser"]["userId"], "stranger");
}

#[tokio::test]
async fn n17_an_actor_who_left_is_shown_as_deleted_user() {
    let app = start().await;
    super::scene::delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let gone = json!({ "organizationId": "acme", "userIds": ["ada"] });
    app.call("users.delete", gone).await.ok();
    super::scene::wait(&app, 61).await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(super::scene::headline(&it), "Deleted user commented in Plan");
}

#[tokio::test]
async fn several_hundred_recipients_are_all_notified_once() {
    let app = start().await;
    let ids: Vec<String> = (0..350).map(|n| format!("user-{n:03}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    add_users(&app, &ids).await;
    super::scene::delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    super::scene::wait(&app, 61).await;
    let all: Vec<Value> = super::get(&app, json!({ "documentId": "d" })).await;
    let mut users: Vec<String> =
        all.iter().flat_map(|it| it["notifyUsers"].as_object().unwrap().keys().cloned()).collect();
    assert_eq!(users.len(), 353);
    users.sort();
    users.dedup();
    assert_eq!((all.len(), users.len()), (3, 353), "a page of recipients is one notification");
}
