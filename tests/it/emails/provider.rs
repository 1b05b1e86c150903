//! Mails of tenants that have a key of an HTTP provider.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use parking_lot::Mutex;
use serde_json::{Value, json};
use service::Table;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{begin, configure, dropped, fill, mention, reply, rows, state, wait};
use crate::{
    app::{App, Options},
    end_users::token,
    schedule::put,
};

const KEY: &str = "SG.a-key-that-nobody-may-see";

/// A provider's reply: a status with headers, or none.
#[derive(Clone, Copy)]
enum Answer {
    Status(u16, &'static str),
    HangUp,
    Silence,
}

/// A provider that records its requests.
#[derive(Clone, Default)]
struct Provider {
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
}

impl Provider {
    async fn start() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let provider = Self::default();
        let served = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let served = served.clone();
                tokio::spawn(async move { served.serve(stream).await });
            }
        });
        (provider, base)
    }

    async fn serve(self, mut stream: TcpStream) {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
        let request = loop {
            let Ok(read @ 1..) = stream.read(&mut chunk).await else { return };
            bytes.extend_from_slice(&chunk[..read]);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length = head.to_lowercase().lines().find_map(|line| {
                line.strip_prefix("content-length: ").and_then(|n| n.parse::<usize>().ok())
            });
            if body.len() >= length.unwrap_or(0) {
                break (head.to_owned(), serde_json::from_str(body).unwrap_or_default());
            }
        };
        self.asked.lock().push(request);
        let answer = self.answers.lock().pop_front();
        match answer.unwrap_or(Answer::Status(202, "")) {
            Answer::Status(status, headers) => {
                let head = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n{headers}\r\n");
                let _ = stream.write_all(head.as_bytes()).await;
            }
            Answer::HangUp => {}
            Answer::Silence => std::future::pending().await,
        }
    }

    fn answer(&self, answers: &[Answer]) {
        self.answers.lock().extend(answers);
    }

    fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().clone()
    }
}

/// A deployment with mails through the provider.
async fn start() -> (App, Provider) {
    let (provider, base) = Provider::start().await;
    let app = fill(
        App::start_with(Options { email_provider_url: Some(base), ..Options::default() }).await,
    )
    .await;
    let service = json!({
        "type": "thirdparty", "apiKey": KEY, "fromEmail": "hello@acme.example",
        "fromCompany": "Acme",
    });
    configure(&app, json!({ "emailServiceConfig": service })).await;
    (app, provider)
}

#[tokio::test]
async fn a_mail_goes_to_the_provider_with_the_key_of_the_tenant() {
    let (app, provider) = start().await;
    mention(&app, "d", "t", "hello").await;
    app.settle().await;
    assert!(app.mails().is_empty());
    let [(head, body)] = <[_; 1]>::try_from(provider.asked()).expect("one request");
    assert!(head.starts_with("POST /v3/mail/send HTTP/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: Bearer {KEY}")), "{head}");
    assert_eq!(body["from"], json!({ "email": "hello@acme.example", "name": "Ada via Acme" }));
    let to = &body["personalizations"][0];
    assert_eq!(to["to"], json!([{ "email": "bob@example.com", "name": "Bob" }]));
    assert_eq!(to["custom_args"]["attempt"], "1");
    let link = to["headers"]["List-Unsubscribe"].as_str().expect("a link");
    assert!(link.starts_with(&format!("<{}/u/", app.base)), "{link}");
    assert_eq!(body["subject"], "Comment thread in Plan");
    assert!(body["content"][0]["value"].as_str().is_some_and(|text| text.contains("hello")));
    assert_eq!(state(&app)["is"], "sent");
    assert!(!crate::app::logged().contains(KEY), "a key was logged");
}

#[tokio::test]
async fn a_template_of_the_provider_gets_the_variables_of_the_thread() {
    let (app, provider) = start().await;
    let templates = json!({ "tagTemplateId": "tag-1", "commentTemplateId": "comment-1" });
    configure(&app, json!({ "emailServiceConfig": templates })).await;
    mention(&app, "d", "t", "one, {{bob}}").await;
    wait(&app, 1).await;
    reply(&app, "d", "t", "cy", "two").await;
    wait(&app, 1).await;
    begin(&app, ("d", "s"), "bob", "x", json!([])).await;
    reply(&app, "d", "s", "cy", "y").await;
    wait(&app, 1).await;
    let asked = provider.asked();
    let templates: Vec<&Value> = asked.iter().map(|(_, body)| &body["template_id"]).collect();
    assert_eq!(templates[0], "tag-1");
    assert!(templates[1..].iter().all(|id| *id == "comment-1"), "{templates:?}");
    let data = &asked[0].1["personalizations"][0]["dynamic_template_data"];
    assert_eq!(data["latestComment"]["commentText"], "one, @Bob", "with names for mentions");
    assert_eq!(data["commentsCount"], 1);
    assert_eq!(data["fromUser"]["name"], "Ada");
    assert_eq!(data["actionType"], "newlyAdded");
    assert_eq!(data["commentAnnotation"]["annotationId"], "t");
    assert_eq!(data["commentAnnotation"].get("comments"), None);
    assert_eq!(data["subject"], "Comment thread in Plan");
    assert!(asked[0].1.get("content").is_none());
}

/// The states of mails to `bob`, each with its reason.
async fn traced(app: &App) -> Vec<(Value, Value)> {
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let rows = app.call("notifications.trace_get", sent).await.data();
    let rows = rows.as_array().expect("rows").iter().filter(|row| row["channel"] == "email");
    rows.map(|row| (row["state"].clone(), row["reason"].clone())).collect()
}

#[tokio::test]
async fn the_message_id_of_the_provider_is_kept() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::Status(202, "x-message-id: m-1.abc\r\n")]);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let sent = state(&app);
    assert_eq!((&sent["is"], &sent["messageId"]), (&json!("sent"), &json!("m-1.abc")));
    assert_eq!(traced(&app).await, [(json!("delivered"), Value::Null)]);
}

#[tokio::test]
async fn a_mail_that_the_provider_refuses_is_dropped() {
    let (app, provider) = start().await;
    for (n, status) in [400, 401, 403, 413].into_iter().enumerate() {
        provider.answer(&[Answer::Status(status, "")]);
        mention(&app, "d", &format!("t{n}"), "x").await;
        app.settle().await;
    }
    wait(&app, 3600).await;
    assert_eq!((provider.asked().len(), dropped(&app)), (4, vec!["rejected".to_owned(); 4]));
    assert_eq!(traced(&app).await, vec![(json!("dropped"), json!("rejected")); 4]);
    let mut details: Vec<Value> =
        rows(&app, "mail").into_iter().map(|row| row["state"]["detail"].clone()).collect();
    details.sort_by_key(Value::to_string);
    assert_eq!(
        details,
        [
            "the mail is too large for the provider",
            "the provider finds the request invalid",
            "the provider refuses the key or the sender",
            "the provider refuses the key or the sender",
        ]
    );
}

#[tokio::test]
async fn a_retry_waits_for_the_retry_after_of_the_provider() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::Status(429, "retry-after: 120\r\n"), Answer::Status(500, "")]);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    wait(&app, 110).await;
    assert_eq!(provider.asked().len(), 1);
    wait(&app, 11).await;
    assert_eq!(provider.asked().len(), 2);
    wait(&app, 5).await;
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (3, &json!("sent")));
}

#[tokio::test]
async fn a_provider_that_hangs_up_is_asked_again_when_the_lease_is_over() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::HangUp]);
    mention(&app, "d", "t", "x").await;
    wait(&app, 80).await;
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (1, &json!("sending")));
    wait(&app, 20).await;
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (2, &json!("sent")));
    let attempts: Vec<Value> = provider
        .asked()
        .iter()
        .map(|(_, body)| body["personalizations"][0]["custom_args"]["attempt"].clone())
        .collect();
    assert_eq!(attempts, ["1", "2"]);
}

/// This test takes as long as the time limit of an attempt.
#[tokio::test]
async fn a_provider_that_never_answers_is_asked_again_when_the_lease_is_over() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::Silence]);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (1, &json!("sending")));
    let [(pending, _)] = traced(&app).await.try_into().expect("one row");
    assert_eq!(pending, "pending");
    wait(&app, 90).await;
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (2, &json!("sent")));
    assert_eq!(rows(&app, "mail")[0]["unanswered"], 1, "there may be a copy");
}

#[tokio::test]
async fn a_provider_that_takes_mails_without_a_reply_gets_three_of_them() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::HangUp; 9]);
    mention(&app, "d", "t", "x").await;
    for _ in 0..6 {
        wait(&app, 100).await;
    }
    assert_eq!(provider.asked().len(), 3);
    assert_eq!(traced(&app).await, [(json!("dropped"), json!("unanswered"))]);
}

#[tokio::test]
async fn a_provider_that_fails_is_asked_less_often_each_time() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::Status(503, ""); 5]);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    let mut pauses = Vec::new();
    for attempt in 1..=5 {
        assert_eq!(provider.asked().len(), attempt);
        let at = state(&app)["at"].as_u64().expect("a time");
        pauses.push(at.saturating_sub(app.now()));
        wait(&app, at.saturating_sub(app.now()).div_ceil(1000) + 1).await;
    }
    assert_eq!((provider.asked().len(), &state(&app)["is"]), (6, &json!("sent")));
    for (pause, whole) in pauses.iter().zip([1000, 2000, 4000, 8000, 16_000]) {
        assert!((0..=whole).contains(pause), "{pauses:?}");
    }
    assert!(pauses[4] > 4000, "{pauses:?}");
}

#[tokio::test]
async fn without_a_provider_a_key_or_a_sender_nothing_is_sent() {
    let (app, provider) = start().await;
    for (n, (members, why)) in
        [(json!({ "apiKey": "" }), "no_provider_key"), (json!({ "fromEmail": "" }), "no_sender")]
            .into_iter()
            .enumerate()
    {
        // Only an earlier version accepted a provider without them.
        let mut items = app.items_of(Table::Resources, &app.key).into_iter();
        let mut row = items.find(|item| item["SK"]["S"] == "config#email").unwrap();
        let service = &mut row["emailServiceConfig"]["M"];
        for (name, value) in members.as_object().unwrap() {
            service[name] = json!({ "S": value });
        }
        put(&app, Table::Resources, &row).await;
        mention(&app, "d", &format!("t{n}"), "x").await;
        app.settle().await;
        assert!(dropped(&app).contains(&why.to_owned()), "{why}: {:?}", dropped(&app));
    }
    assert!(provider.asked().is_empty());

    let app = super::start().await;
    let service = json!({ "type": "thirdparty", "apiKey": KEY, "fromEmail": "a@acme.example" });
    configure(&app, json!({ "emailServiceConfig": service })).await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!((dropped(&app), app.mails().len()), (vec!["no_provider".to_owned()], 0));
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let app = fill(
        App::start_with(Options { email_provider_url: Some(base), ..Options::default() }).await,
    )
    .await;
    let service = json!({ "type": "thirdparty", "apiKey": KEY, "fromEmail": "a@acme.example" });
    configure(&app, json!({ "emailServiceConfig": service })).await;
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!(state(&app)["is"], "waiting");
    app.advance(Duration::from_secs(25 * 3600));
    app.tick().await;
    app.settle().await;
    assert_eq!(state(&app)["reason"], "exhausted");
}

#[tokio::test]
async fn a_template_gets_no_link_of_an_end_user() {
    let (app, provider) = start().await;
    let service = json!({ "tagTemplateId": "d-tag" });
    configure(&app, json!({ "emailServiceConfig": service })).await;
    let page = json!({ "url": "https://evil.example.net/", "baseUrl": "https://evil.example.net" });
    for (id, domain, shown) in [
        ("t", "example.com", Value::Null),
        ("u", "evil.example.net", json!({ "url": "https://evil.example.net/" })),
    ] {
        app.call("workspace.domains_add", json!({ "domains": [domain] })).await.ok();
        let begun = json!({ "organizationId": "acme", "documentId": "d", "commentAnnotations": [{
            "annotationId": id, "pageInfo": page, "commentData": [{
                "commentText": "x", "triggerNotification": true,
                "taggedUserContacts": [{ "userId": "bob" }],
            }],
        }] });
        let ada = token(&app, "ada", json!([])).await;
        app.caller().end_user(&ada).call("comments.annotations_add", begun).await.ok();
        app.settle().await;
        let (_, body) = provider.asked().pop().expect("a request");
        let data = &body["personalizations"][0]["dynamic_template_data"];
        assert_eq!(data["commentAnnotation"]["annotationId"], id, "{body}");
        assert_eq!(data["commentAnnotation"]["pageInfo"], shown, "{body}");
    }
    // A comment of the tenant's server is passed on as it is.
    mention(&app, "d", "v", "hello").await;
    app.settle().await;
    let (_, body) = provider.asked().pop().expect("a request");
    let data = &body["personalizations"][0]["dynamic_template_data"];
    assert_eq!(data["commentAnnotation"]["pageInfo"]["url"], "https://app.example.com/d?t=v&x=1");
}
