//! Measures deliveries of webhooks, and shows that none is lost:
//! `cargo run --release -p bench --bin delivery`, with `-- counts|notices|bench|cpu|crash` for one of
//! its parts, or `-- capture FILE`. `.ci/try-strangers` judges how much users and tenants may take
//! from others.
//!
//! The service runs in a process of its own, with its data in a folder, as `cargo run` runs it; the
//! receivers are in this one. Everything is measured against the same receivers in one run.

mod bench;
mod capture;
mod counts;
mod cpu;
mod crash;
mod notices;
mod sink;

use std::process::ExitCode;

use ::bench::process;

/// The allocator of `cargo run`, which this measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let holds = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [process::SERVE, folder, port, manner] => {
            return runtime.block_on(process::serve(folder, port, manner));
        }
        ["capture", file] => runtime.block_on(capture::run(file)),
        names => runtime.block_on(run(names)),
    };
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn run(names: &[&str]) -> bool {
    let all = ["counts", "notices", "bench", "cpu", "crash"];
    let names = if names.is_empty() { &all } else { names };
    let mut holds = true;
    for name in names {
        holds &= match *name {
            "counts" => counts::run().await,
            "notices" => notices::run().await,
            "bench" => bench::run().await,
            "cpu" => cpu::run().await,
            "crash" => crash::run().await,
            other => {
                eprintln!("there is no {other}; there are {}", all.join(", "));
                false
            }
        };
        println!();
    }
    holds
}
