//! `cargo xtask`: what the repository knows how to do to itself.

mod binaries;
mod check;
mod difference;
mod fragments;
mod layering;
mod openapi;
mod operations;
mod policy;
mod project;
mod rules;
mod scaffold;
mod schema;
mod sources;
mod template;

use std::process::ExitCode;

use project::Project;

const USAGE: &str = "\
Usage: cargo xtask <command>

  operations                 prints every operation: name, level, paths, binary, summary
  generate                   writes what is derived from the registry: the marked blocks of
                             template.yaml, openapi.json, docs/OPERATIONS.md
                             and the paths that the gateway knows
  check                      fails when any of that is out of date, or a rule of the repository
                             is broken
  new <family> <module>      adds an operation that compiles: file, listing, binary, sample, test
  build [--deploy] [name…]   builds functions for this machine into target/lambda, all of them or
                             those named; --deploy optimizes as for a deployment, which
                             docs/DEPLOY.md tells how to build";

/// Why a command failed.
enum Failure {
    /// It was not called correctly.
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
        ["generate"] => generate(&Project::open()?)?,
        ["check"] => {
            let project = Project::open()?;
            let faults = check::faults(&project)?;
            if !faults.is_empty() {
                return Err(Failure::Faults(faults));
            }
            println!("{}", template::figures(&project)?);
        }
        ["new", family, module] => {
            println!("{}", scaffold::new(&Project::open()?, family, module)?)
        }
        ["build", names @ ..] => {
            let (options, names): (Vec<&str>, Vec<&str>) =
                names.iter().copied().partition(|name| name.starts_with('-'));
            let profile = match options.as_slice() {
                [] => "release",
                ["--deploy"] => "deploy",
                _ => return Err(Failure::Usage(format!("build knows no {}", options.join(" ")))),
            };
            binaries::build(&Project::open()?, profile, &names)?;
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

/// Every file that is derived, wholly or in part, as it should be.
fn derived(project: &Project) -> Result<Vec<(&'static str, String)>, String> {
    Ok(vec![
        ("template.yaml", template::render(project)?),
        ("openapi.json", openapi::render(project)?),
        ("docs/OPERATIONS.md", operations::render(project)?),
        ("functions/gateway/src/paths.txt", operations::paths(project)),
    ])
}

fn generate(project: &Project) -> Result<(), String> {
    for (name, wanted) in derived(project)? {
        if project.read_if_there(name)?.as_deref() != Some(wanted.as_str()) {
            project.write(name, &wanted)?;
            println!("{name} was written.");
        }
    }
    println!("{}", template::figures(project)?);
    Ok(())
}
