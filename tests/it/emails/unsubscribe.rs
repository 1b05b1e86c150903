//! The unsubscribe link: RFC 8058, and its page.

use embedded::{Effect, Fault};
use serde_json::{Value, json};

use super::{
    ONE_CLICK, add_user, begin, dropped, mails, mention, only_mail, post, prefer, recipients,
    start, wait,
};
use crate::app::App;

async fn open(app: &App, path: &str) -> (u16, String) {
    let reply = reqwest::get(format!("{}{path}", app.base)).await.expect("an answer");
    let status = reply.status().as_u16();
    assert!(reply.headers().get("set-cookie").is_none());
    let policy = reply.headers()["content-security-policy"].to_str().expect("a text").to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert_eq!(reply.headers()["content-type"], "text/html; charset=utf-8");
    assert_eq!(reply.headers()["cache-control"], "no-store");
    assert_eq!(reply.headers()["referrer-policy"], "no-referrer");
    (status, reply.text().await.expect("a text"))
}

/// The mail preference of `bob` for a document.
async fn wanted(app: &App, document: &str) -> Value {
    let sent = json!({ "organizationId": "acme", "userId": "bob", "documentIds": [document] });
    let data = app.call("notifications.config_get", sent).await.data();
    let found = data.as_array().and_then(|all| all.first()).cloned().unwrap_or(data);
    found["config"]["email"].clone()
}

#[tokio::test]
async fn one_click_ends_the_mails_about_a_document() {
    let app = start().await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    let (status, page) = open(&app, &link).await;
    assert_eq!(status, 200);
    assert!(page.contains("no more mails about Plan?") && page.contains("<form"), "{page}");
    assert!(!page.contains("<script") && !page.contains("bob"), "{page}");
    assert_eq!(wanted(&app, "d").await, "MINE", "a scanner opens links, too");

    for _ in 0..2 {
        let reply = post(&app, &link, ONE_CLICK).await;
        assert_eq!(reply.status(), 200);
        assert!(reply.text().contains("no more mails about Plan."), "{}", reply.text());
        assert_eq!((reply.header("set-cookie"), reply.header("location")), (None, None));
        assert_eq!(wanted(&app, "d").await, "NONE");
    }
    mention(&app, "d", "u", "y").await;
    mention(&app, "e", "v", "z").await;
    app.settle().await;
    let mails = mails(&app);
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[1].subject, "Comment thread in Map", "other documents go on");
}

#[tokio::test]
async fn a_multipart_form_unsubscribes_like_a_one_click_form() {
    let app = start().await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    let form = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\n\
        One-Click\r\n--b--\r\n";
    let kind = [("content-type", "multipart/form-data; boundary=b")];
    assert_eq!(app.send(&link, form, &kind).await.status(), 200);
    assert_eq!(wanted(&app, "d").await, "NONE");
}

#[tokio::test]
async fn one_click_drops_a_mail_that_waits_to_be_sent() {
    let app = start().await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    let effect = Effect::Throttle;
    app.fault(Fault { operation: "SendEmail".to_owned(), skip: 0, times: 1, effect });
    mention(&app, "d", "u", "y").await;
    app.settle().await;
    assert_eq!(app.mails().len(), 1);
    assert_eq!(post(&app, &link, ONE_CLICK).await.status(), 200);
    wait(&app, 10).await;
    assert_eq!((app.mails().len(), dropped(&app)), (1, vec!["muted".to_owned()]));
}

#[tokio::test]
async fn a_mail_about_several_documents_ends_all_of_them() {
    let app = start().await;
    let limits = json!({ "isEnabled": true, "batchWindowSeconds": 60, "maxActivities": 20 });
    let sent = json!({ "notificationServiceConfig": { "batchConfig": { "user": limits } } });
    app.call("configuration.notifications_update", sent).await.ok();
    prefer(&app, "bob", Some("e"), "ALL").await;
    mention(&app, "d", "t", "x").await;
    mention(&app, "e", "u", "x").await;
    wait(&app, 60).await;
    let link = only_mail(&app).unsubscribe(&app);
    let (_, page) = open(&app, &link).await;
    assert!(page.contains("Do you want no more mails?"), "{page}");
    let reply = post(&app, &link, ONE_CLICK).await;
    assert!(reply.text().contains("You will get no more mails."), "{}", reply.text());
    assert_eq!((wanted(&app, "d").await, wanted(&app, "e").await), (json!("NONE"), json!("NONE")));
    begin(&app, ("e", "v"), "ada", "x", json!([{ "userId": "bob" }, { "userId": "cy" }])).await;
    wait(&app, 60).await;
    assert_eq!(recipients(&app)[1..], ["cy@example.com"]);
}

#[tokio::test]
async fn an_invalid_unsubscribe_link_shows_and_changes_nothing() {
    let app = start().await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    let middle = link.len() / 2;
    let other = if &link[middle..=middle] == "A" { "B" } else { "A" };
    let altered = format!("{}{other}{}", &link[..middle], &link[middle + 1..]);
    for path in ["/u/x", "/u/test.x.y", altered.as_str(), &format!("/u/{}", "x".repeat(5000))] {
        let (status, page) = open(&app, path).await;
        assert_eq!(status, 404, "{path}");
        assert!(page.contains("Nothing here"), "{page}");
        assert_eq!(post(&app, path, ONE_CLICK).await.status(), 404, "{path}");
    }
    for path in ["/u", "/u/", "/u/a/b"] {
        assert_eq!(post(&app, path, ONE_CLICK).await.error("NOT_FOUND")["code"], Value::Null);
    }
    for form in ["", "List-Unsubscribe=", "One-Click", "%00\u{ff}"] {
        let reply = post(&app, &link, form).await;
        assert_eq!(reply.status(), 200);
        assert!(reply.text().contains("<form"), "the page, and nothing done: {form}");
    }
    assert_eq!(wanted(&app, "d").await, "MINE");
}

#[tokio::test]
async fn an_unsubscribe_link_of_a_deleted_organization_is_not_found() {
    let app = start().await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    let gone = json!({ "organizationIds": ["acme"] });
    app.call("organizations.delete", gone).await.ok();
    assert_eq!(post(&app, &link, ONE_CLICK).await.status(), 404);
}

#[tokio::test]
async fn a_document_name_is_escaped_on_the_unsubscribe_page() {
    let app = start().await;
    let name = "<script>alert('1')</script>{name}&amp;\"";
    let document = json!({ "organizationId": "acme", "documents": [
        { "documentId": "d", "documentName": name },
    ] });
    app.call("documents.update", document).await.ok();
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let (_, page) = open(&app, &only_mail(&app).unsubscribe(&app)).await;
    let shown = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;{name}&amp;amp;&quot;";
    assert!(page.contains(shown), "{page}");
}

#[tokio::test]
async fn an_unsubscribe_page_that_fails_asks_to_try_again_and_its_token_is_not_logged() {
    let app = start().await;
    add_user(&app, "bob", "Bob", "bob@example.com").await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let link = only_mail(&app).unsubscribe(&app);
    app.fail_writes();
    let reply = post(&app, &link, ONE_CLICK).await;
    assert_eq!(reply.status(), 503);
    assert!(reply.text().contains("try again"), "{}", reply.text());
    app.embedded().clear_faults();
    assert_eq!(post(&app, &link, ONE_CLICK).await.status(), 200);
    let token = link.strip_prefix("/u/").expect("a token");
    assert!(!crate::app::logged().contains(token), "a token was logged");
}
