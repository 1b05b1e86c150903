//! Many hostile connections at a time take nothing from others.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use roundtable::{ConnectionLimits, GatewayOptions};
use simulator::Dice;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::sleep,
};

use super::{BEGUN, LONG, start};

/// Hostile connections at a time: more than the gateway has.
const HOSTILE: u64 = 200;
const CONNECTIONS: usize = 60;
const CALLS: usize = 40;
/// How often a client tries a call.
const TRIES: usize = 3;

/// Waits for less than so many milliseconds.
async fn pause(dice: &mut Dice, milliseconds: u64) {
    sleep(Duration::from_millis(dice.below(milliseconds))).await;
}

/// The request of a hostile client, in parts.
fn request(dice: &mut Dice) -> Vec<Vec<u8>> {
    let noise = |dice: &mut Dice, most: u64| -> Vec<u8> {
        (0..dice.below(most)).map(|_| u8::try_from(dice.below(256)).expect("a byte")).collect()
    };
    let head = |more: String| format!("{BEGUN}{more}\r\n\r\n").into_bytes();
    match dice.below(9) {
        0 => vec![],
        1 => BEGUN.bytes().map(|byte| vec![byte]).collect(),
        2 => vec![noise(dice, 2000)],
        3 => vec![head(format!("content-length: {}", dice.below(1 << 31))), noise(dice, 100_000)],
        4 => vec![head(format!("x-large: {}", "x".repeat(dice.below(100_000) as usize)))],
        5 => vec![
            head("transfer-encoding: chunked".to_owned()),
            b"ffff\r\n".to_vec(),
            noise(dice, 10_000),
        ],
        6 => (0..50).map(|at| format!("x-{at}: y\r\n").into_bytes()).collect(),
        // Many requests whose replies nobody reads.
        7 => vec![b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(50)],
        _ => vec![
            head(format!("x-service-api-key: {}\r\ncontent-length: 2", dice.below(1000))),
            b"{}".to_vec(),
        ],
    }
}

async fn attack(address: String, seed: u64, ends: Arc<AtomicBool>) {
    let dice = &mut Dice::new(seed);
    while !ends.load(Ordering::Relaxed) {
        if let Ok(mut stream) = TcpStream::connect(&address).await {
            for part in request(dice) {
                if stream.write_all(&part).await.is_err() {
                    break;
                }
                pause(dice, 20).await;
            }
            if dice.below(2) == 0 {
                let mut reply = [0; 512];
                let _ =
                    tokio::time::timeout(Duration::from_millis(200), stream.read(&mut reply)).await;
            } else {
                pause(dice, 500).await;
            }
        }
        pause(dice, 50).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_callers_are_served_during_a_flood() {
    let connections = ConnectionLimits {
        connections: CONNECTIONS,
        head: Duration::from_secs(2),
        idle: Duration::from_secs(5),
        ..ConnectionLimits::default()
    };
    let body = Duration::from_secs(2);
    let app = start(GatewayOptions { connections, body, ..GatewayOptions::default() }).await;
    let address = app.base.strip_prefix("http://").expect("a base URL").to_owned();
    let ends = Arc::new(AtomicBool::new(false));
    let attackers =
        (1..=HOSTILE).map(|seed| tokio::spawn(attack(address.clone(), seed, Arc::clone(&ends))));
    let attackers: Vec<_> = attackers.collect();
    sleep(Duration::from_secs(1)).await;

    let (repeated, mut slowest) = (AtomicUsize::new(0), Duration::ZERO);
    for _ in 0..CALLS {
        let began = Instant::now();
        for attempt in 1..=TRIES {
            // A connection of its own, as of a new client.
            let call = reqwest::Client::new()
                .post(format!("{}/v2/workspace/domains/get", app.base))
                .header("x-service-api-key", &app.key.api_key)
                .header("x-service-auth-token", &app.key.auth_token)
                .body(r#"{"data":{}}"#);
            match tokio::time::timeout(LONG, call.send()).await.expect("an answer in time") {
                Ok(reply) if reply.status() == 200 => break,
                other if attempt == TRIES => panic!("not served: {other:?}"),
                _ => repeated.fetch_add(1, Ordering::Relaxed),
            };
        }
        slowest = slowest.max(began.elapsed());
    }
    ends.store(true, Ordering::Relaxed);
    for attacker in attackers {
        attacker.await.expect("no panic");
    }
    let repeated = repeated.into_inner();
    assert!(repeated <= CALLS / 4, "{repeated} of {CALLS} calls were repeated");
    assert!(slowest < Duration::from_secs(20), "{slowest:?}");
    // Nothing is left of it.
    let reply = reqwest::get(format!("{}/ready", app.base)).await.expect("an answer");
    assert_eq!(reply.status(), 200);
}
