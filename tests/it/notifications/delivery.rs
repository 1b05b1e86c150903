//! Events become notifications (rules N1, N2, N4, N5, N13, N14, N19).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::scene::{
    change, comment, configure, configure_mail, counts, delivered, fates, headline, inbox, prefer,
    recipients, reply, say, start, thread, told_of, trace, wait, work,
};

#[tokio::test]
async fn a_comment_is_a_notification_for_everybody_but_its_author() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["ada", "bob", "cy", "eve"]).await, [0, 1, 1, 1]);
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(headline(&it), "Ada commented in Plan");
    assert_eq!(it["displayBodyMessage"], "text of t");
    assert_eq!(it["notificationSource"], "comment");
    assert_eq!(it["notificationSourceData"]["annotationId"], "t");
    assert_eq!(it["notificationSourceData"]["actionType"], "comment_annotation.add");
    assert_eq!(it["targetAnnotationId"], "t");
    assert_eq!(it["notifyUsers"], json!({ "bob": true }), "for nobody else");
    assert_eq!(it["actionUser"]["userId"], "ada");
    assert_eq!(it["metadata"]["documentId"], "d");
    assert_eq!(it["metadata"]["organizationId"], "acme");
    assert!(it["timestamp"].as_u64().is_some_and(|at| at <= app.now()));
}

#[tokio::test]
async fn n2_a_comment_notifies_only_if_it_asks_for_it_and_service_and_trigger_are_on() {
    let app = start().await;
    let silent = json!({ "triggerNotification": false });
    thread(&app, "d", "silent", comment("ada", "x", silent), json!({})).await;
    configure(&app, json!({ "useNotificationService": false })).await;
    say(&app, "d", "off", "ada").await;
    let off = json!({ "comment": { "newlyAdded": false } });
    let sent = json!({
        "useNotificationService": true, "notificationServiceConfig": { "triggers": off },
    });
    configure(&app, sent).await;
    say(&app, "d", "no-trigger", "ada").await;
    reply(&app, "d", "no-trigger", comment("ada", "y", json!({}))).await;
    app.settle().await;
    let [only] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(headline(&only), "Ada replied in Plan");
    assert_eq!(recipients(&app), 3, "nothing else is stored (rule N4)");
}

#[tokio::test]
async fn n2_the_configuration_at_the_time_of_the_event_counts() {
    let app = start().await;
    let later = || app.advance(std::time::Duration::from_millis(1));
    say(&app, "d", "t", "ada").await;
    later();
    let off = json!({ "comment": { "newlyAdded": false } });
    configure(&app, json!({ "notificationServiceConfig": { "triggers": off } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob"]).await, [1], "the trigger was on then");
    later();
    say(&app, "d", "s", "ada").await;
    later();
    let on = json!({ "comment": { "newlyAdded": true } });
    configure(&app, json!({ "notificationServiceConfig": { "triggers": on } })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob"]).await, [1], "it was off then");
}

#[tokio::test]
async fn every_kind_of_event_has_a_headline_of_its_own() {
    let app = start().await;
    let mention = json!({ "taggedUserContacts": [{ "userId": "bob" }] });
    thread(&app, "d", "t", comment("ada", "hello {{bob}}", mention), json!({})).await;
    let number = reply(&app, "d", "t", comment("ada", "more", json!({}))).await;
    change(
        &app,
        "d",
        "t",
        json!({ "assignedTo": { "userId": "bob" }, "from": { "userId": "ada" } }),
    )
    .await;
    change(
        &app,
        "d",
        "t",
        json!({ "status": { "id": "RESOLVED" }, "statusUpdatedByUserId": "cy" }),
    )
    .await;
    change(&app, "d", "t", json!({ "priority": { "id": "P1" } })).await;
    let reaction = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentId": number,
        "icon": "HEART", "from": { "userId": "eve" }, "triggerNotification": true,
    });
    app.call("comments.reactions_add", reaction).await.ok();
    app.settle().await;
    let mut said: Vec<String> = inbox(&app, "bob").await.iter().map(headline).collect();
    said.sort();
    assert_eq!(
        said,
        [
            "Ada assigned you a thread in Plan",
            "Ada mentioned you in Plan",
            "Ada replied in Plan",
            "Cy changed the status to Resolved in Plan",
            "Eve reacted HEART in Plan",
            "Somebody changed the priority to P1 in Plan",
        ]
    );
    let with_name = inbox(&app, "bob").await;
    let is_mention = |it: &&Value| headline(it) == "Ada mentioned you in Plan";
    let first = with_name.iter().find(is_mention).unwrap();
    assert_eq!(first["displayBodyMessage"], "hello @Bob", "a mention is a name");
}

#[tokio::test]
async fn n5_an_event_offered_to_the_worker_again_is_delivered_once() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let offers = told_of(&app);
    for _ in 0..2 {
        for id in &offers {
            let message = json!({ "offer": { "organizationId": "acme", "eventId": id } });
            let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
            let record = json!({ "messageId": id, "body": body });
            let event = json!({ "Records": [record.clone(), record] });
            let answer = app.stack().run_worker("notifications.deliver", event).await.unwrap();
            assert_eq!(answer, json!({ "batchItemFailures": [] }));
        }
        wait(&app, 120).await;
    }
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [1, 1, 1]);
    assert_eq!(delivered(&app).len(), 3);
    // Not even when the reader has deleted it meanwhile.
    let id = inbox(&app, "bob").await[0]["id"].clone();
    let gone = json!({ "organizationId": "acme", "notificationIds": [id] });
    app.call("notifications.delete", gone).await.ok();
    wait(&app, 13 * 86_400).await;
    assert_eq!(counts(&app, ["bob"]).await, [0]);
}

#[tokio::test]
async fn n4_a_user_who_muted_inbox_and_mail_is_not_recorded_and_unmuting_brings_nothing_back() {
    let app = start().await;
    prefer(&app, "bob", None, json!({ "inbox": "NONE", "email": "NONE" })).await;
    super::scene::delay(&app, 60).await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    assert_eq!(recipients(&app), 2);
    prefer(&app, "bob", None, json!({ "inbox": "ALL" })).await;
    // Muting works at once.
    prefer(&app, "cy", Some("d"), json!({ "inbox": "NONE" })).await;
    wait(&app, 61).await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 1]);
    assert_eq!(fates(&app, "bob").await, [""; 0]);
    assert_eq!(fates(&app, "cy").await, ["inbox dropped muted"]);
}

#[tokio::test]
async fn preferences_at_the_time_of_the_event_count_when_it_is_processed_later() {
    let app = start().await;
    prefer(&app, "bob", None, json!({ "inbox": "NONE", "email": "NONE" })).await;
    prefer(&app, "cy", None, json!({ "inbox": "ALL", "email": "NONE" })).await;
    say(&app, "d", "t", "ada").await;
    app.advance(std::time::Duration::from_millis(1));
    // The event has not been processed yet.
    prefer(&app, "bob", None, json!({ "inbox": "ALL" })).await;
    prefer(&app, "cy", None, json!({ "email": "ALL" })).await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy"]).await, [0, 1]);
    say(&app, "d", "t2", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy"]).await, [1, 2]);
}

#[tokio::test]
async fn n16_a_mail_has_a_row_of_its_own_apart_from_the_inbox() {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    let mention = json!({ "taggedUserContacts": [{ "userId": "bob" }] });
    thread(&app, "d", "t", comment("ada", "x", mention), json!({})).await;
    app.settle().await;
    let mails = work(&app, "mail");
    assert_eq!(mails.len(), 1, "by mail only what is mine, unless wanted otherwise");
    let partition = mails[0]["PK"]["S"].as_str().unwrap();
    assert!(partition.ends_with("recipient#bob"), "{partition}");
    assert_eq!(counts(&app, ["bob", "cy"]).await, [1, 1]);
    // By mail alone.
    prefer(&app, "cy", None, json!({ "inbox": "NONE", "email": "ALL" })).await;
    app.advance(std::time::Duration::from_millis(1));
    say(&app, "d", "s", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["cy"]).await, [1]);
    assert_eq!(work(&app, "mail").len(), 2);
    let rows = trace(&app, json!({ "userId": "cy" })).await;
    assert_eq!(rows[0]["channel"], "email", "{rows:?}");
}

#[tokio::test]
async fn n19_a_delivery_has_the_id_of_the_notification_in_the_inbox_of_its_recipient() {
    let app = start().await;
    say(&app, "d", "t", "ada").await;
    app.settle().await;
    let mut expected = BTreeSet::new();
    for user in ["bob", "cy", "eve"] {
        let [it] = inbox(&app, user).await.try_into().unwrap();
        assert_eq!(it["notifyUsers"], json!({ user: true }), "each sees themselves");
        let recipient = &it["displayHeadlineMessageTemplateData"]["recipientUser"];
        assert_eq!(recipient["userId"], user);
        expected.insert((user.to_owned(), it["id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(delivered(&app), expected);
}

#[tokio::test]
async fn n13_a_comment_edited_during_the_delay_is_shown_with_its_new_text() {
    let app = start().await;
    super::scene::delay(&app, 60).await;
    thread(&app, "d", "t", comment("ada", "before", json!({ "commentId": 7 })), json!({})).await;
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "annotationId": "t", "commentIds": [7],
        "updatedData": { "commentText": "after" },
    });
    app.call("comments.update", sent).await.ok();
    wait(&app, 61).await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(it["displayBodyMessage"], "after");
}

/// A template whose values contain placeholders would grow to gigabytes if inserted values were
/// expanded again.
#[tokio::test]
async fn placeholders_in_a_mentioned_name_are_not_expanded_again() {
    let app = start().await;
    let mention = |id: &str, times| format!("{{{{{id}}}}}").repeat(times);
    let tagged = |id: &str, next: &str| json!({ "userId": id, "contact": { "userId": id, "name": mention(next, 150) } });
    let chain = ["k", "l", "m", "n", "o"];
    let tagged: Vec<Value> = chain.windows(2).map(|two| tagged(two[0], two[1])).collect();
    let bomb = comment("ada", &mention("k", 500), json!({ "taggedUserContacts": tagged }));
    thread(&app, "d", "t", bomb, json!({})).await;
    app.settle().await;
    let shown = inbox(&app, "bob").await[0]["displayBodyMessage"].as_str().unwrap().to_owned();
    assert_eq!(shown.chars().count(), 280);
    assert!(shown.starts_with("@{{l}}{{l}}") && shown.ends_with('…'), "{shown}");
}

#[tokio::test]
async fn names_and_other_texts_of_a_user_have_a_maximum_length() {
    let app = start().await;
    let members = ["name", "initial", "color", "textColor", "type", "plan"].map(|it| (it, 1000));
    for (member, most) in members.into_iter().chain([("photoUrl", 4000)]) {
        for (len, is_taken) in [(most, true), (most + 1, false)] {
            let person = json!({ "userId": "ada", member: "x".repeat(len) });
            let user = json!({ "organizationId": "acme", "users": [person] });
            let said = comment("ada", "x", json!({ "from": person }));
            let said = json!({
                "organizationId": "acme", "documentId": "d", "commentAnnotations": [
                    { "annotationId": format!("{member}-{len}"), "commentData": [said] },
                ],
            });
            for (operation, sent) in [("users.add", user), ("comments.annotations_add", said)] {
                let answer = app.call(operation, sent).await;
                match is_taken {
                    true => drop(answer.ok()),
                    false => drop(answer.error("INVALID_ARGUMENT")),
                }
            }
        }
    }
}

#[tokio::test]
async fn n4_inbox_and_mail_are_muted_separately_as_of_the_time_of_the_event() {
    let app = start().await;
    configure_mail(&app, json!({ "useEmailService": true })).await;
    prefer(&app, "bob", None, json!({ "inbox": "NONE" })).await;
    prefer(&app, "cy", Some("d"), json!({ "inbox": "NONE", "email": "NONE" })).await;
    say(&app, "d", "t", "ada").await;
    app.advance(std::time::Duration::from_millis(1));
    // The event has not been processed yet.
    prefer(&app, "bob", None, json!({ "inbox": "ALL" })).await;
    prefer(&app, "bob", None, json!({ "email": "NONE" })).await;
    prefer(&app, "bob", None, json!({ "email": "ALL", "chat": "ALL" })).await;
    for n in 0..5 {
        app.advance(std::time::Duration::from_secs(1));
        let wanted = if n % 2 == 0 { "ALL" } else { "NONE" };
        prefer(&app, "cy", Some("d"), json!({ "inbox": wanted, "email": "ALL" })).await;
    }
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy", "eve"]).await, [0, 0, 1], "muted then");
    assert_eq!(work(&app, "mail").len(), 0);
    say(&app, "d", "t2", "ada").await;
    app.settle().await;
    assert_eq!(counts(&app, ["bob", "cy"]).await, [1, 1]);
    assert_eq!(work(&app, "mail").len(), 2);
}
