//! Mails of tenants that have a key of an HTTP provider.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{begin, configure, dropped, fill, mention, reply, rows, state, wait};
use crate::app::App;

const KEY: &str = "SG.a-key-that-nobody-may-see";

/// What a provider answers: a status with headers, or nothing.
#[derive(Clone, Copy)]
enum Answer {
    Status(u16, &'static str),
    HangUp,
}

/// A provider that keeps what it was asked.
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
        self.asked.lock().expect("no panic").push(request);
        let answer = self.answers.lock().expect("no panic").pop_front();
        if let Answer::Status(status, headers) = answer.unwrap_or(Answer::Status(202, "")) {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n{headers}\r\n");
            let _ = stream.write_all(head.as_bytes()).await;
        }
    }

    fn answer(&self, answers: &[Answer]) {
        self.answers.lock().expect("no panic").extend(answers);
    }

    fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().expect("no panic").clone()
    }
}

/// A deployment whose mails go to the provider.
async fn start() -> (App, Provider) {
    let (provider, base) = Provider::start().await;
    let app = fill(App::start_with_provider(base).await).await;
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
async fn templates_of_the_provider_are_told_of_the_thread() {
    let (app, provider) = start().await;
    let templates = json!({ "tagTemplateId": "tag-1", "commentTemplateId": "comment-1" });
    configure(&app, json!({ "emailServiceConfig": templates })).await;
    mention(&app, "d", "t", "one").await;
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
    assert_eq!(data["latestComment"]["commentText"], "one");
    assert_eq!(data["commentsCount"], 1);
    assert_eq!(data["fromUser"]["name"], "Ada");
    assert_eq!(data["actionType"], "newlyAdded");
    assert_eq!(data["commentAnnotation"]["annotationId"], "t");
    assert_eq!(data["commentAnnotation"].get("comments"), None);
    assert_eq!(data["subject"], "Comment thread in Plan");
    assert!(asked[0].1.get("content").is_none());
}

#[tokio::test]
async fn what_the_provider_refuses_is_given_up() {
    let (app, provider) = start().await;
    provider.answer(&[Answer::Status(400, ""), Answer::Status(401, "")]);
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    mention(&app, "d", "u", "x").await;
    wait(&app, 3600).await;
    assert_eq!((provider.asked().len(), dropped(&app)), (2, vec!["rejected".to_owned(); 2]));
    let mut details: Vec<Value> =
        rows(&app, "mail").into_iter().map(|row| row["state"]["detail"].clone()).collect();
    details.sort_by_key(Value::to_string);
    assert_eq!(
        details,
        ["the provider finds the request invalid", "the provider refuses the key or the sender"]
    );
}

#[tokio::test]
async fn a_busy_provider_is_left_alone_as_long_as_it_asks() {
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

#[tokio::test]
async fn without_a_provider_a_key_or_a_sender_nothing_is_sent() {
    let (app, provider) = start().await;
    for (n, (members, why)) in
        [(json!({ "apiKey": "" }), "no_provider_key"), (json!({ "fromEmail": "" }), "no_sender")]
            .into_iter()
            .enumerate()
    {
        configure(&app, json!({ "emailServiceConfig": members })).await;
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
    let app = fill(App::start_with_provider(base).await).await;
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
