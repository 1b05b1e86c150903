//! Content that an end user may send by mail: people, links, and how much.

use serde_json::{Value, json};
use service::Table;

use super::{add_user, configure, mails, only_mail, recipients, reply, start, wait};
use crate::{app::App, end_users::token, schedule::put};

const LINK: &str = "https://evil.example.net/d?t=1";

fn stranger(id: &str) -> Value {
    let email = format!("{id}@victims.example.net");
    json!({ "userId": id, "contact": { "userId": id, "name": id, "email": email } })
}

/// A new thread of one comment in `d`, from a page.
fn thread(id: &str, mentioned: Value, page: &str) -> Value {
    json!({ "organizationId": "acme", "documentId": "d", "commentAnnotations": [{
        "annotationId": id, "pageInfo": { "url": page }, "commentData": [{
            "from": { "userId": "ada" }, "commentText": format!("In {id}."),
            "triggerNotification": true, "taggedUserContacts": mentioned,
        }],
    }] })
}

/// `ada` begins a thread with her own token; returns the number of the comment.
async fn begin(app: &App, id: &str, mentioned: Value, page: &str) -> u64 {
    let ada = token(app, "ada", json!([])).await;
    let begun = thread(id, mentioned, page);
    let done = app.caller().end_user(&ada).call("comments.annotations_add", begun).await.data();
    app.settle().await;
    done[id]["commentIds"][0].as_u64().expect("a number")
}

/// The tenant's server begins a thread in the name of `ada`.
async fn begin_by_server(app: &App, id: &str, mentioned: Value, page: &str) -> u64 {
    let begun = thread(id, mentioned, page);
    let done = app.call("comments.annotations_add", begun).await.data();
    app.settle().await;
    done[id]["commentIds"][0].as_u64().expect("a number")
}

/// Replaces the mentions of the first comment of a thread.
fn mention_later(comment: u64, mentioned: Value) -> Value {
    json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentIds": [comment],
        "triggerNotification": true, "updatedData": { "taggedUserContacts": mentioned },
    })
}

async fn inbox(app: &App, user: &str) -> usize {
    let sent = json!({ "organizationId": "acme", "userId": user });
    app.call("notifications.get", sent).await.data().as_array().map_or(0, Vec::len)
}

/// Recipients of the mails since the last call, in order of addresses.
fn taken(app: &App) -> Vec<String> {
    let mut to = recipients(app);
    app.embedded().forget_mails();
    to.sort();
    to
}

/// Changes the stored threads to those of an earlier version.
async fn make_old(app: &App) {
    for mut item in app.items_of(Table::Resources, &app.key) {
        let members = item.as_object_mut().expect("an object");
        let removed = ["vouched", "isPageVouched"].map(|name| members.remove(name).is_some());
        if removed.contains(&true) {
            put(app, Table::Resources, &item).await;
        }
    }
}

#[tokio::test]
async fn a_mention_by_an_end_user_is_mailed_only_to_members_at_their_stored_address() {
    let app = start().await;
    let wrong = json!({ "userId": "bob", "contact": {
        "userId": "bob", "email": "bob@victims.example.net",
    } });
    let first = begin(&app, "t", json!([stranger("x1"), wrong, stranger("x2")]), LINK).await;
    assert_eq!(taken(&app), ["bob@example.com"]);
    assert_eq!((inbox(&app, "bob").await, inbox(&app, "x1").await), (1, 0));

    let ada = token(&app, "ada", json!([])).await;
    let ada = app.caller().end_user(&ada);
    ada.call("comments.update", mention_later(first, json!([stranger("x3")]))).await.ok();
    let another = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentData": [{
            "commentText": "x", "triggerNotification": true, "taggedUserContacts": [stranger("x4")],
        }],
    });
    ada.call("comments.add", another).await.ok();
    wait(&app, 1).await;
    reply(&app, "d", "t", "cy", "Later.").await;
    app.settle().await;
    assert_eq!(taken(&app), ["ada@example.com"], "bob is not mentioned any more");
    for user in ["x1", "x2", "x3", "x4"] {
        assert_eq!(inbox(&app, user).await, 0, "{user}");
    }
    assert_eq!(inbox(&app, "ada").await, 1);
}

#[tokio::test]
async fn a_group_that_an_end_user_mentions_is_mailed_to_its_members() {
    let app = start().await;
    let group = json!({ "organizationId": "acme", "organizationUserGroups": [
        { "groupId": "team", "groupName": "Team" },
    ] });
    app.call("user-groups.add", group).await.ok();
    let members = json!({
        "organizationId": "acme", "organizationUserGroupId": "team", "userIds": ["cy"],
    });
    app.call("user-groups.users_add", members).await.ok();
    begin(&app, "t", json!([{ "userId": "team" }]), LINK).await;
    assert_eq!(taken(&app), ["cy@example.com"]);
}

#[tokio::test]
async fn a_mentioned_user_with_a_right_and_no_membership_is_notified_and_not_mailed() {
    let app = start().await;
    let right = json!({ "user": { "userId": "x1" }, "permissions": { "resources": [
        { "type": "document", "id": "d", "organizationId": "acme" },
    ] } });
    app.call("permissions.add", right).await.ok();
    begin(&app, "t", json!([stranger("x1")]), LINK).await;
    assert_eq!(taken(&app), Vec::<String>::new());
    assert_eq!(inbox(&app, "x1").await, 1, "the tenant let them in");
}

#[tokio::test]
async fn the_address_in_a_mention_by_the_server_is_used_and_end_users_cannot_change_it() {
    let app = start().await;
    let first = begin_by_server(&app, "t", json!([stranger("x1")]), LINK).await;
    assert_eq!(taken(&app), ["x1@victims.example.net"]);
    // An address that an end user gives for the same person changes nothing.
    let ada = token(&app, "ada", json!([])).await;
    let other =
        json!({ "userId": "x1", "contact": { "userId": "x1", "email": "x@other.example" } });
    let later = mention_later(first, json!([other, stranger("x2")]));
    app.caller().end_user(&ada).call("comments.update", later).await.ok();
    app.settle().await;
    app.embedded().forget_mails();
    reply(&app, "d", "t", "ada", "Later.").await;
    app.settle().await;
    assert_eq!(taken(&app), ["x1@victims.example.net"]);
    // A mention that the server adds to an end user's comment counts.
    app.call("comments.update", mention_later(first, json!([stranger("x3")]))).await.ok();
    wait(&app, 1).await;
    app.embedded().forget_mails();
    reply(&app, "d", "t", "ada", "Once more.").await;
    app.settle().await;
    assert_eq!(taken(&app), ["x3@victims.example.net"]);
}

#[tokio::test]
async fn mentions_stored_by_an_earlier_version_are_mailed_only_to_members() {
    let app = start().await;
    let named = json!([stranger("x1"), { "userId": "bob" }]);
    let first = begin_by_server(&app, "t", named, LINK).await;
    app.embedded().forget_mails();
    make_old(&app).await;
    reply(&app, "d", "t", "cy", "Later.").await;
    app.settle().await;
    let all = mails(&app);
    assert!(all.iter().all(|mail| !mail.raw.contains("evil.example.net")), "{all:?}");
    assert_eq!(taken(&app), ["ada@example.com", "bob@example.com"]);
    assert_eq!(inbox(&app, "x1").await, 1, "of the time before");
    // A mention by the server in the old thread counts again.
    app.call("comments.update", mention_later(first, json!([stranger("x5")]))).await.ok();
    wait(&app, 1).await;
    app.embedded().forget_mails();
    reply(&app, "d", "t", "ada", "Once more.").await;
    app.settle().await;
    assert_eq!(taken(&app), ["cy@example.com", "x5@victims.example.net"]);
}

#[tokio::test]
async fn a_mail_keeps_a_link_of_the_server_and_an_end_users_link_only_to_domains_of_the_key() {
    let domains = json!({ "domains": ["*.example.com", "notes.example.org"] });
    for (page, is_link) in [
        ("https://app.example.com/d?t=1", true),
        ("http://notes.example.org:8080/d", true),
        (LINK, false),
        ("https://app.example.com.evil.net/d", false),
        ("https://app.example.com@evil.net/d", false),
        ("https://app.example.com/ https://evil.net/", false),
        ("javascript://app.example.com/%0aalert(1)", false),
    ] {
        let app = start().await;
        begin(&app, "t", json!([{ "userId": "bob" }]), page).await;
        let mail = only_mail(&app);
        assert!(!mail.raw.contains("evil") && !mail.text.contains(page), "{page}: {}", mail.text);
        app.call("workspace.domains_add", domains.clone()).await.ok();
        app.embedded().forget_mails();
        begin(&app, "u", json!([{ "userId": "bob" }]), page).await;
        assert_eq!(only_mail(&app).text.contains(page), is_link, "{page}");
    }
    let app = start().await;
    begin_by_server(&app, "t", json!([{ "userId": "bob" }]), LINK).await;
    assert!(only_mail(&app).text.contains(LINK), "the server may link to anything");
}

#[tokio::test]
async fn a_document_with_a_url_of_its_own_is_linked_there() {
    let app = start().await;
    let url = "https://app.example.com/plan";
    let document = json!({ "organizationId": "acme", "documents": [
        { "documentId": "d", "documentName": "Plan", "url": url },
    ] });
    app.call("documents.update", document).await.ok();
    begin(&app, "t", json!([{ "userId": "bob" }]), LINK).await;
    let mail = only_mail(&app);
    assert!(mail.text.contains(url) && !mail.raw.contains("evil"), "{}", mail.text);
}

#[tokio::test]
async fn an_end_user_uses_a_tenth_and_all_end_users_nine_tenths_of_the_daily_mails() {
    let app = start().await;
    let limits = json!({ "apiKey": app.key.api_key, "mailsPerDay": 20 });
    app.call("operator.api_key_limits_update", limits).await.ok();
    wait(&app, 11).await;
    let bob = json!([{ "userId": "bob" }]);
    for n in 0..4 {
        begin(&app, &format!("t{n}"), bob.clone(), LINK).await;
    }
    assert_eq!(taken(&app).len(), 2);
    assert_eq!(inbox(&app, "bob").await, 4);
    // Eight others take what end users may take together.
    for n in 0..9 {
        let user = token(&app, &format!("u{n}"), json!([])).await;
        for id in ["a", "b"] {
            let begun = thread(&format!("{id}{n}"), json!([{ "userId": "cy" }]), LINK);
            app.caller().end_user(&user).call("comments.annotations_add", begun).await.ok();
            app.settle().await;
        }
    }
    assert_eq!(taken(&app).len(), 16);
    for n in 0..3 {
        begin_by_server(&app, &format!("s{n}"), bob.clone(), LINK).await;
    }
    assert_eq!(taken(&app).len(), 2, "the last two are the server's");
}

/// Users `m0`, `m1`, … with one address; returns a mention of all.
async fn with_one_address(app: &App, count: usize) -> Value {
    for n in 0..count {
        let email = if n % 2 == 0 { "team@example.com" } else { "Team@Example.com" };
        add_user(app, &format!("m{n}"), "Team", email).await;
    }
    (0..count).map(|n| json!({ "userId": format!("m{n}") })).collect()
}

#[tokio::test]
async fn the_hourly_limit_of_mails_is_counted_by_address_across_users() {
    let app = start().await;
    let team = with_one_address(&app, 45).await;
    begin_by_server(&app, "t", team, LINK).await;
    assert_eq!(taken(&app).len(), 21);
    begin_by_server(&app, "u", json!([{ "userId": "bob" }]), LINK).await;
    assert_eq!(taken(&app), ["bob@example.com"]);
    wait(&app, 3000).await;
    assert_eq!(taken(&app).len(), 0);
    wait(&app, 700).await;
    assert_eq!(taken(&app).len(), 21);
    wait(&app, 3600).await;
    assert_eq!(taken(&app).len(), 3);
}

#[tokio::test]
async fn one_click_unsubscribes_every_user_with_that_address() {
    let app = start().await;
    configure(&app, json!({ "useEmailService": true })).await;
    let team = with_one_address(&app, 2).await;
    begin_by_server(&app, "t", team.clone(), LINK).await;
    let link = mails(&app)[0].unsubscribe(&app);
    assert_eq!(taken(&app).len(), 2);
    assert_eq!(super::post(&app, &link, super::ONE_CLICK).await.status(), 200);
    begin_by_server(&app, "u", team, LINK).await;
    assert_eq!(taken(&app).len(), 0);
    // Both have the preference now, which each can change.
    for user in ["m0", "m1"] {
        let sent = json!({ "organizationId": "acme", "userId": user, "documentIds": ["d"] });
        let config = app.call("notifications.config_get", sent).await.data();
        assert_eq!(config[0]["config"]["email"], "NONE", "{user}");
    }
    super::prefer(&app, "m1", Some("d"), "MINE").await;
    begin_by_server(&app, "v", json!([{ "userId": "m0" }, { "userId": "m1" }]), LINK).await;
    assert_eq!(taken(&app).len(), 1);
}
