use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

use super::*;

const OPEN: Egress = Egress::Local;
const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone";
const SHORT: Duration = Duration::from_millis(200);

/// A sender with short limits.
fn hasty() -> Sender {
    Sender::with_limits(OPEN, Limits { total: SHORT, ..Limits::default() })
}

/// A server with a script per connection, and its number of connections.
async fn serve<F>(
    handle: impl Fn(usize, TcpStream) -> F + Send + 'static,
) -> (SocketAddr, Arc<AtomicUsize>)
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(handle(count.fetch_add(1, Ordering::SeqCst), stream));
        }
    });
    (address, taken)
}

/// The next request of a connection; nothing at its end.
async fn request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = vec![];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some(text.into_owned());
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return None;
        }
    }
}

/// Sends the same reply to every request of a connection.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: &[u8]) {
    while request(&mut stream).await.is_some() {
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

async fn post(sender: &Sender, url: &str) -> Attempt {
    sender.post(url, vec![], Bytes::from_static(b"{}")).await
}

/// The request that arrives when this is sent.
async fn arriving(url: &str, headers: Vec<(HeaderName, HeaderValue)>) -> String {
    let (requests, mut arrived) = mpsc::unbounded_channel();
    let (address, _) = serve(move |_, mut stream| {
        let requests = requests.clone();
        async move {
            requests.send(request(&mut stream).await.unwrap()).unwrap();
            stream.write_all(OK).await.unwrap();
        }
    })
    .await;
    let url = url.replace("HOST", &address.to_string());
    let attempt = Sender::new(OPEN).post(&url, headers, Bytes::from_static(b"{\"a\":1}")).await;
    assert_eq!(attempt.status, Some(200), "{attempt:?}");
    arrived.recv().await.unwrap().replace(&address.to_string(), "HOST")
}

fn header(name: &'static str, value: &'static str) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from_static(value))
}

#[tokio::test]
async fn a_request_arrives_as_it_was_given_and_the_answer_is_reported() {
    let arrived = arriving("http://HOST/hook?a=b#c", vec![header("webhook-id", "msg_1")]).await;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        arrived,
        format!(
            "POST /hook?a=b HTTP/1.1\r\nwebhook-id: msg_1\r\ncontent-type: application/json\r\n\
             user-agent: Roundtable-Webhooks/{version}\r\nhost: HOST\r\ncontent-length: 7\r\n\r\n\
             {{\"a\":1}}"
        )
    );

    let (address, _) = serve(|_, stream| {
        answer(
            stream,
            b"HTTP/1.1 503 Busy\r\nretry-after: 120\r\nwebhook-delivery: disable\r\n\
              x-message-id: m-1\r\nset-cookie: a=b\r\ncontent-length: 5\r\n\r\nlater",
        )
    })
    .await;
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    let expected = Attempt {
        status: Some(503),
        retry_after: Some("120".into()),
        control: Some("disable".into()),
        message_id: Some("m-1".into()),
        response: b"later".to_vec(),
        failure: None,
        duration: attempt.duration,
    };
    assert_eq!(attempt, expected);
}

#[tokio::test]
async fn own_headers_win_except_those_of_the_connection() {
    let given = vec![
        header("user-agent", "mine"),
        header("host", "elsewhere"),
        header("content-length", "0"),
        header("transfer-encoding", "chunked"),
        header("connection", "close"),
        header("x-many", "1"),
        header("x-many", "2"),
    ];
    let arrived = arriving("http://HOST/", given).await;
    assert_eq!(
        arrived,
        "POST / HTTP/1.1\r\nuser-agent: mine\r\nx-many: 1\r\nx-many: 2\r\n\
         content-type: application/json\r\nhost: HOST\r\ncontent-length: 7\r\n\r\n{\"a\":1}"
    );
}

#[tokio::test]
async fn credentials_of_the_url_are_sent_as_a_header_and_an_own_one_wins() {
    let arrived = arriving("http://us%65r:pass@HOST/", vec![]).await;
    assert!(arrived.starts_with("POST / HTTP/1.1\r\n"), "{arrived}");
    assert!(arrived.contains("\r\nauthorization: Basic dXNlcjpwYXNz\r\n"), "{arrived}");
    assert!(arrived.contains("\r\nhost: HOST\r\n"), "{arrived}");

    let own = vec![header("authorization", "Basic token")];
    let arrived = arriving("http://user:pass@HOST/", own).await;
    assert!(arrived.contains("\r\nauthorization: Basic token\r\n"), "{arrived}");
    assert_eq!(arrived.matches("authorization").count(), 1, "{arrived}");
}

#[tokio::test]
async fn of_an_endless_body_the_beginning_is_read_and_the_connection_dropped() {
    let (ended, mut end) = mpsc::unbounded_channel();
    let (address, _) = serve(move |_, mut stream| {
        let ended = ended.clone();
        async move {
            request(&mut stream).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            while stream.write_all(&[b'x'; 1000]).await.is_ok() {}
            ended.send(()).unwrap();
        }
    })
    .await;
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (Some(200), None));
    assert_eq!(attempt.response, vec![b'x'; 16 * 1024]);
    assert!(attempt.duration < Duration::from_secs(10), "{attempt:?}");
    end.recv().await.unwrap();
}

#[tokio::test]
async fn a_dripping_body_ends_at_the_deadline_and_its_status_counts() {
    let (address, _) = serve(|_, mut stream| async move {
        request(&mut stream).await.unwrap();
        stream.write_all(b"HTTP/1.1 202 OK\r\n\r\n").await.unwrap();
        let mut drip = tokio::time::interval(Duration::from_millis(5));
        while stream.write_all(b"x").await.is_ok() {
            drip.tick().await;
        }
    })
    .await;
    let attempt = post(&hasty(), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (Some(202), None));
    assert!(attempt.response.starts_with(b"x"), "{attempt:?}");
    assert!((SHORT..Duration::from_secs(10)).contains(&attempt.duration), "{attempt:?}");
}

#[tokio::test]
async fn silence_ends_at_the_deadline_before_and_after_the_connection_is_made() {
    let (address, taken) = serve(|_, mut stream| async move {
        request(&mut stream).await;
        std::future::pending().await
    })
    .await;
    for scheme in ["http", "https"] {
        let attempt = post(&hasty(), &format!("{scheme}://{address}/")).await;
        assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Timeout)), "{scheme}");
        assert!((SHORT..Duration::from_secs(10)).contains(&attempt.duration), "{attempt:?}");
    }
    assert_eq!(taken.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_redirect_is_reported_and_not_followed() {
    let (second, visits) = serve(|_, stream| answer(stream, OK)).await;
    for code in [301, 302, 303, 307, 308] {
        let (first, _) = serve(move |_, stream| async move {
            let redirect = format!(
                "HTTP/1.1 {code} Moved\r\nlocation: http://{second}/\r\ncontent-length: 0\r\n\r\n"
            );
            answer(stream, redirect.as_bytes()).await;
        })
        .await;
        let attempt = post(&Sender::new(OPEN), &format!("http://{first}/")).await;
        assert_eq!((attempt.status, attempt.failure), (Some(code), None));
    }
    assert_eq!(visits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_closed_port_is_a_failure_to_connect() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Connect)));
}

#[tokio::test]
async fn what_is_no_http_is_a_failure_of_the_protocol() {
    let (address, taken) = serve(|_, stream| answer(stream, b"220 mail ready\r\n\r\n")).await;
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Protocol)));
    assert_eq!(taken.load(Ordering::SeqCst), 1);

    let endless_head = |_, mut stream: TcpStream| async move {
        request(&mut stream).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await.unwrap();
        while stream.write_all(b"x: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n").await.is_ok() {}
    };
    let (address, _) = serve(endless_head).await;
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Protocol)));
}

#[tokio::test]
async fn a_kept_connection_is_used_again() {
    let (address, taken) = serve(|_, stream| answer(stream, OK)).await;
    let sender = Sender::new(OPEN);
    for _ in 0..5 {
        let attempt = post(&sender.clone(), &format!("http://{address}/")).await;
        assert_eq!(attempt.response, b"done");
        // The connection goes back once its task has seen the end of the body.
        tokio::task::yield_now().await;
    }
    assert_eq!(taken.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_kept_connection_that_was_closed_meanwhile_costs_no_attempt() {
    let (closed, mut close) = mpsc::unbounded_channel();
    let (address, taken) = serve(move |_, mut stream| {
        let closed = closed.clone();
        async move {
            request(&mut stream).await.unwrap();
            stream.write_all(OK).await.unwrap();
            drop(stream);
            closed.send(()).unwrap();
        }
    })
    .await;
    let sender = Sender::new(OPEN);
    for _ in 0..3 {
        let attempt = post(&sender, &format!("http://{address}/")).await;
        assert_eq!((attempt.status, attempt.failure), (Some(200), None));
        close.recv().await.unwrap();
    }
    assert_eq!(taken.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_kept_connection_that_closes_on_the_next_request_costs_no_attempt() {
    let (address, taken) = serve(|_, mut stream| async move {
        request(&mut stream).await.unwrap();
        stream.write_all(OK).await.unwrap();
        // Accepts the second request, and closes without a reply.
        request(&mut stream).await;
    })
    .await;
    let sender = Sender::new(OPEN);
    for connections in 1..=2 {
        let attempt = post(&sender, &format!("http://{address}/")).await;
        assert_eq!((attempt.status, attempt.failure), (Some(200), None));
        assert_eq!(taken.load(Ordering::SeqCst), connections);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_new_connection_that_closes_without_an_answer_is_not_tried_again() {
    let (address, taken) = serve(|_, mut stream| async move {
        request(&mut stream).await;
    })
    .await;
    let attempt = post(&Sender::new(OPEN), &format!("http://{address}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Protocol)));
    assert_eq!(taken.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn nothing_connects_to_the_own_network() {
    let (address, taken) = serve(|_, stream| answer(stream, OK)).await;
    let port = address.port();
    let sender = Sender::new(Egress::default());
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "127.1", "0x7f.1", "[::ffff:127.0.0.1]"] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://public:secret@{host}:{port}/");
            let attempt = post(&sender, &url).await;
            assert_eq!(attempt.status, None, "{url}");
            assert!(matches!(attempt.failure, Some(Failure::Address(_))), "{url}: {attempt:?}");
        }
    }
    // A name with a dot at its end may be unknown to the system.
    let attempt = post(&sender, &format!("http://localhost.:{port}/")).await;
    assert!(matches!(attempt.failure, Some(Failure::Address(_) | Failure::Dns)), "{attempt:?}");
    assert_eq!(taken.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_bad_url_is_a_failure_like_any_other() {
    for url in ["", "ftp://example.com/", "http://[fe80::1%25lo]/", "http://"] {
        let attempt = post(&hasty(), url).await;
        assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Url)), "{url}");
    }
}

#[tokio::test]
async fn only_a_certificate_of_somebody_trusted_is_accepted() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = made.signing_key.serialize_der().try_into().unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (address, _) = serve(move |_, stream| {
        let acceptor = acceptor.clone();
        async move {
            if let Ok(stream) = acceptor.accept(stream).await {
                answer(stream, OK).await;
            }
        }
    })
    .await;
    let port = address.port();

    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let trusting = Sender::with_roots(OPEN, Limits::default(), roots);
    let attempt = post(&trusting, &format!("https://localhost:{port}/")).await;
    assert_eq!((attempt.status, attempt.failure), (Some(200), None));
    let attempt = post(&trusting, &format!("https://127.0.0.1:{port}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Tls)), "another name");

    let another = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(another.cert.der().clone()).unwrap();
    let trusting_another = Sender::with_roots(OPEN, Limits::default(), roots);
    let attempt = post(&trusting_another, &format!("https://localhost:{port}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::Tls)), "a stranger");

    let trusting_nobody = Sender::with_roots(OPEN, Limits::default(), RootCertStore::empty());
    let attempt = post(&trusting_nobody, &format!("https://localhost:{port}/")).await;
    assert_eq!((attempt.status, attempt.failure), (None, Some(Failure::NoRoots)));
}

#[tokio::test]
async fn a_server_without_encryption_is_a_failure_of_tls() {
    let (address, _) = serve(|_, mut stream| async move {
        let mut hello = [0; 16];
        let _ = stream.read(&mut hello).await;
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    })
    .await;
    let attempt = post(&Sender::new(OPEN), &format!("https://{address}/")).await;
    assert!(matches!(attempt.failure, Some(Failure::Tls | Failure::NoRoots)), "{attempt:?}");
}
