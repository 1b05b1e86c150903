//! Figures of the service (docs/SERVER.md, "Metrics").

use std::{collections::BTreeMap, time::Duration};

use embedded::EmbeddedServices;
use roundtable::queue_name;
use serde_json::json;
use service::{MAX_RECEIVES, Queue};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    app::{App, receiver::Answer},
    deliveries,
};

/// The listener of an app.
struct Scraped(String);

impl Scraped {
    async fn start(app: &App, token: Option<&str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let token = token.map(str::to_owned);
        tokio::spawn(roundtable::serve_metrics(app.stack().clone(), listener, token));
        Self(base)
    }

    async fn text(&self) -> String {
        let reply = reqwest::get(format!("{}/metrics", self.0)).await.unwrap();
        assert_eq!(reply.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
        reply.text().await.unwrap()
    }

    /// All series with their values.
    async fn series(&self) -> BTreeMap<String, f64> {
        let text = self.text().await;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| {
                let (series, value) = line.rsplit_once(' ').expect("a value");
                (series.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line}")))
            })
            .collect()
    }

    /// The values of these series; 0 where there is none.
    async fn values<const N: usize>(&self, names: [&str; N]) -> [f64; N] {
        let series = self.series().await;
        names.map(|name| series.get(name).copied().unwrap_or(0.0))
    }
}

#[tokio::test]
async fn the_listener_refuses_other_hosts_and_ends_half_requests() {
    let app = App::start().await;
    let open = Scraped::start(&app, None).await;
    let as_host = |base: &str, host: &str| {
        reqwest::Client::new().get(format!("{base}/metrics")).header("host", host).send()
    };
    // A page whose name merely leads here.
    assert_eq!(as_host(&open.0, "evil.example").await.unwrap().status(), 421);
    assert_eq!(as_host(&open.0, "localhost:3001").await.unwrap().status(), 200);
    let closed = Scraped::start(&app, Some("a token of 16 characters")).await;
    assert_eq!(as_host(&closed.0, "metrics.internal").await.unwrap().status(), 401);
    // Half requests make room for whole ones, and end in time.
    let address = open.0.strip_prefix("http://").unwrap();
    let mut halves = vec![];
    for _ in 0..100 {
        let mut half = tokio::net::TcpStream::connect(address).await.unwrap();
        half.write_all(b"GET /metrics HTTP/1.1\r\nhost: local").await.unwrap();
        halves.push(half);
    }
    assert!(open.text().await.contains("roundtable_ready"));
    let ended = async {
        for half in &mut halves {
            let _ = half.read_to_end(&mut vec![]).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(30), ended).await.is_ok());
}

/// Lets what was looked up for the last scrape grow old.
async fn grow_old() {
    tokio::time::sleep(Duration::from_millis(1_100)).await;
}

#[tokio::test]
async fn calls_are_counted_by_operation_and_status_and_name_no_tenant() {
    let app = App::start().await;
    let scraped = Scraped::start(&app, None).await;
    for _ in 0..3 {
        app.call("organizations.get", json!({})).await.ok();
    }
    app.call("organizations.get", json!({ "pageSize": -1 })).await.error("INVALID_ARGUMENT");
    for path in ["/v2/nothing", "/v2/nothing/else", "/docs/"] {
        reqwest::get(format!("{}{path}", app.base)).await.unwrap();
    }
    let count = |labels: &str| format!("http_server_request_duration_seconds_count{{{labels}}}");
    let bucket = "http_server_request_duration_seconds_bucket\
                  {operation=\"organizations.get\",status=\"200\",le=\"+Inf\"}";
    let found = scraped
        .values([
            &count(r#"operation="organizations.get",status="200""#),
            &count(r#"operation="organizations.get",status="400""#),
            &count(r#"operation="other",status="404""#),
            &count(r#"operation="other",status="200""#),
            bucket,
        ])
        .await;
    assert_eq!(found, [3.0, 1.0, 2.0, 1.0, 3.0]);
    let text = scraped.text().await;
    for secret in [&app.key.api_key, &app.workspace.id, &app.key.auth_token, &"nothing".to_owned()]
    {
        assert!(!text.contains(secret.as_str()), "{secret}");
    }
}

#[tokio::test]
async fn work_in_databases_is_counted_by_action() {
    let app = App::start().await;
    let scraped = Scraped::start(&app, None).await;
    let calls =
        |action: &str| format!("roundtable_store_call_seconds_count{{action=\"{action}\"}}");
    let waits = "roundtable_store_wait_seconds_count{database=\"dynamodb\"}";
    let names = [&calls("GetItem"), &calls("Query"), &calls("PutItem"), waits];
    let before = scraped.values(names).await;
    app.forget_calls();
    let organizations = json!({ "organizations": [{ "organizationId": "acme" }] });
    app.call("organizations.add", organizations).await.ok();
    app.call("organizations.get", json!({})).await.ok();
    let made = app.calls();
    let of = |action: &str| made.iter().filter(|call| call.operation == action).count() as f64;
    let after = scraped.values(names).await;
    let more: Vec<f64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
    assert_eq!(more[..3], [of("GetItem"), of("Query"), of("PutItem")]);
    // The proof of `roundtable_ready` waits, too.
    let all = made.iter().filter(|call| call.service == embedded::Service::DynamoDb).count();
    assert!((all as f64..=all as f64 + 1.0).contains(&more[3]), "{all} of {more:?}");
}

#[tokio::test]
async fn a_delivery_that_fails_and_then_succeeds_is_two_attempts_with_one_delay() {
    let (app, receiver) = deliveries::start().await;
    let scraped = Scraped::start(&app, None).await;
    let sent = json!({ "url": receiver.url, "filterTypes": ["comment_annotation.add"] });
    app.call("webhook-endpoints.create", sent).await.ok();
    app.advance(Duration::from_millis(1));
    let names = [
        r#"roundtable_deliveries_total{outcome="success"}"#,
        r#"roundtable_deliveries_total{outcome="failure"}"#,
        "roundtable_delivery_delay_seconds_count",
        r#"roundtable_delivery_delay_seconds_bucket{le="5"}"#,
        r#"roundtable_delivery_delay_seconds_bucket{le="60"}"#,
    ];
    assert_eq!(scraped.values(names).await, [0.0; 5]);
    receiver.script([Answer::status(503)]);
    deliveries::thread(&app, "t1").await;
    app.settle().await;
    assert_eq!(scraped.values(names).await, [0.0, 1.0, 0.0, 0.0, 0.0]);
    app.advance(Duration::from_secs(10));
    app.tick().await;
    app.settle().await;
    assert_eq!(receiver.count(), 2);
    assert_eq!(scraped.values(names).await, [1.0, 1.0, 1.0, 0.0, 1.0]);

    // An order of a caller says nothing about how late the service is.
    let listed = app.call("deliveries.messages_get", json!({})).await.data();
    let message = listed["messages"][0]["id"].clone();
    let endpoint = app.call("webhook-endpoints.get", json!({})).await.data();
    let endpoint = endpoint["endpoints"][0]["id"].clone();
    app.advance(Duration::from_secs(86_400));
    let again = json!({ "messageId": message, "endpointId": endpoint });
    app.call("deliveries.messages_resend", again).await.ok();
    app.settle().await;
    assert_eq!(scraped.values(names).await, [2.0, 1.0, 1.0, 0.0, 1.0]);
}

#[tokio::test]
async fn queues_are_counted_by_state_and_dead_letters_apart() {
    let app = App::start().await;
    app.expect_dead_letters();
    let scraped = Scraped::start(&app, None).await;
    let url =
        format!("http://localhost{}", EmbeddedServices::queue_path(&queue_name(Queue::Cleanup)));
    for (delay, body) in [(0, "no message of ours"), (900, "nor this")] {
        let message = json!({ "QueueUrl": url, "MessageBody": body, "DelaySeconds": delay });
        app.embedded().sqs("SendMessage", message).await.unwrap();
    }
    let names = [
        r#"roundtable_queue_messages{queue="cleanup",state="visible"}"#,
        r#"roundtable_queue_messages{queue="cleanup",state="in_flight"}"#,
        r#"roundtable_queue_messages{queue="cleanup",state="delayed"}"#,
        r#"roundtable_dead_letters{queue="cleanup"}"#,
    ];
    assert_eq!(scraped.values(names).await, [1.0, 0.0, 1.0, 0.0]);
    app.embedded().sqs("ReceiveMessage", json!({ "QueueUrl": url })).await.unwrap();
    assert_eq!(scraped.values(names).await, [1.0, 0.0, 1.0, 0.0], "it is looked up once a second");
    grow_old().await;
    assert_eq!(scraped.values(names).await, [0.0, 1.0, 1.0, 0.0]);
    for _ in 0..=MAX_RECEIVES {
        app.advance(Duration::from_secs(7 * 60));
        let _ = app.try_settle().await;
    }
    grow_old().await;
    let [visible, in_flight, delayed, dead] = scraped.values(names).await;
    assert_eq!((delayed, dead), (0.0, 2.0 - visible - in_flight));
    assert!(dead >= 1.0);
    // Nobody receives dead letters that have expired.
    app.advance(Duration::from_secs(15 * 86_400));
    grow_old().await;
    assert_eq!(scraped.values(names).await[3], 0.0);
}

#[tokio::test]
async fn open_connections_and_readiness_are_measured() {
    let app = App::start().await;
    let scraped = Scraped::start(&app, None).await;
    let names = ["roundtable_live_connections", "roundtable_ready"];
    assert_eq!(scraped.values(names).await, [0.0, 1.0]);
    let socket = app.connect("protocol=hocuspocus").await;
    grow_old().await;
    assert_eq!(scraped.values(names).await, [1.0, 1.0]);
    socket.close(1000).await;
    app.stack().end_work().await;
    grow_old().await;
    assert_eq!(scraped.values(names).await, [0.0, 0.0]);
}

#[tokio::test]
async fn metrics_need_the_token_of_readers_and_health_checks_need_none() {
    let app = App::start().await;
    let scraped = Scraped::start(&app, Some("token of readers")).await;
    let status = async |path: &str, header: Option<&str>| {
        let mut request = reqwest::Client::new().get(format!("{}{path}", scraped.0));
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        request.send().await.unwrap().status().as_u16()
    };
    for wrong in [None, Some(""), Some("Bearer"), Some("Bearer token"), Some("token of readers")] {
        assert_eq!(status("/metrics", wrong).await, 401, "{wrong:?}");
    }
    assert_eq!(status("/metrics", Some("Bearer token of readers")).await, 200);
    for (path, expected) in [("/ready", 200), ("/health", 200), ("/v2/users/get", 404)] {
        assert_eq!(status(path, None).await, expected, "{path}");
    }
    let gateway = reqwest::get(format!("{}/metrics", app.base)).await.unwrap();
    assert_eq!(gateway.status(), 404, "the gateway serves no figures");
}
