//! The limits of WebSocket APIs, as the local gateway keeps them.

use std::time::Duration;

use aws::PostFailure;
use embedded::{Effect, Fault};
use roundtable::LiveOptions;
use service::Error;
use tests::socket::Socket as Client;

use super::probe::Probe;
use crate::app::{App, Options};

const FRAME: usize = 32 * 1024;
const MESSAGE: usize = 128 * 1024;
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_connection_is_accepted_exchanges_messages_and_is_gone_after_its_close() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    let is_one = id.len() == 16 && id.ends_with('=');
    assert!(is_one, "{id} is no id of API Gateway");

    client.send("hello").await;
    let seen = probe.next().await;
    assert_eq!((seen.route, seen.body.as_str(), &seen.connection), ("$default", "hello", &id));
    seen.answer(Ok(()));
    probe.connections().post(&id, b"welcome".to_vec()).await.unwrap();
    assert_eq!(client.text().await, "welcome");

    client.close(4000).await;
    let seen = probe.next().await;
    assert_eq!((seen.route, &seen.connection), ("$disconnect", &id));
    seen.answer(Ok(()));
    assert_eq!(probe.connections().post(&id, vec![]).await, Err(PostFailure::Gone));
    assert_eq!(probe.connections().close(&id).await, Err(PostFailure::Gone));
}

#[tokio::test]
async fn a_connection_that_breaks_without_a_close_is_disconnected() {
    let mut probe = Probe::start(Options::default()).await;
    let (client, id) = probe.connect().await;
    drop(client);
    let seen = probe.next().await;
    assert_eq!((seen.route, &seen.connection), ("$disconnect", &id));
    assert_eq!(probe.connections().post(&id, vec![]).await, Err(PostFailure::Gone));
}

#[tokio::test]
async fn a_refused_connection_gets_the_http_status_of_its_error() {
    let mut probe = Probe::start(Options::default()).await;
    for (error, status) in [
        (Error::invalid("x"), 400),
        (Error::denied("x"), 403),
        (Error::exhausted("x"), 429),
        (Error::unavailable("x"), 503),
    ] {
        let query = probe.query();
        let (refused, id) = tokio::join!(probe.app.try_connect(&query), async {
            probe.seen.recv().await.expect("an event").answer(Err(error))
        });
        assert_eq!(refused.err(), Some(status));
        assert_eq!(probe.connections().post(&id, vec![]).await, Err(PostFailure::Gone));
    }
    // Nobody was there who could leave.
    assert!(probe.seen.try_recv().is_err());
}

#[tokio::test]
async fn an_upgrade_to_another_protocol_gets_426_and_an_unknown_path_gets_404() {
    let app = App::start().await;
    let status = |path: &str, upgrade: &str| {
        let request = reqwest::Client::new().get(format!("{}{path}", app.base));
        let request = request.header("connection", "upgrade").header("upgrade", upgrade.to_owned());
        let request = request.header("sec-websocket-version", "13");
        let request = request.header("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==");
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(status("/live", "h2c").await, 426);
    assert_eq!(status("/live/room", "websocket").await, 404);
}

#[tokio::test]
async fn nothing_reaches_a_connection_before_connect_has_returned() {
    let mut probe = Probe::start(Options::default()).await;
    let (connections, query) = (probe.connections(), probe.query());
    let (connected, id) = tokio::join!(Client::open(&probe.app.base, &query), async {
        let seen = probe.seen.recv().await.expect("an event");
        let early = connections.post(&seen.connection, b"early".to_vec()).await;
        assert_eq!(early, Err(PostFailure::Gone));
        seen.answer(Ok(()))
    });
    connections.post(&id, b"late".to_vec()).await.unwrap();
    assert_eq!(connected.ok().unwrap().text().await, "late");
}

#[tokio::test]
async fn a_binary_message_closes_the_connection_with_1003() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    client.send_binary(vec![0, 1, 2]).await;
    assert_eq!(client.closed().await, 1003);
    let seen = probe.next().await;
    assert_eq!((seen.route, &seen.connection), ("$disconnect", &id));
}

#[tokio::test]
async fn frames_have_32_kb_at_most() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, _) = probe.connect().await;
    client.send("x".repeat(FRAME)).await;
    let seen = probe.next().await;
    assert_eq!(seen.body.len(), FRAME);
    seen.answer(Ok(()));
    client.send("x".repeat(FRAME + 1)).await;
    assert_eq!(client.closed().await, 1009);
    assert_eq!(probe.next().await.route, "$disconnect");
}

#[tokio::test]
async fn messages_of_several_frames_have_32_kb_at_most() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, _) = probe.connect().await;
    let half = "x".repeat(FRAME / 2);
    client.send_frames(&[&half, &half]).await;
    let seen = probe.next().await;
    assert_eq!(seen.body.len(), FRAME);
    seen.answer(Ok(()));
    client.send_frames(&[&half, &half, "x"]).await;
    assert_eq!(client.closed().await, 1009);
    assert_eq!(probe.next().await.route, "$disconnect");
}

#[tokio::test]
async fn a_posted_message_has_128_kb_of_text_at_most() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    let connections = probe.connections();
    let most = "é".repeat(MESSAGE / 2);
    let larger = format!("{most}x").into_bytes();
    assert_eq!(connections.post(&id, larger).await, Err(PostFailure::TooLarge));
    connections.post(&id, most.clone().into_bytes()).await.unwrap();
    assert_eq!(client.text().await, most);
    let no_text = connections.post(&id, vec![0xff]).await;
    assert!(matches!(no_text, Err(PostFailure::Unavailable(_))), "{no_text:?}");
}

#[tokio::test]
async fn a_connection_that_is_silent_for_ten_minutes_ends() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    let connections = probe.connections();
    let pass = |probe: &Probe, time| {
        probe.app.advance(time);
        probe.app.embedded().connections().close_expired();
    };
    // A message in either direction begins the ten minutes anew.
    pass(&probe, 9 * MINUTE);
    client.send("here").await;
    probe.next().await.answer(Ok(()));
    pass(&probe, 9 * MINUTE);
    connections.post(&id, b"there".to_vec()).await.unwrap();
    pass(&probe, 9 * MINUTE);
    connections.post(&id, b"still there".to_vec()).await.unwrap();
    pass(&probe, 10 * MINUTE);
    assert_eq!(connections.post(&id, vec![]).await, Err(PostFailure::Gone));
    assert_eq!(client.text().await, "there");
    assert_eq!(client.text().await, "still there");
    assert_eq!(client.closed().await, 1001);
    assert_eq!(probe.next().await.route, "$disconnect");
}

#[tokio::test]
async fn a_connection_ends_after_two_hours() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    for n in 0..13 {
        probe.connections().post(&id, format!("{n}").into_bytes()).await.unwrap();
        probe.app.advance(9 * MINUTE);
        probe.app.embedded().connections().close_expired();
        assert_eq!(client.text().await, format!("{n}"));
    }
    probe.app.advance(3 * MINUTE);
    probe.app.embedded().connections().close_expired();
    assert_eq!(client.closed().await, 1001);
    assert_eq!(probe.next().await.route, "$disconnect");
}

#[tokio::test]
async fn posts_to_a_client_that_does_not_read_fail_and_other_clients_are_served() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut slow, slow_id) = probe.connect().await;
    let (mut quick, quick_id) = probe.connect().await;
    let connections = probe.connections();
    let mut posted = 0;
    let refused = loop {
        match connections.post(&slow_id, vec![b'x'; MESSAGE]).await {
            Ok(()) => posted += 1,
            Err(refused) => break refused,
        }
        assert!(posted < 1000, "the buffer has no end");
    };
    assert_eq!(refused, PostFailure::Full);
    connections.post(&quick_id, b"quick".to_vec()).await.unwrap();
    assert_eq!(quick.text().await, "quick");
    for _ in 0..posted {
        assert_eq!(slow.text().await.len(), MESSAGE);
    }
    connections.post(&slow_id, b"again".to_vec()).await.unwrap();
    assert_eq!(slow.text().await, "again");
}

#[tokio::test]
async fn a_client_that_is_closed_gets_the_messages_posted_before_the_close() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    let connections = probe.connections();
    connections.post(&id, b"farewell".to_vec()).await.unwrap();
    connections.close(&id).await.unwrap();
    assert_eq!(connections.post(&id, vec![]).await, Err(PostFailure::Gone));
    assert_eq!(client.text().await, "farewell");
    assert_eq!(client.closed().await, 1000);
    assert_eq!(probe.next().await.route, "$disconnect");
}

#[tokio::test]
async fn a_function_posts_to_connections_only_if_its_role_allows_it() {
    let mut probe = Probe::start(Options::default()).await;
    let (_client, id) = probe.connect().await;
    for function in ["folders-get", "webhook-endpoints-create"] {
        let refused = probe.connections_of(function).post(&id, b"x".to_vec()).await;
        let Err(PostFailure::Unavailable(reason)) = refused else { panic!("{refused:?}") };
        assert!(reason.contains("AccessDenied"), "{reason}");
        assert!(probe.connections_of(function).close(&id).await.is_err());
    }
    probe.app.expect_denials();
    probe.connections_of("live-fan-out").post(&id, b"x".to_vec()).await.unwrap();
}

#[tokio::test]
async fn a_post_that_fails_once_is_tried_again() {
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, id) = probe.connect().await;
    let operation = "PostToConnection".to_owned();
    let fault = Fault { operation, skip: 0, times: 1, effect: Effect::InternalError };
    probe.app.fault(fault.clone());
    probe.connections().post(&id, b"once".to_vec()).await.unwrap();
    assert_eq!(client.text().await, "once");
    // Too much is not tried again: it would be still more.
    probe.app.fault(Fault { effect: Effect::Throttle, ..fault });
    assert_eq!(probe.connections().post(&id, vec![]).await, Err(PostFailure::Full));
}

#[tokio::test]
async fn with_reordering_enabled_two_messages_arrive_in_reverse_order() {
    let live = LiveOptions { reorders: true, ..LiveOptions::default() };
    let mut probe = Probe::start(Options { live, ..Options::default() }).await;
    let (mut client, _) = probe.connect().await;
    client.send("first").await;
    client.send("second").await;
    client.send("third").await;
    for body in ["second", "first"] {
        let seen = probe.next().await;
        assert_eq!(seen.body, body);
        seen.answer(Ok(()));
    }
    // Nothing comes that could overtake it.
    assert_eq!(probe.next().await.body, "third");
}

#[tokio::test]
async fn at_most_four_messages_of_a_client_are_handled_at_once() {
    const AT_ONCE: usize = 4;
    let mut probe = Probe::start(Options::default()).await;
    let (mut client, _) = probe.connect().await;
    let (mut other, _) = probe.connect().await;
    for n in 0..=AT_ONCE {
        client.send(format!("{n}")).await;
    }
    let mut waiting = Vec::new();
    for _ in 0..AT_ONCE {
        waiting.push(probe.next().await);
    }
    // A message of another client is not held up, and is all that comes.
    other.send("other").await;
    let seen = probe.next().await;
    assert_eq!(seen.body, "other");
    seen.answer(Ok(()));
    waiting.remove(3).answer(Ok(()));
    assert_eq!(probe.next().await.body, AT_ONCE.to_string());
}

#[tokio::test]
async fn connections_that_come_too_fast_are_refused() {
    let live = LiveOptions { connects_per_second: 0, ..LiveOptions::default() };
    let mut probe = Probe::start(Options { live, ..Options::default() }).await;
    assert_eq!(probe.app.try_connect(&probe.query()).await.err(), Some(429));
    assert!(probe.seen.try_recv().is_err(), "no function is called for it");
}

#[tokio::test]
async fn a_gateway_that_stops_closes_its_connections() {
    let mut probe = Probe::start(Options::default()).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stack = probe.app.stack().clone();
    let served = tokio::spawn(roundtable::serve(stack, listener, async {
        let _ = stopped.await;
    }));
    let query = probe.query();
    let (client, _) = tokio::join!(Client::open(&base, &query), async {
        probe.seen.recv().await.expect("an event").answer(Ok(()))
    });
    stop.send(()).unwrap();
    assert_eq!(client.ok().unwrap().closed().await, 1001);
    let seen = probe.next().await;
    assert_eq!(seen.route, "$disconnect");
    assert!(!served.is_finished(), "the function was called and has not returned");
    seen.answer(Ok(()));
    served.await.unwrap().unwrap();
}
