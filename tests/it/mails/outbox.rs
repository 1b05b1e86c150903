//! The pages that show mails.

use aws::{Mail, Ses, Settings};

use super::mail;
use crate::app::App;

const MIXED: &str = "From: \"Docs & Co\" <docs@example.com>\r\nTo: Ada <ada@example.com>\r\n\
    Subject: =?utf-8?q?<b>H=C3=A9llo</b>?=\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/alternative; boundary=\"b\"\r\n\r\n\
    --b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPlain <i>text</i>\r\n\
    --b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
    <p title=\"x\">Rich</p><script>alert(1)</script>\r\n--b--\r\n";

async fn get(app: &App, path: &str) -> reqwest::Response {
    reqwest::get(format!("{}{path}", app.base)).await.unwrap()
}

/// A deployment with a mail of two parts to Ada and one to Bob; and the name of the first.
async fn with_mails() -> (App, String) {
    let app = App::start().await;
    let ses = Ses::new(&Settings {
        region: "us-east-1".to_owned(),
        access_key_id: "local".to_owned(),
        secret_access_key: "local".to_owned(),
        session_token: None,
        dynamodb_endpoint: None,
        sqs_endpoint: None,
        ses_endpoint: Some(app.stack().aws_endpoint().expect("a port").to_owned()),
        connections: aws::Connections::default(),
        secrets_endpoint: None,
        live_endpoint: None,
    });
    let mixed = Mail { raw: MIXED.as_bytes().to_vec(), ..mail("ada@example.com") };
    ses.send(mixed).await.unwrap();
    let first = app.embedded().outbox().unwrap().remove(0);
    app.advance(std::time::Duration::from_secs(1));
    let plain = super::RAW.replace("ada@", "bob@").into_bytes();
    ses.send(Mail { raw: plain, ..mail("bob@example.com") }).await.unwrap();
    assert_eq!(app.mails().len(), 2);
    (app, first)
}

#[tokio::test]
async fn mails_are_listed_newest_first_and_found_by_recipient() {
    let (app, first) = with_mails().await;
    let page = get(&app, "/outbox/").await.text().await.unwrap();
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    assert!(at("bob@example.com") < at("Ada &lt;ada@example.com&gt;"));
    assert!(page.contains(&format!("<a href=\"{first}\">&lt;b&gt;Héllo&lt;/b&gt;</a>")), "{page}");

    let page = get(&app, "/outbox/?to=ADA@").await.text().await.unwrap();
    assert!(page.contains("ada@example.com") && !page.contains("bob@"), "{page}");
    let page = get(&app, "/outbox/?to=%22%3E%3Cscript%3E").await.text().await.unwrap();
    assert!(page.contains("0 mails") && !page.contains("<script"), "{page}");
}

#[tokio::test]
async fn a_mail_is_shown_without_letting_it_act() {
    let (app, first) = with_mails().await;
    let response = get(&app, &format!("/outbox/{first}")).await;
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("script"), "{policy}");
    let page = response.text().await.unwrap();
    for part in [
        "<iframe sandbox srcdoc=\"&lt;p title=&quot;x&quot;&gt;Rich&lt;/p&gt;&lt;script&gt;",
        "<pre>Plain &lt;i&gt;text&lt;/i&gt;",
        "From Docs &amp; Co &lt;docs@example.com&gt;",
        "Content-Type: multipart/alternative",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script"), "{page}");

    let response = get(&app, &format!("/outbox/{first}.eml")).await;
    assert_eq!(response.headers()["content-disposition"], "attachment");
    assert_eq!(response.bytes().await.unwrap(), app.mails()[0].raw);
    assert_eq!(get(&app, "/outbox/0000000000000-0").await.status(), 404);
    assert_eq!(get(&app, "/outbox/..%2Flock").await.status(), 404);
}

/// A page on the internet can make its own name lead to this machine, but not change it.
#[tokio::test]
async fn mails_are_shown_under_the_names_of_this_machine_only() {
    let (app, first) = with_mails().await;
    for path in ["/outbox/".to_owned(), format!("/outbox/{first}"), format!("/outbox/{first}.eml")]
    {
        for (host, status) in [("localhost:3000", 200), ("127.0.0.1", 200), ("evil.example", 404)] {
            let request = reqwest::Client::new().get(format!("{}{path}", app.base));
            let response = request.header("host", host).send().await.unwrap();
            assert_eq!(response.status(), status, "{host} {path}");
        }
    }
}
