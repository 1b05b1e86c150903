//! Strangers, whose address a proxy tells, take nothing from others.

use std::time::{Duration, Instant};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use embedded::{Effect, Fault};
use roundtable::{ConnectionLimits, GatewayOptions, LiveOptions};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{BEGUN, LONG, SHORT, connect, patient};
use crate::{
    app::{App, Options},
    end_users::{add_document, at, member, token},
};

const OPEN: &str = "HTTP/1.1 101";
const FULL: &str = "HTTP/1.1 429";

/// A gateway behind a proxy on this machine.
async fn behind_a_proxy(connections: ConnectionLimits, connects_per_second: u32) -> App {
    let proxies = "127.0.0.1".parse().expect("an address");
    let gateway = GatewayOptions { proxies, connections, ..GatewayOptions::default() };
    let live = LiveOptions { connects_per_second, ..LiveOptions::default() };
    App::start_with(Options { gateway, live, ..Options::default() }).await
}

fn upgrade(path: &str, from: &str, headers: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\
         {headers}x-forwarded-for: {from}\r\n\r\n"
    )
}

/// The status of a handshake, and its connection.
async fn handshake(app: &App, path: &str, from: &str) -> (String, TcpStream) {
    handshake_with(app, &upgrade(path, from, "")).await
}

/// The same of a page, which offers its token beside the subprotocol.
async fn handshake_of_page(app: &App, path: &str, from: &str, token: &str) -> (String, TcpStream) {
    let offered = format!("sec-websocket-protocol: roundtable, {token}\r\n");
    handshake_with(app, &upgrade(path, from, &offered)).await
}

async fn handshake_with(app: &App, upgrade: &str) -> (String, TcpStream) {
    let mut stream = connect(app).await;
    stream.write_all(upgrade.as_bytes()).await.expect("sent");
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.expect("an answer");
    (String::from_utf8(status.to_vec()).expect("a text"), stream)
}

/// A token for the key and a user, which nobody has signed.
pub(crate) fn forged(app: &App, user: &str) -> String {
    let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = part(json!({ "alg": "HS256", "kid": "k1", "typ": "JWT" }));
    let claims = json!({ "sub": user, "apiKey": app.key.api_key, "exp": u32::MAX });
    format!("{head}.{}.{}", part(claims), URL_SAFE_NO_PAD.encode([7; 32]))
}

#[tokio::test]
async fn handshakes_of_a_stranger_refuse_nobody() {
    let app = behind_a_proxy(patient(), 50).await;
    add_document(&app).await;
    let ada = member(&app, "ada", "editor").await;
    let began = Instant::now();
    let (mut opened, mut round) = (0, 0);
    while began.elapsed() < Duration::from_secs(2) {
        for path in ["/live?protocol=nonsense", "/live?protocol=hocuspocus"] {
            for host in 1..40 {
                handshake(&app, path, &format!("9.9.9.{host}")).await;
            }
        }
        // Without a token as well as with one.
        let (anonymous, _) = handshake(&app, "/live?protocol=hocuspocus", "8.8.8.8").await;
        let own = format!("/live/y/acme/d/e?token={ada}");
        let (user, _) = handshake(&app, &own, "8.8.4.4").await;
        assert_eq!((anonymous.as_str(), user.as_str()), (OPEN, OPEN), "round {round}");
        (opened, round) = (opened + 2, round + 1);
        // Fewer than the part of their own address.
        tokio::time::sleep(SHORT).await;
    }
    assert!(opened > 0);
}

#[tokio::test]
async fn sockets_with_a_refused_token_make_room() {
    const ALL: usize = 40;
    let connections =
        ConnectionLimits { connections: ALL, idle: LONG, head: SHORT * 5, of_address: 4 };
    let app = behind_a_proxy(connections, 500).await;
    add_document(&app).await;
    let ada = member(&app, "ada", "editor").await;
    let (user, mut user_stream) =
        handshake(&app, &format!("/live/y/acme/d/e?token={ada}"), "8.8.8.8").await;
    let (page, mut page_stream) =
        handshake_of_page(&app, "/live?protocol=events", "8.8.8.8", &ada).await;
    assert_eq!((user.as_str(), page.as_str()), (OPEN, OPEN));
    let (began, mut forged_sockets) = (Instant::now(), vec![]);
    let forged = forged(&app, "ada");
    let path = format!("/live/y/acme/d/e?token={forged}");
    for network in 1..=2 * ALL {
        let from = format!("2606:4700:{network:x}::1");
        forged_sockets.push(match network % 2 {
            0 => handshake(&app, &path, &from).await,
            _ => handshake_of_page(&app, "/live?protocol=events", &from, &forged).await,
        });
        let reply = reqwest::get(format!("{}/health", app.base)).await.expect("an answer");
        assert_eq!(reply.status(), 200, "beside {network} sockets");
    }
    assert!(forged_sockets.iter().any(|(status, _)| status == FULL), "they have a part");
    // Forged sockets end although they say nothing, and the user stays.
    for (_, stream) in forged_sockets.iter_mut().filter(|(status, _)| status == OPEN) {
        let mut rest = vec![];
        let read = tokio::time::timeout(LONG / 2, stream.read_to_end(&mut rest)).await;
        assert!(read.is_ok(), "a socket with a refused token stays open");
    }
    assert!(began.elapsed() < LONG / 2);
    for stream in [&mut user_stream, &mut page_stream] {
        let mut bytes = [0; 4096];
        let closed = async { while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {} };
        assert!(tokio::time::timeout(SHORT * 6, closed).await.is_err(), "the user was closed");
    }
}

#[tokio::test]
async fn sockets_that_have_proven_no_user_in_time_are_told_why_they_end() {
    let app = behind_a_proxy(ConnectionLimits { head: SHORT * 5, ..patient() }, 500).await;
    add_document(&app).await;
    let eve = member(&app, "eve", "editor").await;
    let reset = json!({ "apiKey": app.key.api_key });
    app.call("workspace.auth_token_reset", reset).await.ok();
    app.advance(Duration::from_secs(11));
    let before_the_reset = ["/live/y/acme/d/e?", "/live?protocol=events&", "/live/hocuspocus?"]
        .map(|path| (format!("{path}token={eve}"), 4401_u16, "The token is none, or has expired."));
    let silent = ["/live/hocuspocus", "/live?protocol=hocuspocus"]
        .map(|path| (path.to_owned(), 4503, "No token came within ten seconds."));
    let mut opened = vec![];
    for (path, code, reason) in before_the_reset.into_iter().chain(silent) {
        let (status, stream) = handshake(&app, &path, "8.8.8.8").await;
        assert_eq!(status, OPEN, "{path}");
        opened.push((path, stream, [&code.to_be_bytes()[..], reason.as_bytes()].concat()));
    }
    for (path, mut stream, close) in opened {
        let mut rest = vec![];
        let read = tokio::time::timeout(LONG / 2, stream.read_to_end(&mut rest)).await;
        assert!(read.is_ok(), "{path} stays open");
        let told = rest.windows(close.len()).any(|bytes| bytes == close);
        assert!(told, "{path}: {}", String::from_utf8_lossy(&rest));
    }
}

#[tokio::test]
async fn sockets_of_one_tenant_leave_half_of_all_to_others() {
    const ALL: usize = 40;
    let app = behind_a_proxy(ConnectionLimits { connections: ALL, ..patient() }, 500).await;
    let other = app.second_key().await;
    let mut held = vec![];
    for user in ["ada", "bob", "cyd", "dan", "eve", "fay"] {
        let token = token(&app, user, json!([])).await;
        let path = format!("/live?protocol=events&token={token}");
        for _ in 0..ALL / 8 {
            let opened = handshake(&app, &path, "8.8.8.8").await;
            held.extend(Some(opened).filter(|(status, _)| status == OPEN));
        }
    }
    // A quarter are for calls.
    assert_eq!(held.len(), ALL / 4 * 3 / 2);
    let ada = json!({
        "userId": "ada", "userProperties": { "name": "Ada", "email": "ada@example.com" },
        "permissions": { "resources": [] },
    });
    let issued = app.call_as(&other, "users.generate_token", ada).await.data();
    let own = issued["token"].as_str().expect("a token");
    let path = format!("/live?protocol=events&token={own}");
    assert_eq!(handshake(&app, &path, "8.8.4.4").await.0, OPEN);
}

#[tokio::test]
async fn large_bodies_of_two_tenants_leave_memory_to_a_third_and_more_of_them_get_503_soon() {
    // A small part of each needs no memory of all: 32 of them have a tenant's part.
    const BODY: usize = 4 * 1024 * 1024 + 16 * 1024;
    let app = behind_a_proxy(patient(), 500).await;
    let (second, third) = (app.second_key().await, app.second_key().await);
    let body: &'static [u8] = vec![b' '; BODY - 1].leak();
    let mut held = vec![];
    for key in [&app.key, &second] {
        let head = format!(
            "{BEGUN}x-service-api-key: {}\r\nx-service-auth-token: {}\r\n\
             content-length: {BODY}\r\n\r\n",
            key.api_key, key.auth_token
        );
        for _ in 0..32 {
            let (mut stream, head) = (connect(&app).await, head.clone());
            held.push(tokio::spawn(async move {
                stream.write_all(head.as_bytes()).await.ok();
                stream.write_all(body).await.ok();
                std::future::pending::<()>().await;
            }));
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
    }
    let began = Instant::now();
    let call = |key: &tests::Credentials| {
        let url = format!("{}/v2/workspace/domains/get", app.base);
        let call = reqwest::Client::new().post(url);
        let call = call.body(format!("{{\"data\":{{}}{}}}", " ".repeat(40_000)));
        let call = call.header("x-service-api-key", &key.api_key);
        let call = call.header("x-service-auth-token", &key.auth_token);
        async move { call.send().await.expect("an answer").status() }
    };
    assert_eq!(call(&third).await, 200);
    assert_eq!(call(&app.key).await, 503);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    held.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn large_bodies_sent_without_credentials_do_not_delay_other_calls() {
    const BODY: usize = 5 * 1024 * 1024 - 2048;
    let app = behind_a_proxy(patient(), 500).await;
    let body: &'static [u8] = vec![b' '; BODY].leak();
    let mut held = vec![];
    for network in 1..=3 {
        for _ in 0..26 {
            let mut stream = connect(&app).await;
            held.push(tokio::spawn(async move {
                let head = format!(
                    "{BEGUN}x-forwarded-for: 2606:4700:{network}::1\r\ncontent-length: {}\r\n\r\n",
                    BODY + 1
                );
                stream.write_all(head.as_bytes()).await.ok();
                stream.write_all(body).await.ok();
                std::future::pending::<()>().await;
            }));
        }
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let began = Instant::now();
    let data = format!("{{\"data\":{{}}{}}}", " ".repeat(40_000));
    for (name, value) in [("x-forwarded-for", "8.8.8.8"), ("x-unused", "")] {
        let url = format!("{}/v2/workspace/domains/get", app.base);
        let call = reqwest::Client::new().post(url).body(data.clone()).header(name, value);
        let call = call.header("x-service-api-key", &app.key.api_key);
        let call = call.header("x-service-auth-token", &app.key.auth_token);
        assert_eq!(call.send().await.expect("an answer").status(), 200);
    }
    let url = format!("{}/v2/organizations/get", app.base);
    let call = reqwest::Client::new().post(url).header("x-forwarded-for", "8.8.4.4").body(data);
    assert_eq!(call.send().await.expect("an answer").status(), 403);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    held.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_an_end_user_share_one_turn_whatever_api_keys_they_name() {
    let app = behind_a_proxy(patient(), 500).await;
    add_document(&app).await;
    let eve = member(&app, "eve", "editor").await;
    let call = |key: usize| {
        let request = reqwest::Client::new()
            .post(format!("{}/v2/crdt/state/get", app.base))
            .bearer_auth(&eve)
            .header("x-service-api-key", format!("invented-{key}"))
            .body(json!({ "data": at(json!({ "editorId": "e" })) }).to_string());
        async move { request.send().await.expect("an answer").status() }
    };
    call(0).await;
    let effect = Effect::Stall(SHORT);
    app.fault(Fault { operation: "*".to_owned(), skip: 0, times: usize::MAX, effect });
    let began = Instant::now();
    call(0).await;
    let one = began.elapsed();
    let many = 6 * std::thread::available_parallelism().map_or(1, |count| count.get());
    let began = Instant::now();
    futures_util::future::join_all((0..many).map(call)).await;
    // Two at a time per processor.
    assert!(began.elapsed() > one * 2, "{many} take {:?}, one {one:?}", began.elapsed());
}
