//! Mails, from the client of functions to the local outbox.

mod outbox;
mod smtp;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use aws::{Mail, MailFailure, Ses, Settings};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use embedded::{Effect, EmbeddedServices, Fault, Options, Service};
use serde_json::{Value, json};

const NOW: u64 = 1_700_000_000_000;
const EVENTS: &str = "mail-events";

/// Embedded services on a port of their own, and a client of SES.
pub(super) struct Post {
    pub(super) embedded: EmbeddedServices,
    pub(super) ses: Ses,
    endpoint: String,
}

impl Post {
    pub(super) async fn open(dir: Option<PathBuf>, smtp: Option<String>) -> Self {
        let embedded = EmbeddedServices::open(Options {
            is_synced: false,
            remembers: true,
            dir,
            clock: Arc::new(|| NOW),
            outbox: None,
            smtp: smtp.map(|url| url.parse().unwrap()),
            mail_events_queue: Some(EVENTS.to_owned()),
            observer: Arc::new(()),
            roles: embedded::Roles::new(),
        });
        let embedded = embedded.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let served = embedded.clone();
        tokio::spawn(async move { served.door().serve(listener, None).await });
        Self { embedded, ses: client(&endpoint), endpoint }
    }

    async fn in_memory() -> Self {
        Self::open(None, None).await
    }

    fn fail(&self, effect: Effect) {
        let operation = "SendEmail".to_owned();
        self.embedded.inject(Fault { operation, skip: 0, times: 1, effect });
    }

    /// Sends a raw request; returns its status and error.
    async fn post(&self, request: &Value) -> (u16, String) {
        let url = format!("{}/v2/email/outbound-emails", self.endpoint);
        let sent = reqwest::Client::new().post(url).body(request.to_string()).send();
        let reply = sent.await.unwrap();
        let status = reply.status().as_u16();
        let body: Value = serde_json::from_str(&reply.text().await.unwrap()).unwrap();
        let code = body["__type"].as_str().unwrap_or_default();
        (status, code.rsplit('#').next().unwrap_or_default().to_owned())
    }

    /// The bodies of all reports.
    async fn events(&self) -> Vec<Value> {
        let url = format!("http://localhost{}", EmbeddedServices::queue_path(EVENTS));
        let request = json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 });
        let received = self.embedded.sqs("ReceiveMessage", request).await.unwrap();
        let messages = received["Messages"].as_array().cloned().unwrap_or_default();
        let body = |message: &Value| message["Body"].as_str().unwrap().to_owned();
        messages.iter().map(|m| serde_json::from_str(&body(m)).unwrap()).collect()
    }
}

fn client(endpoint: &str) -> Ses {
    Ses::new(&Settings {
        region: "us-east-1".to_owned(),
        access_key_id: "local".to_owned(),
        secret_access_key: "local".to_owned(),
        session_token: None,
        dynamodb_endpoint: None,
        sqs_endpoint: None,
        ses_endpoint: Some(endpoint.to_owned()),
        connections: aws::Connections::default(),
        secrets_endpoint: None,
        live_endpoint: None,
    })
}

pub(super) const RAW: &str = "From: Docs <docs@example.com>\r\nTo: ada@example.com\r\n\
    Subject: Hello\r\nMessage-ID: <own@example.com>\r\nDate: Thu, 1 Jan 1970 00:00:00 +0000\r\n\
    \r\nHello, Ada.\r\n";

pub(super) fn mail(to: &str) -> Mail {
    let tags = [("k", "key1"), ("d", "delivery1"), ("a", "2")];
    Mail {
        from: "Docs <docs@example.com>".to_owned(),
        to: to.to_owned(),
        raw: RAW.as_bytes().to_vec(),
        configuration_set: Some("set".to_owned()),
        tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
    }
}

#[tokio::test]
async fn a_mail_arrives_with_an_id_and_a_date_of_ses() {
    let post = Post::in_memory().await;
    let id = post.ses.send(mail("ada@example.com")).await.unwrap();
    let mails = post.embedded.mails();
    let [sent] = mails.as_slice() else { panic!("{mails:?}") };
    assert_eq!((&sent.id, sent.at), (&id, NOW));
    assert_eq!(sent.from, "Docs <docs@example.com>");
    assert_eq!(sent.to, ["ada@example.com"]);
    assert_eq!(sent.configuration_set.as_deref(), Some("set"));
    assert_eq!(
        (sent.tag("k"), sent.tag("d"), sent.tag("a")),
        (Some("key1"), Some("delivery1"), Some("2"))
    );
    let expected = format!(
        "Message-ID: <{id}@email.local>\r\nDate: Tue, 14 Nov 2023 22:13:20 +0000\r\n\
         From: Docs <docs@example.com>\r\nTo: ada@example.com\r\nSubject: Hello\r\n\
         \r\nHello, Ada.\r\n"
    );
    assert_eq!(String::from_utf8(sent.raw.clone()).unwrap(), expected);

    let second = post.ses.send(mail("ada@example.com")).await.unwrap();
    assert_ne!(second, id, "each mail has an id of its own");
    let calls = post.embedded.calls();
    let asked = |call: &embedded::Call| (call.service, call.operation.clone(), call.items);
    assert_eq!(
        calls.iter().map(asked).collect::<Vec<_>>(),
        vec![(Service::Ses, "SendEmail".to_owned(), 1); 2]
    );
    post.embedded.forget_mails();
    assert!(post.embedded.mails().is_empty());
}

#[tokio::test]
async fn a_mail_in_a_folder_outlives_the_process() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mails-in-a-folder");
    let _ = std::fs::remove_dir_all(&dir);
    let post = Post::open(Some(dir.clone()), None).await;
    let id = post.ses.send(mail("ada@example.com")).await.unwrap();
    let files: Vec<_> = std::fs::read_dir(dir.join("outbox")).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing is left beside the mail");
    let raw = std::fs::read(dir.join(format!("outbox/{NOW:013}-{id}.eml"))).unwrap();
    assert_eq!(raw, post.embedded.mails()[0].raw);

    let again = Post::open(Some(dir), None).await;
    assert_eq!(again.embedded.outbox().unwrap(), [format!("{NOW:013}-{id}")]);
    let name = format!("{NOW:013}-{id}");
    assert_eq!(again.embedded.outbox_mail(&name).unwrap(), Some(raw));
    assert_eq!(again.embedded.outbox_mail("../dynamodb.sqlite").unwrap(), None);
    assert_eq!(again.embedded.outbox_mail("0").unwrap(), None);
}

fn request(raw: &str) -> Value {
    json!({
        "FromEmailAddress": "docs@example.com",
        "Destination": { "ToAddresses": ["ada@example.com"] },
        "Content": { "Raw": { "Data": STANDARD.encode(raw) } },
    })
}

#[tokio::test]
async fn mails_that_amazon_ses_would_refuse_are_refused() {
    let post = Post::in_memory().await;
    let with = |path: &str, value: Value| {
        let mut request = request(RAW);
        *request.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        request
    };
    let long = "x".repeat(999);
    let mut tagged = request(RAW);
    tagged["EmailTags"] = json!([{ "Name": "k", "Value": "a key" }]);
    let recipients = |n: usize| with("/Destination/ToAddresses", json!(vec!["ada@example.com"; n]));
    let bad = "BadRequestException";
    for (request, code) in [
        (request(&RAW.replace("Hello\r\n", &format!("{long}\r\n"))), bad),
        (request(&RAW.replace("From", "X-From")), bad),
        (request(&RAW.replace("Date: ", "Subject: ")), bad),
        (request("From: docs@example.com\r\n"), "MessageRejected"),
        (with("/Content/Raw/Data", json!(null)), bad),
        (with("/Content/Raw/Data", json!("")), bad),
        (with("/Content/Raw/Data", json!("?")), bad),
        (with("/Content", json!({ "Simple": {} })), bad),
        (with("/FromEmailAddress", json!("docs")), bad),
        (with("/FromEmailAddress", json!("docs@example.com\r\nBcc: eve@example.com")), bad),
        (with("/Destination/ToAddresses", json!(["ada lovelace@example.com"])), bad),
        (with("/Destination/ToAddresses", json!(["ädä@example.com"])), bad),
        (recipients(0), bad),
        (recipients(51), bad),
        (tagged, bad),
    ] {
        assert_eq!(post.post(&request).await, (400, code.to_owned()), "{request}");
    }
    assert!(post.embedded.mails().is_empty());
    assert_eq!(post.post(&recipients(50)).await.0, 200);
    assert_eq!(post.embedded.mails()[0].to.len(), 50);

    let refused = post.ses.send(Mail { from: "docs".to_owned(), ..mail("ada@example.com") }).await;
    let Err(MailFailure::Rejected(text)) = refused else { panic!("{refused:?}") };
    assert!(text.starts_with("BadRequestException: "), "{text}");
}

/// A second attempt would send a second mail.
#[tokio::test]
async fn a_failed_mail_is_reported_as_throttled_or_ambiguous_after_one_attempt() {
    let post = Post::in_memory().await;
    let send = || post.ses.send(mail("ada@example.com"));
    post.fail(Effect::Throttle);
    assert!(matches!(send().await, Err(MailFailure::Throttled(_))));
    post.fail(Effect::InternalError);
    assert!(matches!(send().await, Err(MailFailure::Ambiguous(_))));
    assert_eq!(post.embedded.mails().len(), 0);
    post.fail(Effect::LoseReply);
    assert!(matches!(send().await, Err(MailFailure::Ambiguous(_))));
    assert_eq!(post.embedded.mails().len(), 1);
    post.fail(Effect::Stall(Duration::from_millis(5)));
    send().await.unwrap();
    assert_eq!(post.embedded.mails().len(), 2);
    assert_eq!(post.embedded.calls().len(), 4, "one attempt each");
}

#[tokio::test]
async fn a_missing_server_is_unavailable_and_one_that_hangs_up_is_ambiguous() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let ses = client(&format!("http://{}", listener.local_addr().unwrap()));
    let accepts = tokio::spawn(async move {
        drop(listener.accept().await.unwrap());
        // With it ends the listener.
    });
    let sent = ses.send(mail("ada@example.com")).await;
    assert!(matches!(sent, Err(MailFailure::Ambiguous(_))), "{sent:?}");
    accepts.await.unwrap();
    let sent = ses.send(mail("ada@example.com")).await;
    assert!(matches!(sent, Err(MailFailure::Unavailable(_))), "{sent:?}");
}

#[tokio::test]
async fn deliveries_bounces_and_complaints_are_queued_as_messages_of_the_tenant() {
    let post = Post::in_memory().await;
    post.ses.send(mail("ada@example.com")).await.expect("the queue need not exist");
    post.embedded.create_queue(EVENTS, &BTreeMap::new()).unwrap();
    assert!(post.events().await.is_empty());
    for (to, kinds) in [
        ("ada@example.com", &["Send", "Delivery"][..]),
        ("success@simulator.amazonses.com", &["Send", "Delivery"]),
        ("bounce@simulator.amazonses.com", &["Send", "Bounce"]),
        ("bounce+7@simulator.amazonses.com", &["Send", "Bounce"]),
        ("suppressionlist@simulator.amazonses.com", &["Send", "Bounce"]),
        ("complaint@simulator.amazonses.com", &["Send", "Delivery", "Complaint"]),
        ("bounce@example.com", &["Send", "Delivery"]),
    ] {
        let id = post.ses.send(mail(to)).await.unwrap();
        let expected = kinds.iter().map(|kind| {
            let mut message = json!({
                "kind": kind, "mail": "delivery1", "attempt": "2", "messageId": id, "recipient": to,
            });
            if *kind == "Bounce" {
                message["bounceType"] = json!("Permanent");
            }
            json!({ "tenant": "key1", "message": message })
        });
        assert_eq!(post.events().await, expected.collect::<Vec<_>>(), "{to}");
    }

    let silent = Mail { configuration_set: None, ..mail("ada@example.com") };
    post.ses.send(silent).await.unwrap();
    post.ses.send(Mail { tags: vec![], ..mail("ada@example.com") }).await.unwrap();
    assert!(post.events().await.is_empty());
    post.fail(Effect::LoseReply);
    post.ses.send(mail("ada@example.com")).await.unwrap_err();
    assert_eq!(post.events().await.len(), 2, "it is reported also where the reply was lost");
}
