//! The crates that the binary is made of.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::project::Project;

/// A crate of others.
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    pub(super) license: String,
    pub(super) authors: Vec<String>,
    /// Directory of the source.
    pub(super) dir: PathBuf,
    /// The SHA-256 of its archive in the registry.
    pub(super) checksum: Option<String>,
    /// Whether its code is in the binary, and not in a macro or a build script alone.
    pub(super) is_linked: bool,
}

/// All crates of others in packages of ours, by name and version.
pub(super) fn crates(
    project: &Project,
    packages: &[&str],
    target: &str,
) -> Result<Vec<Crate>, String> {
    let linked = tree(project, packages, target, "normal,no-proc-macro")?;
    let used = tree(project, packages, target, "normal,build")?;
    let checksums = checksums(&project.read("Cargo.lock")?);
    let metadata = project.cargo_output(&[
        "metadata",
        "--locked",
        "--offline",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ])?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|e| e.to_string())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let others = packages.filter(|package| !package["source"].is_null());
    let all = others.map(|package| {
        let text = |member: &str| package[member].as_str().unwrap_or_default().to_owned();
        let authors = package["authors"].as_array().into_iter().flatten();
        let (name, version) = (text("name"), text("version"));
        let id = (name.clone(), version.clone());
        Crate {
            license: expression(&text("license")),
            authors: authors.filter_map(|it| it.as_str().map(str::to_owned)).collect(),
            dir: Path::new(&text("manifest_path")).parent().unwrap_or(Path::new("")).to_owned(),
            checksum: checksums.get(&id).cloned(),
            is_linked: linked.contains(&id),
            name,
            version,
        }
    });
    let mut crates: Vec<Crate> =
        all.filter(|it| used.contains(&(it.name.clone(), it.version.clone()))).collect();
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(crates)
}

/// The names and versions of what Cargo builds, by kinds of dependencies.
fn tree(
    project: &Project,
    packages: &[&str],
    target: &str,
    edges: &str,
) -> Result<BTreeSet<(String, String)>, String> {
    let mut arguments = vec!["tree", "--locked", "--offline", "--target", target];
    arguments.extend(["--edges", edges, "--prefix", "none", "--format", "{p}"]);
    arguments.extend(packages.iter().flat_map(|&package| ["--package", package]));
    let tree = project.cargo_output(&arguments)?;
    let id = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    };
    Ok(tree.lines().filter_map(id).collect())
}

/// The checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let packages = lock.split("[[package]]").skip(1);
    let found = packages.filter_map(|package| {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"').to_owned())
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    });
    found.collect()
}

/// The licences as SPDX has them; older crates separate alternatives by a slash.
fn expression(license: &str) -> String {
    license.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::{checksums, expression};

    #[test]
    fn checksums_of_the_lock_file_are_those_of_one_version() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"1a\"\n\
            dependencies = [\n \"b\",\n]\n\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n\
            checksum = \"2a\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let found = checksums(lock);
        let of = |version: &str| found.get(&("a".to_owned(), version.to_owned())).cloned();
        assert_eq!((of("1.0.0").as_deref(), of("2.0.0").as_deref()), (Some("1a"), Some("2a")));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_slash_separates_alternatives() {
        assert_eq!(expression("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(expression("Apache-2.0 / MIT"), "Apache-2.0 OR MIT");
        assert_eq!(expression("MIT OR Zlib"), "MIT OR Zlib");
    }
}
