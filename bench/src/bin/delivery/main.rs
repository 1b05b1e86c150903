//! Measures deliveries of webhooks, and shows that none is lost:
//! `cargo run --release -p bench --bin delivery`, with
//! `-- counts|notices|bench|cpu|crash|hang|rate|waiting|neighbours` for one of its parts,
//! `-- capture FILE`, `-- steady MINUTES`, or `-- neighbours PART [ROUNDS]` with a part of the name
//! of an attack. `.ci/try-strangers` judges how much others than tenants may take.
//!
//! The service runs in a process of its own, with its data in a folder, as `cargo run` runs it; the
//! receivers are in this one. Everything is measured against the same receivers in one run.

mod attacks;
mod bench;
mod capture;
mod counts;
mod cpu;
mod crash;
mod felt;
mod hang;
mod neighbours;
mod notices;
mod rate;
mod sink;
mod steady;
mod waiting;

use std::process::ExitCode;

use ::bench::process;
use attacks::OTHERS;

/// The allocator of `cargo run`, which this measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [process::SERVE, folder, port, delays] => {
            runtime.block_on(process::serve(folder, port, delays))
        }
        ["neighbours", wanted] => runtime.block_on(neighbours(wanted, neighbours::ROUNDS)),
        ["neighbours", wanted, rounds] => match rounds.parse() {
            Ok(rounds @ 1..) => runtime.block_on(neighbours(wanted, rounds)),
            _ => {
                eprintln!("{rounds} is no number of rounds");
                ExitCode::FAILURE
            }
        },
        ["steady", minutes] => match minutes.parse() {
            Ok(minutes) if runtime.block_on(steady::run(minutes)) => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        },
        ["capture", file] => match runtime.block_on(capture::run(file)) {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        },
        names => runtime.block_on(run(names)),
    }
}

/// Beside tenants whose names contain `wanted`, with few and with as many calls as in a deployment.
async fn neighbours(wanted: &str, rounds: usize) -> ExitCode {
    let others: Vec<_> = OTHERS.into_iter().filter(|(name, _)| name.contains(wanted)).collect();
    if others.is_empty() {
        eprintln!("there is no {wanted}; there are {}", OTHERS.map(|(name, _)| name).join(", "));
        return ExitCode::FAILURE;
    }
    let mut holds = true;
    for allowed in neighbours::ALLOWED {
        holds &= neighbours::run(allowed, &others, rounds).await;
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn run(names: &[&str]) -> ExitCode {
    let all =
        ["counts", "notices", "bench", "cpu", "crash", "hang", "rate", "waiting", "neighbours"];
    let names = if names.is_empty() { &all } else { names };
    let mut holds = true;
    for name in names {
        holds &= match *name {
            "counts" => counts::run().await,
            "notices" => notices::run().await,
            "bench" => bench::run().await,
            "cpu" => cpu::run().await,
            "crash" => crash::run().await,
            "hang" => hang::run().await,
            "rate" => rate::run().await,
            "waiting" => waiting::run().await,
            "neighbours" => neighbours("", neighbours::ROUNDS).await == ExitCode::SUCCESS,
            other => {
                eprintln!("there is no {other}; there are {}", all.join(", "));
                false
            }
        };
        println!();
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
