//! Judges histories: `cargo run --release -p tests --bin histories -- --steps 1000000`.
//!
//! `--seed` names the first seed, `--seeds` their number, `--faults` the number of kinds of faults
//! after which it ends, `--without` a step or a call that is left out, and `--whole` leaves histories
//! as they were drawn. `--mutants` judges by each model that is made wrong instead: the service has
//! to disagree with each of them within so many seeds. `--known` runs the histories that showed a
//! fault once.

use std::{
    collections::BTreeMap,
    collections::btree_map::Entry,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use tests as app;

#[path = "../../it/histories/known.rs"]
mod known;

use reference::Mutant;
use tests::histories::{Judge, Judged};

/// That of the service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seeds within which a mutant has to be found.
const SEEDS: u64 = 2_000;

struct Options {
    seed: u64,
    /// Seeds that are judged at most.
    seeds: u64,
    /// Steps after which no further history begins.
    steps: u64,
    /// Faults after which no further history begins.
    faults: usize,
    threads: u64,
    shrinks: bool,
    without: Vec<String>,
    mutants: bool,
    known: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        seed: 0,
        seeds: u64::MAX,
        steps: u64::MAX,
        faults: 1,
        threads: 2,
        shrinks: true,
        without: vec![],
        mutants: false,
        known: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--whole" => options.shrinks = false,
            "--mutants" => options.mutants = true,
            "--known" => options.known = true,
            "--without" => options.without.extend(words.next()),
            _ => set(&mut options, &word, words.next())?,
        }
    }
    Ok(options)
}

fn set(options: &mut Options, word: &str, value: Option<String>) -> Result<(), String> {
    let number = value.and_then(|it| it.parse::<u64>().ok());
    let number = number.ok_or_else(|| format!("{word} takes a number"))?;
    match word {
        "--seed" => options.seed = number,
        "--seeds" => options.seeds = number,
        "--steps" => options.steps = number,
        "--faults" => options.faults = number as usize,
        "--threads" => options.threads = number,
        _ => return Err(format!("{word} is no option")),
    }
    Ok(())
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    match &options {
        Options { known: true, .. } => known(),
        Options { mutants: true, .. } => mutants(&options),
        _ => histories(&options),
    }
}

/// Whether each history that showed a fault once shows none.
fn known() -> ExitCode {
    let mut judge = Judge::new(None);
    let mut faults = 0;
    for (name, history) in known::known() {
        match judge.run(&history) {
            None => println!("{name}: right"),
            Some(found) => {
                faults += 1;
                println!("{name}: step {} of {}: {found}", found.step + 1, history.steps.len());
            }
        }
    }
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether each wrong model is found out.
fn mutants(options: &Options) -> ExitCode {
    let next = AtomicU64::new(0);
    let missed: Mutex<Vec<Mutant>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed) as usize;
            let Some(mutant) = Mutant::ALL.get(at).copied() else { return };
            let mut judge = Judge::new(Some(mutant)).without(options.without.clone());
            let seeds = options.seed..options.seed.saturating_add(options.seeds.min(SEEDS));
            let found = seeds.into_iter().find_map(|seed| judge.judge(seed, options.shrinks).1);
            match found {
                Some(judged) => println!("{mutant:?} is found:\n{judged}\n"),
                None => {
                    println!("{mutant:?} survives\n");
                    missed.lock().expect("no panic").push(mutant);
                }
            }
        }
    };
    thread::scope(|threads| {
        for _ in 0..options.threads {
            threads.spawn(work);
        }
    });
    let missed = missed.into_inner().expect("no panic");
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn histories(options: &Options) -> ExitCode {
    let started = Instant::now();
    let (next, steps) = (AtomicU64::new(0), AtomicU64::new(0));
    let found: Mutex<BTreeMap<String, Judged>> = Mutex::default();
    let work = || {
        let mut judge = Judge::new(None).without(options.without.clone());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let is_over = at >= options.seeds
                || steps.load(Ordering::Relaxed) >= options.steps
                || found.lock().expect("no panic").len() >= options.faults;
            if is_over {
                return;
            }
            let (taken, judged) = judge.judge(options.seed + at, options.shrinks);
            steps.fetch_add(taken as u64, Ordering::Relaxed);
            let Some(judged) = judged else { continue };
            let kind = judged.shape();
            let mut found = found.lock().expect("no panic");
            if let Entry::Vacant(first) = found.entry(kind) {
                println!("{judged}\n");
                first.insert(judged);
            }
        }
    };
    thread::scope(|threads| {
        for _ in 0..options.threads {
            threads.spawn(work);
        }
    });
    let found = found.into_inner().expect("no panic").len();
    let (seeds, steps) = (next.into_inner().min(options.seeds), steps.into_inner());
    println!("{seeds} histories, {steps} steps, {found} faults in {:?}", started.elapsed());
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
