//! Writes received requests to a file, for independent verifiers (`tests/peers/README.md`).

use std::{io::Write, time::Duration};

use serde_json::json;

use bench::{client::Client, process::Service};

use crate::sink::Sink;

const EVENTS: usize = 100;

/// One JSON line for each request and secret it has to verify with.
pub(crate) async fn run(file: &str) -> bool {
    let (service, sink) = (Service::start().await, Sink::start().await);
    let client = Client::of(&service).await;
    let (endpoint, old) = client.endpoint(&sink.url("/")).await;
    let before = client.events(EVENTS, 8).await.len();
    let mut all = sink.wait(before, Duration::from_secs(60)).await;
    let rotation = json!({ "endpointId": endpoint, "gracePeriodSeconds": 3600 });
    let rotated = client.call("/v2/workspace/advancedwebhook/endpoints/secret/rotate", rotation);
    let new = rotated.await["data"]["secret"].as_str().expect("a secret").to_owned();
    let after = client.events(EVENTS, 8).await.len();
    all &= sink.wait(before + after, Duration::from_secs(60)).await;

    let mut out = std::fs::File::create(file).expect("a file that can be written");
    let mut lines = 0;
    for (n, arrival) in sink.arrivals().into_iter().enumerate() {
        let secrets = if n < before { vec![&old] } else { vec![&new, &old] };
        for secret in secrets {
            let body = String::from_utf8_lossy(&arrival.body);
            let line = json!({ "secret": secret, "headers": arrival.headers, "body": body });
            writeln!(out, "{line}").expect("a file that can be written");
            lines += 1;
        }
    }
    println!("{lines} verifications to be made in {file}");
    all
}
