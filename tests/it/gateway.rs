//! Bounds of the connections and calls of the gateway.

mod flood;
pub(crate) mod strangers;

use std::time::{Duration, Instant};

use embedded::{Effect, Fault};
use roundtable::{ConnectionLimits, GatewayOptions, Proxies, ProxyHeader};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::app::{App, Options};

const SHORT: Duration = Duration::from_millis(300);
/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);
const BEGUN: &str = "POST /v2/organizations/get HTTP/1.1\r\nhost: localhost\r\n";

fn patient() -> ConnectionLimits {
    ConnectionLimits { head: LONG, idle: LONG, ..ConnectionLimits::default() }
}

async fn start(gateway: GatewayOptions) -> App {
    App::start_with(Options { gateway, ..Options::default() }).await
}

async fn connect(app: &App) -> TcpStream {
    let address = app.base.strip_prefix("http://").expect("a base URL");
    TcpStream::connect(address).await.expect("a connection")
}

/// The reply to bytes, until the gateway closes the connection.
async fn answer(app: &App, sent: &str) -> String {
    let mut stream = connect(app).await;
    stream.write_all(sent.as_bytes()).await.expect("sent");
    rest(&mut stream).await
}

async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = vec![];
    let read = tokio::time::timeout(LONG / 2, stream.read_to_end(&mut bytes)).await;
    let _ = read.expect("the gateway closes the connection");
    String::from_utf8(bytes).expect("a text")
}

#[tokio::test]
async fn headers_that_do_not_come_in_time_are_answered_with_408() {
    let app = start(GatewayOptions {
        connections: ConnectionLimits { head: SHORT, ..patient() },
        ..GatewayOptions::default()
    })
    .await;
    let mut stream = connect(&app).await;
    let trickled = async {
        for byte in BEGUN.bytes() {
            if stream.write_all(&[byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(SHORT / 10).await;
        }
        rest(&mut stream).await
    };
    let began = Instant::now();
    let whole = SHORT / 10 * u32::try_from(BEGUN.len()).expect("short");
    let answer = trickled.await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(began.elapsed() < whole + LONG / 2);
    let answer = self::answer(&app, BEGUN).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(self::answer(&app, "").await, "", "who sends nothing gets nothing");
}

#[tokio::test]
async fn slow_request_bodies_are_answered_with_408_and_do_not_block_other_calls() {
    let gateway =
        GatewayOptions { connections: patient(), body: SHORT * 3, ..GatewayOptions::default() };
    let app = start(gateway).await;
    // As many as would take all calls of the account, which anybody may name.
    let slow =
        format!("{BEGUN}x-service-api-key: {}\r\ncontent-length: 10\r\n\r\nslow", app.key.api_key);
    let mut streams = vec![];
    for _ in 0..100 {
        let mut stream = connect(&app).await;
        stream.write_all(slow.as_bytes()).await.expect("sent");
        streams.push(stream);
    }
    app.call("workspace.domains_get", json!({})).await.ok();
    for mut stream in streams {
        let answer = rest(&mut stream).await;
        assert!(
            answer.starts_with("HTTP/1.1 408 ") && answer.contains("connection: close"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn too_many_or_too_large_headers_get_431_and_a_malformed_body_gets_400() {
    let app = start(GatewayOptions { connections: patient(), ..GatewayOptions::default() }).await;
    let large = format!("{BEGUN}x-large: {}\r\n\r\n", "x".repeat(40 * 1024));
    let many = format!("{BEGUN}{}\r\n", "x-more: x\r\n".repeat(200));
    for head in [large, many] {
        let answer = answer(&app, &head).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
    let malformed = format!("{BEGUN}transfer-encoding: chunked\r\n\r\nnonsense\r\n");
    let answer = answer(&app, &malformed).await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

#[tokio::test]
async fn an_idle_http_connection_makes_room_for_a_new_one_and_a_live_connection_does_not() {
    let connections = ConnectionLimits { idle: SHORT, connections: 3, ..patient() };
    let app = start(GatewayOptions { connections, ..GatewayOptions::default() }).await;
    let token = crate::end_users::member(&app, "eve", "editor").await;
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    let get = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for _ in 0..10 {
        // Takes the place of one that waits, and not that of the socket.
        let answer = answer(&app, get).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    socket.send_json(&crate::end_users::at(json!({ "type": "subscribe" }))).await;
    assert!(socket.json().await["type"].is_string(), "there is an answer");
}

#[tokio::test]
async fn a_call_beyond_the_limit_of_calls_at_a_time_gets_503() {
    let gateway = GatewayOptions { calls: 1, wait: SHORT, ..GatewayOptions::default() };
    let app = start(gateway).await;
    let other = app.second_key().await;
    let get = "workspace.domains_get";
    // Longer than one attempt of the store.
    let effect = Effect::Stall(LONG);
    app.fault(Fault { operation: "*".to_owned(), skip: 0, times: 2, effect });
    let url = format!("{}/v2/workspace/domains/get", app.base);
    let refused = async {
        tokio::time::sleep(SHORT / 3).await;
        let call = reqwest::Client::new().post(url).header("origin", "https://a.example");
        call.header("x-service-api-key", &other.api_key).body("{}").send().await.expect("an answer")
    };
    let (_, refused) = tokio::join!(app.call(get, json!({})), refused);
    assert_eq!(refused.status(), 503);
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(refused.headers()["access-control-allow-origin"], "*");
    assert_eq!(refused.text().await.expect("a body"), r#"{"message":"Too many calls at a time."}"#);
    app.call_as(&other, get, json!({})).await.ok();
}

#[tokio::test]
async fn a_connection_is_refused_with_503_while_all_connections_are_being_answered() {
    let connections = ConnectionLimits { connections: 1, ..patient() };
    let app = start(GatewayOptions { connections, ..GatewayOptions::default() }).await;
    let effect = Effect::Stall(LONG);
    app.fault(Fault { operation: "*".to_owned(), skip: 0, times: 2, effect });
    let refused = async {
        tokio::time::sleep(SHORT / 3).await;
        answer(&app, "").await
    };
    let (_, refused) = tokio::join!(app.call("workspace.domains_get", json!({})), refused);
    assert!(
        refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: 1"),
        "{refused}"
    );
}

/// The status of a handshake for the live channel, and its connection.
async fn handshake(app: &App, told: &str) -> (String, TcpStream) {
    let mut stream = connect(app).await;
    let request = format!(
        "GET /live?protocol=hocuspocus HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n{told}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.expect("an answer");
    (String::from_utf8(status.to_vec()).expect("a text"), stream)
}

#[tokio::test]
async fn a_trusted_proxy_gives_the_client_address_that_shares_are_counted_by() {
    const OPEN: &str = "HTTP/1.1 101";
    const FULL: &str = "HTTP/1.1 429";
    let connections = ConnectionLimits { of_address: 1, ..patient() };
    for (proxies, header, expected) in [
        ("127.0.0.1", ProxyHeader::XForwardedFor, [OPEN, FULL, FULL, OPEN, OPEN]),
        ("127.0.0.1", ProxyHeader::Forwarded, [OPEN, OPEN, OPEN, OPEN, OPEN]),
        ("10.0.0.0/8", ProxyHeader::XForwardedFor, [OPEN, OPEN, OPEN, OPEN, OPEN]),
    ] {
        let proxies = proxies.parse::<Proxies>().expect("networks").naming_by(header);
        let app = start(GatewayOptions { proxies, connections, ..GatewayOptions::default() }).await;
        let mut held = vec![];
        for (told, expected) in [
            ("x-forwarded-for: 9.9.9.9", expected[0]),
            ("x-forwarded-for: 9.9.9.9", expected[1]),
            ("x-forwarded-for: 6.6.6.6, 9.9.9.9", expected[2]),
            ("x-forwarded-for: 9.9.9.9, 8.8.8.8", expected[3]),
            ("forwarded: for=127.0.0.1", expected[4]),
        ] {
            let (status, stream) = handshake(&app, told).await;
            assert_eq!(status, expected, "{told} {header:?}");
            held.push(stream);
        }
        drop(held);
    }
}
