//! `cargo xtask record`: what tests see of operations, and what is generated from it.

use std::{fs, process::Command};

use service::Family;

use crate::project::Project;

/// The test that writes the replies to samples.
const REPLIES: &str = "the_reply_to_each_sample_has_the_members_that_were_recorded";

/// Records all operations, or one of them by its own tests. Of one operation, listed errors and
/// events that other tests see are printed as missing, so this does not fail then. Rights are added
/// to `access.rs` of the families that need them, and taken out after a run of all tests only.
pub(crate) fn record(project: &Project, operation: Option<&str>) -> Result<(), String> {
    if let Some(unknown) = operation.filter(|name| !project.specs().any(|it| it.name == *name)) {
        return Err(format!("There is no operation {unknown}; see `cargo xtask operations`."));
    }
    let dir = project.target.join("record");
    let (answers, rights) = (dir.join("answers"), dir.join("rights"));
    let coverage = |bin| {
        let arguments = ["run", "--quiet", "--package", "coverage", "--bin", bin, "--"];
        command(project, "cargo", &arguments)
    };
    loop {
        let emptied = fs::create_dir_all(&dir).and_then(|()| {
            fs::write(&answers, "")?;
            fs::write(&rights, "")
        });
        emptied.map_err(|e| format!("{}: {e}", dir.display()))?;
        let mut tests = command(project, "cargo", &["test", "--package", "tests", "--test", "it"]);
        tests.env("RECORD_REPLIES", operation.unwrap_or("all"));
        tests.env("ROUNDTABLE_ANSWERS", &answers).env("ROUNDTABLE_RIGHTS", &rights);
        if let Some(name) = operation {
            tests.args(["--", REPLIES, &tests_of(name)]);
        }
        let outcome = run(tests);

        // A test that fails does not use all rights that it would.
        let is_whole = operation.is_none() && outcome.is_ok();
        let former = access_files(project)?;
        let mut write = coverage("rights");
        write.arg(if is_whole { "--set" } else { "--add" }).arg(&rights);
        run(write)?;
        if is_whole || access_files(project)? == former {
            outcome?;
            break;
        }
        // Behind a right that was missing there may be another one.
        println!("Rights were added; the tests run again.");
    }
    // As a program of its own, which has the rights that were written.
    run(command(project, "cargo", &["xtask", "generate"]))?;

    let mut compared = coverage("answers");
    compared.arg(&answers).args(operation);
    let outcome = run(compared);
    if operation.is_none() {
        outcome?;
        let mut compared = coverage("rights");
        compared.arg(&rights);
        run(compared)?;
    }
    run(command(project, "clients/generate", &[]))
}

/// The texts of `access.rs` of all families.
fn access_files(project: &Project) -> Result<Vec<String>, String> {
    let file = |family: &Family| project.read(&format!("functions/{}/src/access.rs", family.name));
    project.families.iter().map(file).collect()
}

/// The module with the tests of an operation.
fn tests_of(operation: &str) -> String {
    format!("{}::", operation.replace('-', "_").replace('.', "::"))
}

fn command(project: &Project, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&project.root);
    command
}

fn run(mut command: Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| format!("{name} cannot be run: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed.")) }
}

#[cfg(test)]
mod tests {
    use super::tests_of;

    #[test]
    fn tests_of_an_operation_are_in_the_module_of_its_name() {
        assert_eq!(tests_of("folders.archive"), "folders::archive::");
        assert_eq!(tests_of("user-groups.users_add"), "user_groups::users_add::");
    }
}
