//! `cargo xtask`: tasks of the repository.

mod binaries;
mod check;
mod dist;
mod event;
mod generate;
mod licences;
mod operations;
mod project;
mod record;
mod references;
mod scaffold;
mod template;

use std::{collections::BTreeMap, process::ExitCode};

use project::Project;

const USAGE: &str = "\
Usage: cargo xtask <command>

  operations                 prints every operation: name, level, paths, binary, summary
  generate                   writes what is derived from the registry: the marked blocks of
                             template.yaml, openapi.json, docs/OPERATIONS.md,
                             the paths that the gateway knows, the pages of docs/ that
                             the local service has, and the licences of the clients
  record [operation]         runs the tests, or those of one operation; writes the replies to samples,
                             and the rights that were used to access.rs of each family, compares the
                             errors and events that the tests saw with those that are listed, and
                             generates everything, the clients too
  check                      fails when any of that is out of date, or a rule of the repository
                             is broken
  new <family> <module>      adds an operation that compiles: file, listing, binary, sample, test
  build [--deploy] [--arch arm64|x86_64] [family…]
                             builds functions into target/lambda, those of all families or of the
                             named ones, for this machine's processor or the one that --arch names; --deploy
                             optimizes for size, as a deployment wants; functions of a family
                             share its archive
  build --endpoint [--deploy] [--arch arm64|x86_64] function…
                             builds the named functions, each as a binary of its own, in the
                             profile of `cargo run`, which takes seconds
  dist [--platforms NAME,…|all] [--lambda] [--clients] [--binary FILE] [--out DIR]
                             builds the binary of the server and writes its packages into dist/, or
                             another folder: archive, npm, wheel, image, SBOM and sums; for linux-x64,
                             or the named platforms, which zig builds; --lambda packs functions for
                             arm64 with their template; --clients packs the clients, too, with npm
                             and pip; --binary packs what is built already
  event [--url URL] [--admin-token-file FILE] [--out DIR] [name…]
                             prints a function's sample with the credentials of a world that it
                             makes in the deployment at URL (http://127.0.0.1:3000, whose token is
                             in .data/admin-token); with --out writes several, or all";

/// Error of a command.
enum Failure {
    /// Wrong usage.
    Usage(String),
    /// One sentence for each fault.
    Faults(Vec<String>),
}

impl From<String> for Failure {
    fn from(fault: String) -> Self {
        Self::Faults(vec![fault])
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(what)) => {
            eprintln!("{what}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Err(Failure::Faults(faults)) => {
            faults.iter().for_each(|fault| eprintln!("{fault}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Failure> {
    match arguments {
        ["operations"] => print!("{}", operations::listing(&Project::open()?)),
        ["generate"] => generate::generate(&Project::open()?)?,
        ["record"] => record::record(&Project::open()?, None)?,
        ["record", operation] => record::record(&Project::open()?, Some(operation))?,
        ["check"] => {
            let project = Project::open()?;
            let faults = check::faults(&project)?;
            if !faults.is_empty() {
                return Err(Failure::Faults(faults));
            }
        }
        ["new", family, module] => {
            println!("{}", scaffold::new(&Project::open()?, family, module)?)
        }
        ["build", rest @ ..] => {
            let (options, names) = options(rest, &["--arch"], &["--deploy", "--endpoint"])?;
            let order = binaries::BuildRequest {
                is_deployment: options.contains_key("--deploy"),
                arch: options.get("--arch").copied(),
                is_endpoint: options.contains_key("--endpoint"),
                names,
                variables: vec![],
            };
            binaries::build(&Project::open()?, &order)?;
        }
        ["dist", rest @ ..] => {
            let (options, names) =
                options(rest, &["--binary", "--out", "--platforms"], &["--clients", "--lambda"])?;
            if let Some(name) = names.first() {
                return Err(Failure::Usage(format!("dist takes no {name}.")));
            }
            let order = dist::PackageRequest {
                platforms: options.get("--platforms").copied(),
                binary: options.get("--binary").copied(),
                packs_lambda: options.contains_key("--lambda"),
                packs_clients: options.contains_key("--clients"),
                folder: options.get("--out").copied().unwrap_or("dist"),
            };
            dist::make(&Project::open()?, &order)?;
        }
        ["event", rest @ ..] => {
            let known = ["--url", "--admin-token-file", "--out"];
            let (options, names) = options(rest, &known, &[])?;
            let order = event::EventRequest {
                url: options.get("--url").copied().unwrap_or("http://127.0.0.1:3000"),
                token_file: options
                    .get("--admin-token-file")
                    .copied()
                    .unwrap_or(".data/admin-token"),
                out: options.get("--out").copied(),
                names,
            };
            event::fill(&Project::open()?, &order)?;
        }
        ["help" | "--help" | "-h"] => println!("{USAGE}"),
        [] => return Err(Failure::Usage("A command is missing.".to_owned())),
        _ => {
            let what = format!("`{}` is no command.", arguments.join(" "));
            return Err(Failure::Usage(what));
        }
    }
    Ok(())
}

/// Options and arguments of a command; an option of `valued` is followed by its value.
fn options<'a>(
    arguments: &[&'a str],
    valued: &[&str],
    flags: &[&str],
) -> Result<(BTreeMap<&'a str, &'a str>, Vec<&'a str>), Failure> {
    let (mut options, mut names) = (BTreeMap::new(), Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        if valued.contains(&argument) {
            let value = arguments.next();
            let value =
                value.ok_or_else(|| Failure::Usage(format!("{argument} needs a value.")))?;
            options.insert(argument, value);
        } else if flags.contains(&argument) {
            options.insert(argument, "");
        } else if argument.starts_with('-') {
            return Err(Failure::Usage(format!("The command knows no {argument}.")));
        } else {
            names.push(argument);
        }
    }
    Ok((options, names))
}
