//! Judges histories: `cargo run --release -p tests --bin histories -- --steps 1000000`.
//!
//! `--seed` names the first seed, `--seeds` their number, `--faults` the number of kinds of faults
//! after which it ends, `--without` a step or a call that is left out, and `--whole` leaves histories
//! as they were drawn. `--mutants` makes one rule of the model or one part of the service wrong at
//! a time instead: each has to be found within so many seeds; `--only` names some of them. `--known` runs the histories that showed a
//! fault once. `--process` names the program of a service (`target/debug/roundtable`): histories go
//! over HTTP to a process of it, which is killed or loses its power at `--cuts` calls.

use std::{
    collections::BTreeMap,
    collections::btree_map::Entry,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
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

use tests::histories::{Cuts, Judge, Judged, Tried, Wrong};

/// The allocator of the service.
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
    /// Parts of the names of mutants, when only some are tried.
    only: Vec<String>,
    known: bool,
    /// The program of a service.
    process: Option<PathBuf>,
    cuts: u64,
    port: u16,
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
        only: vec![],
        known: false,
        process: None,
        cuts: 300,
        port: 3932,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--whole" => options.shrinks = false,
            "--mutants" => options.mutants = true,
            "--known" => options.known = true,
            "--process" => options.process = words.next().map(PathBuf::from),
            "--without" => options.without.extend(words.next()),
            "--only" => options.only.extend(words.next()),
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
        "--cuts" => options.cuts = number,
        "--port" => options.port = u16::try_from(number).map_err(|error| error.to_string())?,
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
        Options { process: Some(program), .. } => match process(&options, program) {
            Ok(code) => code,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
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
    let histories: BTreeMap<&str, _> = known::known().into_iter().collect();
    for (wrong, name) in known::FINDS {
        judge.make_wrong(Some(wrong));
        if judge.run(&histories[name]).is_none() {
            faults += 1;
            println!("{wrong:?} is not found: {name}");
        }
    }
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether everything that is made wrong is found; prints the seeds that it takes.
fn mutants(options: &Options) -> ExitCode {
    let is_meant = |wrong: &Wrong| {
        let name = format!("{wrong:?}");
        options.only.is_empty() || options.only.iter().any(|part| name.contains(part))
    };
    let all: Vec<Wrong> = Wrong::all().into_iter().filter(is_meant).collect();
    let next = AtomicU64::new(0);
    let found: Mutex<BTreeMap<Wrong, Option<u64>>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed) as usize;
            let Some(wrong) = all.get(at).copied() else { return };
            let mut judge = Judge::new(Some(wrong)).without(options.without.clone());
            let seeds = options.seed..options.seed.saturating_add(options.seeds.min(SEEDS));
            let seed = seeds.into_iter().find_map(|seed| {
                let (_, judged) = judge.judge(seed, options.shrinks);
                judged.map(|judged| {
                    println!("{wrong:?} is found:\n{judged}\n");
                    seed
                })
            });
            found.lock().expect("no panic").insert(wrong, seed);
        }
    };
    thread::scope(|threads| {
        for _ in 0..options.threads {
            threads.spawn(work);
        }
    });
    let found = found.into_inner().expect("no panic");
    for (wrong, seed) in &found {
        match seed {
            Some(seed) => println!("{wrong:?}: {} seeds", seed - options.seed + 1),
            None => println!("{wrong:?} survives"),
        }
    }
    if found.values().all(Option::is_some) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether everything that was answered holds after cuts.
fn process(options: &Options, program: &Path) -> io::Result<ExitCode> {
    let folder = std::env::temp_dir().join(format!("histories-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (source, shim) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/power/disk.c"), folder.join("disk.so"));
    let mut built = Command::new("cc");
    built.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&shim);
    let built = built.args([source, "-ldl", "-lpthread"]).status()?;
    if !built.success() {
        return Err(io::Error::other("the library of disks cannot be built"));
    }
    let started = Instant::now();
    let mut cuts = Cuts::new(program.to_owned(), shim, folder.clone(), options.port)?;
    let mut faults = 0;
    for seed in options.seed..options.seed.saturating_add(options.seeds) {
        if cuts.tried().cuts >= options.cuts || faults >= options.faults {
            break;
        }
        if let Some(judged) = cuts.judge(seed)? {
            println!("{judged}\n");
            faults += 1;
        }
    }
    let Tried { histories, cuts: cut, answered, unanswered } = cuts.tried();
    // The process writes until it has ended.
    drop(cuts);
    println!(
        "{histories} histories, {cut} cuts, {answered} calls answered, {unanswered} not, {faults} faults in {:?}",
        started.elapsed()
    );
    if faults > 0 {
        println!("The data of the service are in {}.", folder.display());
        return Ok(ExitCode::FAILURE);
    }
    fs::remove_dir_all(folder)?;
    Ok(ExitCode::SUCCESS)
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
