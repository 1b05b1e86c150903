use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use rustls::ServerConfig;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::*;

const PASSWORD: &str = "p@ss:/+word";

/// How a server behaves.
#[derive(Clone, Copy, Default)]
struct Habits {
    tls_at_once: bool,
    offers_tls: bool,
    /// Text that is sent together with the reply to `STARTTLS`.
    injected: &'static str,
    mechanisms: &'static str,
    /// The first word of the line that is answered otherwise, with its reply.
    refusal: Option<(&'static str, &'static str)>,
    /// The first word of the line that is not answered.
    silent_at: &'static str,
}

struct Server {
    port: u16,
    authorities: Vec<u8>,
    /// All lines, those within TLS after `*`.
    said: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(habits: Habits) -> Self {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let encoded = STANDARD.encode(own.cert.der());
        let authorities =
            format!("-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n");
        let authorities = authorities.into_bytes();
        let key = own.signing_key.serialize_der().try_into().unwrap();
        let config =
            ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into());
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![own.cert.der().clone()], key).unwrap();
        let tls = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let said = Arc::<Mutex<Vec<String>>>::default();
        let heard = Arc::clone(&said);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, tls.clone(), habits, Arc::clone(&heard)));
            }
        });
        Self { port, authorities, said }
    }

    fn relay(&self, scheme: &str, credentials: &str) -> Relay {
        let smtp: Smtp =
            format!("{scheme}://{credentials}localhost:{}", self.port).parse().unwrap();
        let mut relay = Relay::open(smtp.trusting(self.authorities.clone())).unwrap();
        relay.deadline = Duration::from_secs(1);
        relay
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().clone()
    }
}

async fn serve(
    stream: TcpStream,
    tls: TlsAcceptor,
    habits: Habits,
    heard: Arc<Mutex<Vec<String>>>,
) {
    if habits.tls_at_once {
        if let Ok(stream) = tls.accept(stream).await {
            let mut stream = BufReader::new(Box::new(stream) as Box<dyn Stream>);
            stream.get_mut().write_all(b"220 test\r\n").await.unwrap();
            talk(stream, habits, &heard, "*").await;
        }
        return;
    }
    let mut stream = BufReader::new(Box::new(stream) as Box<dyn Stream>);
    stream.get_mut().write_all(b"220 test\r\n").await.unwrap();
    if let Some(stream) = talk(stream, habits, &heard, "").await {
        let reply = format!("220 go on\r\n{}", habits.injected);
        let mut stream = stream.into_inner();
        stream.write_all(reply.as_bytes()).await.unwrap();
        if let Ok(stream) = tls.accept(stream).await {
            let stream = BufReader::new(Box::new(stream) as Box<dyn Stream>);
            talk(stream, Habits { offers_tls: false, ..habits }, &heard, "*").await;
        }
    }
}

/// Answers until the end, or until TLS is to begin.
async fn talk(
    mut stream: BufReader<Box<dyn Stream>>,
    habits: Habits,
    heard: &Mutex<Vec<String>>,
    mark: &str,
) -> Option<BufReader<Box<dyn Stream>>> {
    let (mut line, mut is_mail) = (String::new(), false);
    while stream.read_line(&mut line).await.is_ok_and(|bytes| bytes > 0) {
        let said = line.trim_end().to_owned();
        line.clear();
        heard.lock().push(format!("{mark}{said}"));
        let word = said.split([' ', ':']).next().unwrap_or_default();
        if !is_mail && word == habits.silent_at {
            return None;
        }
        let mut answer = match word {
            "." if is_mail => "250 taken".to_owned(),
            _ if is_mail => continue,
            "EHLO" => {
                let tls = if habits.offers_tls { "250-STARTTLS\r\n" } else { "" };
                format!("250-test\r\n{tls}250 AUTH {}", habits.mechanisms)
            }
            "STARTTLS" => return Some(stream),
            "AUTH" if said == "AUTH LOGIN" => "334 VXNlcm5hbWU6".to_owned(),
            "AUTH" => "235 welcome".to_owned(),
            "DATA" => "354 go on".to_owned(),
            "QUIT" => "221 bye".to_owned(),
            _ if said == STANDARD_USER => "334 UGFzc3dvcmQ6".to_owned(),
            _ if said.len() > 8 && !said.contains(' ') => "235 welcome".to_owned(),
            _ => "250 ok".to_owned(),
        };
        if let Some((_, other)) = habits.refusal.filter(|(at, _)| *at == word && !is_mail) {
            answer = other.to_owned();
        }
        is_mail = answer.starts_with("354");
        if stream.get_mut().write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
            return None;
        }
    }
    None
}

/// `me@a.example` in base64.
const STANDARD_USER: &str = "bWVAYS5leGFtcGxl";

fn mail() -> SentMail {
    SentMail {
        id: "1".to_owned(),
        at: 0,
        from: "Docs <docs@example.com>".to_owned(),
        to: vec!["ada@example.com".to_owned()],
        raw: b"Subject: x\r\n\r\n.\r\nHello\r\n".to_vec(),
        tags: vec![],
        configuration_set: None,
    }
}

/// The end of a mail: the code of its refusal, and the reply.
async fn end(relay: &Relay) -> Option<(String, String)> {
    relay.hand_on(&mail()).await.err().map(|refusal| (refusal.code, refusal.body))
}

#[tokio::test]
async fn a_mail_and_a_password_go_through_tls_only() {
    let login = Habits { mechanisms: "LOGIN", ..Habits::default() };
    for (scheme, habits) in [
        ("smtps", Habits { tls_at_once: true, mechanisms: "PLAIN LOGIN", ..Habits::default() }),
        ("smtp+starttls", Habits { offers_tls: true, mechanisms: "PLAIN", ..Habits::default() }),
        ("smtps", Habits { tls_at_once: true, ..login }),
        ("smtp+starttls", Habits { offers_tls: true, ..login }),
    ] {
        let server = Server::start(habits).await;
        let relay = server.relay(scheme, &format!("me@a.example:{PASSWORD}@"));
        assert_eq!(end(&relay).await, None, "{scheme}");
        let said = server.said();
        let open: Vec<_> = said.iter().filter(|line| !line.starts_with('*')).collect();
        assert!(
            open.iter().all(|line| line.starts_with("EHLO") || *line == "STARTTLS"),
            "{open:?}"
        );
        for line in ["*MAIL FROM:<docs@example.com>", "*RCPT TO:<ada@example.com>", "*..", "*."] {
            assert!(said.iter().any(|said| said == line), "{line} in {said:?}");
        }
        let logins = said.iter().filter(|line| line.starts_with("*AUTH")).count();
        assert_eq!(logins, 1, "{said:?}");
    }
}

#[tokio::test]
async fn a_server_without_the_right_certificate_gets_nothing() {
    for (scheme, habits) in [
        ("smtps", Habits { tls_at_once: true, mechanisms: "PLAIN", ..Habits::default() }),
        ("smtp+starttls", Habits { offers_tls: true, mechanisms: "PLAIN", ..Habits::default() }),
    ] {
        let (server, other) = (Server::start(habits).await, Server::start(habits).await);
        let unknown = Server { port: server.port, ..other };
        let mut elsewhere: Smtp = format!("{scheme}://127.0.0.1:{}", server.port).parse().unwrap();
        elsewhere = elsewhere.trusting(server.authorities.clone());
        for relay in [unknown.relay(scheme, "me:secret@"), Relay::open(elsewhere).unwrap()] {
            let (code, body) = end(&relay).await.expect("a refusal");
            assert_eq!(code, "ServiceUnavailable");
            assert!(body.contains("certificate"), "{body}");
        }
        assert!(!server.said().iter().any(|line| line.starts_with('*')), "{:?}", server.said());
    }
}

/// Somebody between both removes the offer, or adds words of his own before TLS.
#[tokio::test]
async fn a_way_around_tls_is_refused() {
    for (habits, reason) in [
        (Habits { mechanisms: "PLAIN", ..Habits::default() }, "does not offer STARTTLS"),
        (
            Habits { offers_tls: true, injected: "250 AUTH PLAIN\r\n", ..Habits::default() },
            "spoke on before TLS",
        ),
        (
            Habits { offers_tls: true, refusal: Some(("EHLO", "250 test")), ..Habits::default() },
            "does not offer STARTTLS",
        ),
    ] {
        let server = Server::start(habits).await;
        let (code, body) =
            end(&server.relay("smtp+starttls", "me:secret@")).await.expect("a refusal");
        assert_eq!(code, "ServiceUnavailable");
        assert!(body.contains(reason), "{body}");
        assert!(!server.said().iter().any(|line| line.contains("AUTH") || line.contains("MAIL")));
    }
}

#[tokio::test]
async fn only_a_refusal_of_the_mail_drops_it() {
    let tls = Habits { tls_at_once: true, mechanisms: "PLAIN", ..Habits::default() };
    for (at, reply, code) in [
        ("EHLO", "554 go away", "ServiceUnavailable"),
        ("AUTH", "535 not p@ss:/+word", "ServiceUnavailable"),
        ("MAIL", "530 log in first", "ServiceUnavailable"),
        ("MAIL", "550 not from you", "MessageRejected"),
        ("RCPT", "450 later", "ServiceUnavailable"),
        ("RCPT", "550 nobody", "MessageRejected"),
        ("DATA", "421 closing", "ServiceUnavailable"),
        ("RCPT", "nonsense", "ServiceUnavailable"),
        ("EHLO", "250-never\r\n250-ending", "ServiceUnavailable"),
    ] {
        let server = Server::start(Habits { refusal: Some((at, reply)), ..tls }).await;
        let (refused, body) =
            end(&server.relay("smtps", &format!("me:{PASSWORD}@"))).await.unwrap();
        assert_eq!(refused, code, "{at}: {body}");
        assert!(!body.contains(PASSWORD), "{body}");
    }
}

#[tokio::test]
async fn a_silent_server_holds_a_mail_up_for_the_deadline_and_none_after_it_took_it() {
    let tls = Habits { tls_at_once: true, ..Habits::default() };
    for silent_at in ["EHLO", "RCPT"] {
        let server = Server::start(Habits { silent_at, ..tls }).await;
        let (code, _) = end(&server.relay("smtps", "")).await.expect("a refusal");
        assert_eq!(code, "ServiceUnavailable");
    }
    let server = Server::start(Habits { silent_at: "QUIT", ..tls }).await;
    assert_eq!(end(&server.relay("smtps", "")).await, None);
    // A server that accepts connections, and says nothing at all.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let relay = Server { port, ..server }.relay("smtps", "");
    assert!(end(&relay).await.expect("a refusal").1.contains("in time"));
}

#[test]
fn a_password_is_neither_shown_nor_sent_in_the_open() {
    for url in
        ["smtps://me:secret@a.example", "smtp://me:secret@127.0.0.1", "smtp://me:secret@[::1]:25"]
    {
        let smtp: Smtp = url.parse().unwrap();
        assert!(!format!("{smtp:?}").contains("secret"));
        assert!(!smtp.is_open_to_others(), "{url}");
    }
    let Err(reason) = "smtp://me:secret@a.example".parse::<Smtp>() else { panic!("accepted") };
    assert!(reason.contains("smtps://") && !reason.contains("secret"), "{reason}");
    assert!("smtp://a.example".parse::<Smtp>().unwrap().is_open_to_others());
    let port = |url: &str| url.parse::<Smtp>().unwrap().port;
    assert_eq!((port("smtps://a"), port("smtp+starttls://a/"), port("smtp://a")), (465, 587, 25));
}

#[test]
fn an_address_stays_in_its_line() {
    for right in ["a@b.example", "Ada <ada+x@b-c.example>", "o'neil@b.example"] {
        assert!(address(right).is_some(), "{right}");
    }
    for wrong in ["a@b> SIZE=1", "a<b@c", "a@b\r\nQUIT", "@b", "a@", "\"a b\"@c", "ä@b"] {
        assert!(address(wrong).is_none(), "{wrong}");
    }
}
