//! Mails forwarded to an SMTP server.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    thread::JoinHandle,
};

use super::{Post, mail};
use aws::MailFailure;

/// A server for one session that replies to recipients with `verdict`; returns the received lines.
fn server(verdict: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let conversation = move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let (mut said, mut in_data) = (String::new(), false);
        stream.write_all(b"220 test\r\n").unwrap();
        while let Some(Ok(line)) = lines.next() {
            said.push_str(&line);
            said.push('\n');
            let answer = match line.split([' ', ':']).next().unwrap_or_default() {
                "." if in_data => "250 taken",
                _ if in_data => continue,
                "RCPT" => verdict,
                "DATA" => "354 go on",
                "QUIT" => break,
                _ => "250 ok",
            };
            in_data = answer.starts_with("354");
            if stream.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                break;
            }
        }
        said
    };
    (url, std::thread::spawn(conversation))
}

#[tokio::test]
async fn a_mail_is_sent_to_the_smtp_server_and_kept() {
    let (url, conversation) = server("250 ok");
    let post = Post::open(None, Some(url)).await;
    let id = post.ses.send(mail("ada@example.com")).await.unwrap();
    assert_eq!(post.embedded.mails().len(), 1);
    drop(post);
    let said = tokio::task::spawn_blocking(|| conversation.join().unwrap()).await.unwrap();
    assert!(said.contains("MAIL FROM:<docs@example.com>"), "{said}");
    assert!(said.contains("RCPT TO:<ada@example.com>"), "{said}");
    assert!(said.contains(&format!("Message-ID: <{id}@email.local>\n")), "{said}");
    assert!(said.contains("\nHello, Ada.\n"), "{said}");
}

#[tokio::test]
async fn a_5xx_reply_is_rejected_and_a_4xx_reply_is_unavailable() {
    for (verdict, is_final) in [("550 nobody", true), ("450 later", false)] {
        let (url, conversation) = server(verdict);
        let post = Post::open(None, Some(url)).await;
        let sent = post.ses.send(mail("ada@example.com")).await;
        match sent {
            Err(MailFailure::Rejected(text)) if is_final => {
                assert!(text.starts_with("MessageRejected: "), "{text}");
            }
            Err(MailFailure::Unavailable(_)) if !is_final => {}
            other => panic!("{verdict}: {other:?}"),
        }
        assert!(post.embedded.mails().is_empty(), "{verdict}");
        tokio::task::spawn_blocking(|| conversation.join().unwrap()).await.unwrap();
    }
}

#[tokio::test]
async fn an_smtp_server_that_is_not_there_is_unavailable() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let post = Post::open(None, Some(format!("smtp://{gone}"))).await;
    let sent = post.ses.send(mail("ada@example.com")).await;
    assert!(matches!(sent, Err(MailFailure::Unavailable(_))), "{sent:?}");
    assert!(post.embedded.mails().is_empty());
}
