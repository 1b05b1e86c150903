//! Recipients and content of mails.

use serde_json::{Value, json};

use super::{
    add_user, begin, configure, dropped, mails, mention, only_mail, prefer, recipients, reply,
    rows, start, state, wait,
};

#[tokio::test]
async fn a_mention_is_mailed_to_the_mentioned_user() {
    let app = start().await;
    let service = json!({ "fromCompany": "Acme", "fromEmail": "hello@acme.example" });
    configure(&app, json!({ "emailServiceConfig": service })).await;
    mention(&app, "d", "t", "Look at this, {{bob}}: a < b").await;
    app.settle().await;
    let mail = only_mail(&app);
    assert_eq!(mail.to, "bob@example.com");
    assert_eq!(mail.from.0, "Ada via Acme");
    assert_eq!(mail.from.1, "roundtable@localhost.localdomain");
    assert_eq!(mail.header("Reply-To").as_deref(), Some("<hello@acme.example>"));
    assert_eq!(mail.subject, "Comment thread in Plan");
    assert!(mail.text.contains("Ada mentioned you in Plan"), "{}", mail.text);
    assert!(mail.text.contains("Look at this, @Bob: a < b"), "{}", mail.text);
    assert!(mail.text.contains("https://app.example.com/d?t=t&x=1"), "{}", mail.text);
    assert!(mail.html.contains("Look at this, @Bob: a &#60; b"), "{}", mail.html);
    assert!(mail.text.contains("You get this because you were mentioned."), "{}", mail.text);
    let header = |name: &str| mail.header(name).unwrap_or_default();
    assert!(mail.unsubscribe(&app).starts_with("/u/test."), "{}", header("List-Unsubscribe"));
    assert_eq!(header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    assert_eq!(header("Auto-Submitted"), "auto-generated");
    assert_eq!(header("X-Service-Reason"), "mention");
    assert!(header("References").starts_with("<t."), "{}", header("References"));
    let sent = state(&app);
    assert_eq!((&sent["is"], &sent["messageId"]), (&json!("sent"), &json!(app.mails()[0].id)));
    let tags = &app.mails()[0];
    assert_eq!((tags.tag("k"), tags.tag("a")), (Some(app.key.api_key.as_str()), Some("1")));
    assert_eq!(tags.configuration_set.as_deref(), Some("roundtable-mail"));
    wait(&app, 24 * 3600).await;
    assert_eq!(app.mails().len(), 1);
}

#[tokio::test]
async fn a_mention_in_a_document_below_folders_is_mailed() {
    let app = start().await;
    for folder in
        [json!({ "folderId": "outer" }), json!({ "folderId": "inner", "parentFolderId": "outer" })]
    {
        let sent = json!({ "organizationId": "acme", "folders": [folder] });
        app.call("folders.add", sent).await.ok();
    }
    let documents = json!({
        "organizationId": "acme", "folderId": "inner", "documents": [{ "documentId": "deep" }],
    });
    app.call("documents.add", documents).await.ok();
    mention(&app, "deep", "t", "Look").await;
    app.settle().await;
    assert_eq!(only_mail(&app).to, "bob@example.com");
}

#[tokio::test]
async fn a_member_of_a_folder_is_mailed_at_the_address_of_that_membership() {
    let app = start().await;
    let sent = json!({ "organizationId": "acme", "folders": [{ "folderId": "f" }] });
    app.call("folders.add", sent).await.ok();
    let moved = json!({ "organizationId": "acme", "folderId": "f", "documentIds": ["d"] });
    app.call("documents.move_documents", moved).await.ok();
    let fay = json!({ "organizationId": "acme", "folderId": "f", "users": [
        { "userId": "fay", "name": "Fay", "email": "fay@example.com" },
    ] });
    app.call("users.add", fay).await.ok();
    begin(&app, ("d", "t"), "ada", "Look, {{fay}}", json!([{ "userId": "fay" }])).await;
    app.settle().await;
    let mail = only_mail(&app);
    assert_eq!(mail.to, "fay@example.com");
    assert!(mail.text.contains("Look, @Fay"), "{}", mail.text);
}

#[tokio::test]
async fn an_author_with_a_granted_right_is_named_in_mails() {
    let app = start().await;
    let right = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    let sent = json!({ "user": { "userId": "mia" }, "permissions": { "resources": [right] } });
    app.call("permissions.add", sent).await.ok();
    let comment = json!({
        "from": { "userId": "mia", "name": "Mia" }, "commentText": "Look", "triggerNotification": true,
        "taggedUserContacts": [{ "userId": "bob" }],
    });
    let sent = json!({ "organizationId": "acme", "documentId": "d", "commentAnnotations": [
        { "annotationId": "t", "commentData": [comment] },
    ] });
    app.call("comments.annotations_add", sent).await.ok();
    app.settle().await;
    let mail = only_mail(&app);
    assert_eq!(mail.from.0, "Mia via Notifications");
    assert!(mail.text.contains("Mia mentioned you in Plan"), "{}", mail.text);
}

#[tokio::test]
async fn replies_are_mails_of_one_conversation() {
    let app = start().await;
    begin(&app, ("d", "t"), "ada", "first", json!([])).await;
    app.settle().await;
    assert!(mails(&app).is_empty(), "nobody is concerned yet");
    reply(&app, "d", "t", "bob", "second").await;
    wait(&app, 1).await;
    reply(&app, "d", "t", "cy", "third").await;
    wait(&app, 1).await;
    assert_eq!(recipients(&app)[0], "ada@example.com");
    let mut later = recipients(&app)[1..].to_vec();
    later.sort();
    assert_eq!(later, ["ada@example.com", "bob@example.com"]);
    let mails = mails(&app);
    let of = |name: &str| mails.iter().map(|mail| mail.header(name)).collect::<Vec<_>>();
    let ids = of("Message-ID");
    for name in ["Subject", "References", "In-Reply-To", "Thread-Topic"] {
        let values = of(name);
        assert!(values[0].is_some() && values.iter().all(|it| *it == values[0]), "{values:?}");
    }
    assert!(ids[0] != ids[1] && ids[1] != ids[2], "{ids:?}");
    assert!(mails[0].text.contains("Bob replied in Plan"), "{}", mails[0].text);
    assert_eq!(mails[0].header("X-Service-Reason").as_deref(), Some("reply"));
    assert!(!mails[1].text.contains("second"), "{}", mails[1].text);
}

#[tokio::test]
async fn a_new_name_of_the_document_does_not_end_a_conversation() {
    let app = start().await;
    mention(&app, "d", "t", "first").await;
    app.settle().await;
    let document = json!({ "organizationId": "acme", "documents": [
        { "documentId": "d", "documentName": "Scheme" },
    ] });
    app.call("documents.update", document).await.ok();
    reply(&app, "d", "t", "cy", "second").await;
    app.settle().await;
    mention(&app, "d", "u", "another").await;
    app.settle().await;
    let all = mails(&app);
    let to_bob: Vec<_> = all.iter().filter(|mail| mail.to == "bob@example.com").collect();
    let [first, second, other] = to_bob.as_slice() else { panic!("{all:?}") };
    for name in ["Subject", "References", "In-Reply-To", "Thread-Topic"] {
        assert_eq!(first.header(name), second.header(name), "{name}");
    }
    assert_eq!(second.subject, "Comment thread in Plan");
    assert!(second.text.contains("Cy replied in Scheme"), "{}", second.text);
    assert_eq!(other.subject, "Comment thread in Scheme", "what begins now has the new name");
}

#[tokio::test]
async fn a_mail_to_a_subscriber_names_the_subscription_as_its_reason() {
    let app = start().await;
    begin(&app, ("d", "t"), "ada", "first", json!([{ "userId": "cy" }])).await;
    for user in ["ada", "bob", "cy"] {
        let sent = json!({
            "organizationId": "acme", "documentId": "d", "annotationId": "t",
            "user": { "userId": user },
        });
        app.call("comments.annotations_subscribe", sent).await.ok();
    }
    app.settle().await;
    app.embedded().forget_mails();
    add_user(&app, "dan", "Dan", "dan@example.com").await;
    reply(&app, "d", "t", "dan", "second").await;
    app.settle().await;
    let reasons: std::collections::BTreeMap<_, _> = mails(&app)
        .iter()
        .map(|mail| (mail.to.clone(), mail.header("X-Service-Reason").unwrap_or_default()))
        .collect();
    let reason = |user: &str| reasons[&format!("{user}@example.com")].as_str();
    assert_eq!((reason("ada"), reason("bob"), reason("cy")), ("reply", "subscribed", "reply"));
    let all = mails(&app);
    let mail = all.iter().find(|mail| mail.to == "bob@example.com").expect("a mail");
    assert!(mail.text.contains("because you subscribed to the thread."), "{}", mail.text);
}

async fn windows(app: &crate::app::App, window: &str, seconds: u64, max: u64) {
    let limits = json!({ "isEnabled": true, "batchWindowSeconds": seconds, "maxActivities": max });
    let sent = json!({ "notificationServiceConfig": { "batchConfig": { window: limits } } });
    app.call("configuration.notifications_update", sent).await.ok();
}

#[tokio::test]
async fn a_digest_is_mailed_as_one_mail_with_ten_texts() {
    let app = start().await;
    windows(&app, "document", 60, 20).await;
    for n in 1..=12 {
        mention(&app, "d", &format!("t{n:02}"), &format!("text {n:02}.")).await;
        wait(&app, 1).await;
    }
    assert!(mails(&app).is_empty());
    wait(&app, 60).await;
    let mail = only_mail(&app);
    assert_eq!(mail.subject, "12 new comments in Plan");
    assert!(mail.header("X-Entity-Ref-ID").is_some() && mail.header("References").is_none());
    let places: Vec<Option<usize>> =
        (1..=10).map(|n| mail.text.find(&format!("text {n:02}."))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", mail.text);
    assert!(!mail.text.contains("text 11."), "{}", mail.text);
    assert!(mail.text.contains("and 2 more"), "{}", mail.text);
}

#[tokio::test]
async fn a_digest_of_several_documents_is_grouped_by_them() {
    let app = start().await;
    windows(&app, "user", 60, 20).await;
    for (document, thread) in [("e", "t1"), ("d", "t2"), ("e", "t3")] {
        mention(&app, document, thread, &format!("in {thread}.")).await;
        wait(&app, 1).await;
    }
    wait(&app, 60).await;
    let mail = only_mail(&app);
    assert_eq!(mail.subject, "3 new comments in 2 documents");
    let place = |text: &str| mail.text.find(text).unwrap_or_else(|| panic!("{}", mail.text));
    assert!(place("in t1.") < place("in t3.") && place("in t3.") < place("in t2."));
}

#[tokio::test]
async fn a_mail_has_edited_texts_and_omits_deleted_comments_as_of_the_time_of_sending() {
    let app = start().await;
    windows(&app, "document", 60, 20).await;
    begin(&app, ("d", "t"), "bob", "first", json!([])).await;
    let edited = reply(&app, "d", "t", "ada", "old text").await;
    let deleted = reply(&app, "d", "t", "ada", "never said").await;
    wait(&app, 1).await;
    app.fault(embedded::Fault {
        operation: "SendEmail".to_owned(),
        skip: 0,
        times: 1,
        effect: embedded::Effect::Throttle,
    });
    app.advance(std::time::Duration::from_secs(60));
    app.tick().await;
    app.settle().await;
    assert_eq!(state(&app)["is"], "waiting");
    let whose = |comment: u64| {
        json!({
            "organizationId": "acme", "documentId": "d", "annotationId": "t",
            "commentIds": [comment],
        })
    };
    let mut update = whose(edited);
    update["updatedData"] = json!({ "commentText": "new text" });
    app.call("comments.update", update).await.ok();
    app.call("comments.delete", whose(deleted)).await.ok();
    wait(&app, 5).await;
    let mail = only_mail(&app);
    assert!(mail.text.contains("new text") && !mail.text.contains("old text"), "{}", mail.text);
    assert!(!mail.text.contains("never said"), "{}", mail.text);
    let rows = rows(&app, "mail");
    let withheld = rows[0]["withheld"].as_object().expect("what was left out");
    assert_eq!(withheld.values().collect::<Vec<_>>(), ["deleted"]);
}

#[tokio::test]
async fn a_mail_follows_the_preference_of_the_user() {
    let app = start().await;
    let text = |n: usize| format!("t{n}");
    for (n, (wanted, is_notified)) in
        [("NONE", [false, false]), ("MINE", [true, false]), ("ALL", [true, true])]
            .into_iter()
            .enumerate()
    {
        prefer(&app, "bob", Some("d"), wanted).await;
        mention(&app, "d", &text(2 * n), "for bob").await;
        begin(&app, ("d", &text(2 * n + 1)), "ada", "for nobody", json!([])).await;
        app.settle().await;
        let mailed = recipients(&app);
        let wanted_mails = is_notified.iter().filter(|is_notified| **is_notified).count();
        assert_eq!(mailed, vec!["bob@example.com"; wanted_mails], "{wanted}");
        app.embedded().forget_mails();
    }
}

#[tokio::test]
async fn names_and_texts_are_escaped_in_a_mail() {
    let app = start().await;
    let name = "Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u{202E}";
    add_user(&app, "eve", name, "eve@example.com").await;
    let document = json!({ "organizationId": "acme", "documents": [
        { "documentId": "d", "documentName": "=?utf-8?q?Plan=0D=0ABcc:_x@evil.test?= <b>" },
    ] });
    app.call("documents.update", document).await.ok();
    let text = "<img src=x onerror=alert(1)>\r\n.\r\nQUIT\r\n\0";
    begin(&app, ("d", "t"), "eve", text, json!([{ "userId": "bob" }])).await;
    app.settle().await;
    let mail = only_mail(&app);
    assert_eq!(mail.to, "bob@example.com");
    assert_eq!(mail.header("Bcc"), None);
    assert!(!mail.raw.contains("\nBcc:"), "{}", mail.raw);
    assert!(mail.from.0.starts_with("Eve Bcc: victim@example.com"), "{:?}", mail.from);
    assert!(!mail.html.contains("<script>") && !mail.html.contains("<img"), "{}", mail.html);
    assert!(!mail.html.contains("<b>Plan"), "{}", mail.html);
    assert!(mail.html.contains("&#60;img src=x"), "{}", mail.html);
}

#[tokio::test]
async fn a_custom_notification_is_mailed_with_its_own_headline_and_body() {
    let app = start().await;
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "notifyAll": false,
        "actionUser": { "userId": "ada", "name": "Ada" }, "notifyUsers": [{ "userId": "bob" }],
        "displayHeadlineMessageTemplate": "{actionUser} released {version}",
        "displayHeadlineMessageTemplateData": { "version": "1.2" },
        "displayBodyMessage": "It is <b>out</b>.",
    });
    app.call("notifications.add", sent).await.ok();
    app.settle().await;
    let mail = only_mail(&app);
    assert_eq!(mail.subject, "Ada released 1.2");
    assert!(mail.text.contains("It is <b>out</b>."), "{}", mail.text);
    assert!(!mail.html.contains("<b>out"), "{}", mail.html);
    assert_eq!(mail.header("X-Service-Reason").as_deref(), Some("custom"));
}

#[tokio::test]
async fn a_dropped_mail_has_its_reason_in_the_trace() {
    let app = start().await;
    let user = json!({ "userId": "dan", "name": "Dan" });
    app.call("users.add", json!({ "organizationId": "acme", "users": [user] })).await.ok();
    begin(&app, ("d", "t"), "ada", "x", json!([{ "userId": "dan" }])).await;
    app.settle().await;
    assert_eq!(dropped(&app), ["no_address"]);
    add_user(&app, "lea", "Lea", "lea@localhost").await;
    begin(&app, ("d", "s"), "ada", "x", json!([{ "userId": "lea" }])).await;
    app.settle().await;
    assert_eq!(dropped(&app), ["no_address"; 2], "an address that no mail can go to is none");
    add_user(&app, "fay", "Fay", "fäy@example.com").await;
    begin(&app, ("d", "u"), "ada", "x", json!([{ "userId": "fay" }])).await;
    app.settle().await;
    assert!(dropped(&app).contains(&"unsendable".to_owned()), "{:?}", dropped(&app));
    assert!(mails(&app).is_empty());
    let rows: Vec<Value> = rows(&app, "mail");
    assert!(rows.iter().all(|row| row["attempts"] == 0), "{rows:?}");
}

#[tokio::test]
async fn a_waiting_mail_is_dropped_when_the_email_service_is_switched_off() {
    let app = start().await;
    app.fault(embedded::Fault {
        operation: "SendEmail".to_owned(),
        skip: 0,
        times: 1,
        effect: embedded::Effect::Throttle,
    });
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    configure(&app, json!({ "useEmailService": false })).await;
    wait(&app, 5).await;
    assert_eq!(dropped(&app), ["service_off"]);
    assert!(mails(&app).is_empty());
}
