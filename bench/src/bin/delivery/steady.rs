//! Memory and data of a service under the same calls for hours.

use std::time::{Duration, Instant};

use bench::{
    client::{Client, ORGANIZATION},
    process::Service,
};
use serde_json::json;

use crate::sink::Sink;

/// Calls a second: every second one is a comment with a webhook, the others are reads.
const RATE: u64 = 50;
/// Time between two lines.
const LINE: Duration = Duration::from_secs(300);

/// Runs for so many minutes; whether all calls were answered and all webhooks arrived.
pub(crate) async fn run(minutes: u64) -> bool {
    let (service, sink) = (Service::start_synced().await, Sink::start().await);
    let client = Client::of(&service).await;
    client.limit(10_000, 10_000).await;
    client.endpoint(&sink.url("/steady"), None).await;
    println!("{RATE} calls a second, half of them comments with a webhook, durability disk");
    println!(
        "{:>7} {:>9} {:>9} {:>9} {:>8}",
        "minute", "comments", "webhooks", "RSS MB", "data MB"
    );
    let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d7"] });
    let (started, mut line) = (Instant::now(), Instant::now());
    let (mut ticks, mut comments, mut webhooks) =
        (tokio::time::interval(Duration::from_millis(2_000 / RATE)), 0, 0);
    let mut is_complete = true;
    while started.elapsed() < Duration::from_secs(60 * minutes) {
        ticks.tick().await;
        let (made, read) = futures_util::future::join(
            client.event(),
            client.try_call("/v2/organizations/documents/get", &asked),
        )
        .await;
        comments += usize::from(made.1);
        is_complete &= made.1 && read.is_some();
        if line.elapsed() >= LINE {
            line = Instant::now();
            // The receiver is not to grow either.
            webhooks += sink.count();
            sink.forget();
            let minute = started.elapsed().as_secs_f64() / 60.0;
            let (memory, data) = (service.memory() >> 20, service.data() >> 20);
            println!("{minute:>7.1} {comments:>9} {webhooks:>9} {memory:>9} {data:>8}");
        }
    }
    is_complete & sink.wait(comments - webhooks, Duration::from_secs(60)).await
}
