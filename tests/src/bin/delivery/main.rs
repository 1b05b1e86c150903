//! Measures deliveries of webhooks, and shows that none is lost:
//! `cargo run --release -p tests --bin delivery [-- counts|notices|bench|crash|hang|rate|waiting|neighbours]`,
//! or
//! `-- capture FILE`.
//!
//! The service runs in a process of its own, with its data in a folder, as `cargo run` runs it; the
//! receivers are in this one. Everything is measured against the same receivers in one run.

mod attacks;
mod bench;
mod capture;
mod counts;
mod crash;
mod hang;
mod neighbours;
mod notices;
mod rate;
mod sink;
mod waiting;

use std::process::ExitCode;

use tests::process;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [process::SERVE, folder, port] => runtime.block_on(process::serve(folder, port)),
        ["capture", file] => match runtime.block_on(capture::run(file)) {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        },
        names => runtime.block_on(run(names)),
    }
}

async fn run(names: &[&str]) -> ExitCode {
    let all = ["counts", "notices", "bench", "crash", "hang", "rate", "waiting", "neighbours"];
    let names = if names.is_empty() { &all } else { names };
    let mut holds = true;
    for name in names {
        holds &= match *name {
            "counts" => counts::run().await,
            "notices" => notices::run().await,
            "bench" => bench::run().await,
            "crash" => crash::run().await,
            "hang" => hang::run().await,
            "rate" => rate::run().await,
            "waiting" => waiting::run().await,
            "neighbours" => {
                let [deployed, small] = neighbours::ALLOWED;
                neighbours::run(small).await & neighbours::run(deployed).await
            }
            other => {
                eprintln!("there is no {other}; there are {}", all.join(", "));
                false
            }
        };
        println!();
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
