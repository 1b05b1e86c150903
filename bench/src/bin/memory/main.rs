//! The memory of functions: `cargo run -p bench --bin memory`.
//!
//! Each function runs with its largest bodies and on the largest stored data, in a separate
//! process, with the DynamoDB of this one. Prints the peak of each family beside the memory in the
//! template, and fails if that is less than half as much again.

mod cases;
mod function;
mod live;

use std::{collections::BTreeMap, process::ExitCode};

use cases::Case;

/// Default memory of a function in the template.
const USUAL: u32 = 256;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let runtime = match arguments.as_slice() {
        // As a function in Lambda.
        [function::BE, ..] => tokio::runtime::Builder::new_current_thread().enable_all().build(),
        _ => tokio::runtime::Builder::new_multi_thread().enable_all().build(),
    };
    let runtime = runtime.expect("a runtime");
    match arguments.as_slice() {
        [function::BE, name, endpoint] => {
            runtime.block_on(function::be(name, endpoint));
            ExitCode::SUCCESS
        }
        [] => runtime.block_on(run()),
        _ => {
            eprintln!("memory takes no arguments");
            ExitCode::FAILURE
        }
    }
}

/// The largest peak of a family, and its function.
struct Peak {
    megabytes: u64,
    at: String,
}

async fn run() -> ExitCode {
    let mut peaks: BTreeMap<&'static str, Peak> = BTreeMap::new();
    let mut measure = |case: &Case, endpoint: &str| {
        let ran = function::run(case, endpoint);
        let name = case.function.as_str();
        println!("{:>5} MB  {name:<32} {}: {}", ran.megabytes, case.what, ran.answer);
        let family = family_of(name);
        let peak = peaks.entry(family).or_insert(Peak { megabytes: 0, at: String::new() });
        if ran.megabytes > peak.megabytes {
            *peak = Peak { megabytes: ran.megabytes, at: format!("{name}, {}", case.what) };
        }
    };
    cases::each(&mut measure).await;
    println!("\n{:<20} {:>8} {:>12}  largest at", "family", "peak, MB", "MemorySize");
    let mut holds = true;
    for (family, Peak { megabytes, at }) in &peaks {
        let size = registry::megabytes(family).unwrap_or(USUAL);
        let fits = megabytes * 3 / 2 <= u64::from(size);
        holds &= fits;
        let note = if fits { "" } else { "  too little" };
        println!("{family:<20} {megabytes:>8} {size:>12}  {at}{note}");
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn family_of(function: &str) -> &'static str {
    let family = registry::families().into_iter().find(|family| {
        family.operations.iter().any(|route| route.spec.binary() == function)
            || family.workers.iter().any(|worker| worker.binary() == function)
            || family.sockets.iter().any(|socket| socket.binary() == function)
    });
    family.expect("a family").name
}
