//! Prints the requests of each operation to DynamoDB and SQS.

use std::time::Duration;

use tests::{App, cost, specs};

#[tokio::main]
async fn main() {
    println!("Calls of each operation on its sample, admission included, nothing cached\n");
    println!("{:<36} {:>5} {:>6} {:>5} {:>7}", "operation", "reads", "writes", "sends", "units");
    for spec in specs().values() {
        let cost = cost::of_sample(spec).await;
        println!(
            "{:<36} {:>5} {:>6} {:>5} {:>7.1}",
            spec.name, cost.reads, cost.writes, cost.sends, cost.units
        );
    }
    const N: usize = 500;
    println!("\nCalls of a batch of {N}; allowed: {}\n", cost::allowed(N));
    println!("{:<36} {:>5} {:>6} {:>5} {:>7}", "operation", "reads", "writes", "all", "units");
    let (app, _) = App::sample_world().await;
    for (operation, body) in cost::batches(N) {
        app.advance(Duration::from_secs(11));
        app.forget_calls();
        app.call(operation, body).await.ok();
        let cost = cost::Cost::of(&app.calls());
        let all = cost.reads + cost.writes;
        println!(
            "{operation:<36} {:>5} {:>6} {all:>5} {:>7.1}",
            cost.reads, cost.writes, cost.units
        );
    }
    app.settle().await;
}
