//! The licences of our packages and of their dependencies.

use std::collections::BTreeSet;

use crate::project::Project;

/// The licences of everything in the repository.
pub(crate) const OURS: &str = "MIT OR Apache-2.0";

/// The manifests of the clients, each with the line that states the licences.
const CLIENTS: &[(&str, &str)] = &[
    ("clients/python/pyproject.toml", "license = "),
    ("clients/typescript/package.json", "\"license\": "),
];

/// The texts at the root, with their copies for the packages of the clients: a package contains
/// nothing from outside its folder.
const COPIES: &[(&str, [&str; 2])] = &[
    ("LICENSE-APACHE", ["clients/python/LICENSE-APACHE", "clients/typescript/LICENSE-APACHE"]),
    ("LICENSE-MIT", ["clients/python/LICENSE-MIT", "clients/typescript/LICENSE-MIT"]),
];

/// Licences that dependencies may be under: those that ask for a notice and nothing else.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "LLVM-exception",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// One sentence for each package without our licences, or with a dependency under others.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for package in project.packages.iter().filter(|package| package.license != OURS) {
        faults.push(format!("{}/Cargo.toml: wants license.workspace = true", package.dir));
    }
    for (file, key) in CLIENTS {
        if !project.read(file)?.contains(&format!("{key}\"{OURS}\"")) {
            faults.push(format!("{file}: wants {key}\"{OURS}\""));
        }
    }
    let dependencies = dependencies(project)?;
    let dependencies = dependencies.lines().map(|line| line.trim_end_matches(" (*)"));
    faults.extend(dependencies.collect::<BTreeSet<_>>().into_iter().filter_map(wrong));
    Ok(faults)
}

/// The copies with their expected texts.
pub(crate) fn copies(project: &Project) -> Result<Vec<(&'static str, String)>, String> {
    let mut copies = Vec::new();
    for (original, files) in COPIES {
        let text = project.read(original)?;
        copies.extend(files.map(|file| (file, text.clone())));
    }
    Ok(copies)
}

/// The crates that this machine builds, a line each: the crate, a tabulator, its licences.
fn dependencies(project: &Project) -> Result<String, String> {
    let arguments = ["tree", "--locked", "--workspace", "--prefix", "none"];
    let format = ["--edges", "normal,build,dev", "--format", "{p}\t{l}"];
    project.cargo_output(&[&arguments[..], &format].concat())
}

fn wrong(line: &str) -> Option<String> {
    let (name, licences) = line.split_once('\t')?;
    let words = licences.split([' ', '/', '(', ')']).filter(|word| !word.is_empty());
    let mut words = words.filter(|word| !["AND", "OR", "WITH"].contains(word)).peekable();
    let is_allowed = words.peek().is_some() && words.all(|word| ALLOWED.contains(&word));
    (!is_allowed).then(|| {
        format!("{name}: is under \"{licences}\"; replace it, or add to ALLOWED in tools/xtask/src/licences.rs")
    })
}

#[cfg(test)]
mod tests {
    use super::wrong;

    #[test]
    fn dependencies_ask_for_a_notice_at_most() {
        for licences in [
            "MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert_eq!(wrong(&format!("a v1\t{licences}")), None);
        }
        for licences in ["GPL-3.0-only", "MIT AND MPL-2.0", ""] {
            assert!(wrong(&format!("a v1\t{licences}")).is_some(), "{licences}");
        }
    }
}
