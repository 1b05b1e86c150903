//! Mails, from the event to the mailbox.

mod end_users;
mod failures;
mod feedback;
mod provider;
mod send;
mod throttle;
mod unsubscribe;

use std::time::Duration;

use mail_parser::{MessageParser, MimeHeaders};
use serde_json::{Value, json};
use service::Table;

use crate::app::{App, Reply};

/// A deployment with the organization `acme`, its users `ada`, `bob` and `cy`, and the documents
/// `d` (Plan) and `e` (Map); notifications and mails are on.
pub(crate) async fn start() -> App {
    fill(App::start().await).await
}

async fn fill(app: App) -> App {
    let documents = json!({
        "organizationId": "acme", "createOrganization": true, "documents": [
            { "documentId": "d", "documentName": "Plan" },
            { "documentId": "e", "documentName": "Map" },
        ],
    });
    app.call("documents.add", documents).await.ok();
    for id in ["ada", "bob", "cy"] {
        let name = format!("{}{}", id[..1].to_uppercase(), &id[1..]);
        add_user(&app, id, &name, &format!("{id}@example.com")).await;
    }
    set_up(&app).await;
    app
}

/// Enables notifications and mails.
pub(crate) async fn set_up(app: &App) {
    let on = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", on).await.ok();
    configure(app, json!({ "useEmailService": true })).await;
}

async fn add_user(app: &App, id: &str, name: &str, email: &str) {
    let user = json!({ "userId": id, "name": name, "email": email });
    app.call("users.add", json!({ "organizationId": "acme", "users": [user] })).await.ok();
}

async fn configure(app: &App, members: Value) {
    app.call("configuration.email_update", members).await.ok();
}

/// `ada` begins a thread of one comment in which `bob` is mentioned.
pub(crate) async fn mention(app: &App, document: &str, thread: &str, text: &str) {
    begin(app, (document, thread), "ada", text, json!([{ "userId": "bob" }])).await;
}

/// A user adds a thread of one comment.
async fn begin(app: &App, at: (&str, &str), user: &str, text: &str, mentioned: Value) {
    let (document, thread) = at;
    let comment = json!({
        "from": { "userId": user }, "commentText": text, "triggerNotification": true,
        "taggedUserContacts": mentioned,
    });
    let page = json!({ "url": format!("https://app.example.com/{document}?t={thread}&x=1") });
    let sent = json!({
        "organizationId": "acme", "documentId": document, "commentAnnotations": [
            { "annotationId": thread, "commentData": [comment], "pageInfo": page },
        ],
    });
    let data = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(data[thread]["success"], true, "{data}");
}

/// A user comments in a thread; returns the number of the comment.
async fn reply(app: &App, document: &str, thread: &str, user: &str, text: &str) -> u64 {
    let comment = json!({
        "from": { "userId": user }, "commentText": text, "triggerNotification": true,
    });
    let sent = json!({
        "organizationId": "acme", "documentId": document, "annotationId": thread,
        "commentData": [comment],
    });
    app.call("comments.add", sent).await.data()[0].as_u64().expect("a number")
}

/// Sets a user's mail preference, for a document or the organization.
async fn prefer(app: &App, user: &str, document: Option<&str>, email: &str) {
    let config = json!({ "email": email });
    let mut sent = json!({ "organizationId": "acme", "userIds": [user], "config": config });
    if let Some(document) = document {
        sent["documentIds"] = json!([document]);
    }
    app.call("notifications.config_set", sent).await.ok();
}

/// Advances the clock, and runs due work.
pub(crate) async fn wait(app: &App, seconds: u64) {
    app.settle().await;
    app.advance(Duration::from_secs(seconds));
    app.tick().await;
    app.settle().await;
}

/// A mail as its recipient sees it.
#[derive(Debug)]
pub(crate) struct Received {
    to: String,
    from: (String, String),
    subject: String,
    text: String,
    html: String,
    raw: String,
}

impl Received {
    fn of(mail: &embedded::SentMail) -> Self {
        let parsed = MessageParser::default().parse(&mail.raw).expect("a mail");
        let from = parsed.from().and_then(|from| from.first()).expect("a sender");
        let part = |n: usize, kind: &str| {
            let part = parsed.parts.get(n).expect("a part");
            assert!(part.is_content_type("text", kind), "{part:?}");
            part.text_contents().expect("a text").to_owned()
        };
        Self {
            to: mail.to.join(","),
            from: (
                from.name().unwrap_or_default().to_owned(),
                from.address().unwrap_or_default().to_owned(),
            ),
            subject: parsed.subject().unwrap_or_default().to_owned(),
            text: part(1, "plain"),
            html: part(2, "html"),
            raw: String::from_utf8(mail.raw.clone()).expect("ASCII"),
        }
    }

    /// A raw header, unfolded.
    fn header(&self, name: &str) -> Option<String> {
        let head = self.raw.split("\r\n\r\n").next().unwrap_or_default();
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let start = format!("{name}: ");
        head.lines().find_map(|line| line.strip_prefix(&start)).map(|text| text.trim().to_owned())
    }

    /// The path of the unsubscribe link.
    pub(crate) fn unsubscribe(&self, app: &App) -> String {
        let header = self.header("List-Unsubscribe").expect("a link");
        let url = header.trim_matches(['<', '>']).replace(' ', "");
        url.strip_prefix(&app.base).expect("a link to this deployment").to_owned()
    }
}

/// The mails that were sent so far, oldest first.
fn mails(app: &App) -> Vec<Received> {
    app.mails().iter().map(Received::of).collect()
}

/// Recipients of all mails so far.
fn recipients(app: &App) -> Vec<String> {
    mails(app).into_iter().map(|mail| mail.to).collect()
}

/// The only mail that was sent so far.
pub(crate) fn only_mail(app: &App) -> Received {
    let mails = mails(app);
    let [mail] = <[Received; 1]>::try_from(mails).expect("one mail");
    mail
}

/// The rows of a kind, whatever their keys.
fn rows(app: &App, kind: &str) -> Vec<Value> {
    let items = app.items_of(Table::Schedule, &app.key);
    let is_kind = |item: &Value| {
        let sort = item["SK"]["S"].as_str().unwrap_or_default();
        sort == kind || sort.starts_with(&format!("{kind}#"))
    };
    let body = |item: Value| serde_json::from_str(item["body"]["S"].as_str().expect("a body"));
    items.into_iter().filter(is_kind).map(|item| body(item).expect("JSON")).collect()
}

/// The state of the only row of a mail.
fn state(app: &App) -> Value {
    let rows = rows(app, "mail");
    let [row] = <[Value; 1]>::try_from(rows).expect("one row");
    row["state"].clone()
}

/// The hint for the only mail, in the format of its queue.
pub(crate) fn wake(app: &App) -> Value {
    let items = app.items_of(Table::Schedule, &app.key);
    let own =
        |item: &&Value| item["SK"]["S"].as_str().is_some_and(|sort| sort.starts_with("mail#"));
    let generation = items.iter().find(own).and_then(|item| item["SK"]["S"].as_str());
    let generation = generation.and_then(|sort| sort.strip_prefix("mail#")).expect("a mail");
    let key = json!({
        "row": "mail", "organizationId": "acme", "userId": "bob", "generation": generation,
    });
    let body = json!({ "tenant": app.key.api_key, "message": { "wake": key } }).to_string();
    json!({ "Records": [{ "messageId": "m", "body": body }] })
}

/// Reasons of dropped mails.
fn dropped(app: &App) -> Vec<String> {
    let reason = |row: Value| row["state"]["reason"].as_str().map(str::to_owned);
    rows(app, "mail").into_iter().filter_map(reason).collect()
}

/// Presses the button of a page, or posts like a mail client.
pub(crate) async fn post(app: &App, path: &str, form: &str) -> Reply {
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    app.send(path, form.to_owned(), &kind).await
}

pub(crate) const ONE_CLICK: &str = "List-Unsubscribe=One-Click";
