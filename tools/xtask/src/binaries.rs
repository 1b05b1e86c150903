//! Functions in the layout of Lambda: a folder for each, with an executable named `bootstrap`. It is
//! the archive of the family, which serves the function that its handler names, or the binary of the
//! endpoint alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    project::{Binary, Package, Project},
    template::{FILE, render},
};

/// The folders of functions, below the root.
pub(crate) const FOLDERS: &str = "target/lambda";
/// The C library version of Lambda's `provided.al2023`: binaries that need a newer one do not start
/// there.
const GLIBC: u32 = 34;

/// An order to build binaries.
pub(crate) struct BuildRequest<'a> {
    /// Whether the binaries are for a deployment: small, at the price of minutes.
    pub(crate) is_deployment: bool,
    /// The processor architecture; this machine's without it.
    pub(crate) arch: Option<&'a str>,
    /// Whether each function gets a binary of its own.
    pub(crate) is_endpoint: bool,
    /// Families, all of them when none is named; or functions.
    pub(crate) names: Vec<&'a str>,
    /// Variables of the compilers.
    pub(crate) variables: Vec<(String, String)>,
}

impl BuildRequest<'_> {
    /// Cargo's profile, with its folder below the target directory.
    fn profile(&self) -> (&'static str, &'static str) {
        match (self.is_deployment, self.is_endpoint) {
            (true, _) => ("deploy", "deploy"),
            (false, false) => ("release", "release"),
            // `cargo run` has built all but the last crate and the link.
            (false, true) => ("dev", "debug"),
        }
    }
}

/// Builds functions into [`FOLDERS`].
pub(crate) fn build(project: &Project, order: &BuildRequest<'_>) -> Result<(), String> {
    let packages: Vec<&Package> = project.functions().collect();
    let built = if order.is_endpoint { own(&packages, order) } else { shared(&packages, order) }?;
    let (target, (profile, output)) = (target(order.arch)?, order.profile());
    let mut cargo = project.cargo_build(target.is_some());
    if let Some(target) = target {
        cargo.args(["--target", &format!("{target}.2.{GLIBC}")]);
    }
    cargo.args(["--locked", "--profile", profile]).envs(order.variables.iter().cloned());
    // Always all packages: another selection would unify features of dependencies differently, and
    // rebuild them.
    for package in &packages {
        cargo.args(["--package", &package.name]);
    }
    if profile == "dev" {
        cargo.args(["--package", "roundtable"]);
    }
    for binary in built.keys() {
        cargo.args(["--bin", binary]);
    }
    let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        return Err("The build failed.".to_owned());
    }
    let from = project.target.join(target.unwrap_or_default()).join(output);
    let (mut functions, mut changed) = (0, 0);
    for (binary, served) in &built {
        let folder = |name: &&str| project.root.join(FOLDERS).join(name);
        let folders: Vec<PathBuf> = served.iter().map(folder).collect();
        functions += folders.len();
        changed += lay(&from.join(binary), &folders).map_err(|e| format!("{binary}: {e}"))?;
    }
    println!("{functions} functions are in {FOLDERS}, {changed} of them changed.");
    Ok(())
}

/// Binaries, each with the functions that it serves.
type Built<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// The archives of families.
fn shared<'a>(packages: &[&'a Package], order: &BuildRequest<'_>) -> Result<Built<'a>, String> {
    let names = &order.names;
    if let Some(unknown) = names.iter().find(|&name| !packages.iter().any(|it| it.name == *name)) {
        return Err(format!("There is no family {unknown} under functions."));
    }
    let built = packages.iter().filter(|it| names.is_empty() || names.contains(&it.name.as_str()));
    let served = |package: &&'a Package| {
        let functions = package.binaries.iter().map(|binary| binary.name.as_str());
        Some((package.archive.as_deref()?, functions.collect()))
    };
    Ok(built.filter_map(served).collect())
}

/// The binaries of endpoints.
fn own<'a>(packages: &[&'a Package], order: &BuildRequest<'_>) -> Result<Built<'a>, String> {
    if order.names.is_empty() {
        return Err("With --endpoint at least one function has to be named.".to_owned());
    }
    let binaries = || packages.iter().flat_map(|package| &package.binaries);
    let find = |name: &&str| {
        let found = binaries().find(|binary| binary.name == *name);
        let missing =
            || format!("There is no function {name}; `cargo xtask operations` lists operations.");
        found.map(|Binary { name, .. }| (name.as_str(), vec![name.as_str()])).ok_or_else(missing)
    };
    order.names.iter().map(find).collect()
}

/// The target for a build with zig, which links the C library of Lambda; none for a native build by
/// cargo.
fn target(arch: Option<&str>) -> Result<Option<&'static str>, String> {
    let (own, target) = match arch {
        None => return Ok(None),
        Some("arm64") => ("aarch64", "aarch64-unknown-linux-gnu"),
        Some("x86_64") => ("x86_64", "x86_64-unknown-linux-gnu"),
        Some(other) => return Err(format!("--arch is arm64 or x86_64, not {other}")),
    };
    let is_own = cfg!(target_os = "linux") && std::env::consts::ARCH == own;
    let zig = Command::new("cargo-zigbuild").arg("--version").output();
    match (is_own, zig.is_ok_and(|it| it.status.success())) {
        (_, true) => Ok(Some(target)),
        (true, false) => Ok(None),
        (false, false) => Err(format!(
            "For another processor, `pipx install cargo-zigbuild` and `rustup target add {target}` first."
        )),
    }
}

/// Makes a binary the `bootstrap` of folders, which share one copy of it; returns how many of them
/// had another one.
fn lay(binary: &Path, folders: &[PathBuf]) -> Result<usize, String> {
    let said = |e: std::io::Error| e.to_string();
    let bytes = fs::read(binary).map_err(said)?;
    if let Some(version) = glibc(&bytes).filter(|version| *version > GLIBC) {
        return Err(format!(
            "needs glibc 2.{version}, Lambda has 2.{GLIBC}: `pipx install cargo-zigbuild` and name --arch"
        ));
    }
    let (mut copy, mut changed): (Option<PathBuf>, _) = (None, 0);
    for folder in folders {
        let file = folder.join("bootstrap");
        if fs::read(&file).is_ok_and(|old| old == bytes) {
            copy = Some(file);
            continue;
        }
        fs::create_dir_all(folder).map_err(said)?;
        // Other functions may share the old file, so it is replaced and not written to.
        if file.exists() {
            fs::remove_file(&file).map_err(said)?;
        }
        match &copy {
            // Not a symbolic link: `sam local invoke` mounts the folder alone.
            Some(copy) => fs::hard_link(copy, &file).map_err(said)?,
            // Not a link to Cargo's file, which the next build changes.
            None => drop(fs::copy(binary, &file).map_err(said)?),
        }
        copy = Some(file);
        changed += 1;
    }
    Ok(changed)
}

/// Faults of the template: each function has a folder of its own, and a binary.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let binaries = project.functions().flat_map(|package| &package.binaries);
    let binaries = binaries.map(|binary| binary.name.as_str()).collect();
    Ok(wrong(&render(project)?, &binaries))
}

fn wrong(template: &str, binaries: &BTreeSet<&str>) -> Vec<String> {
    let value = |line: &'_ str, name: &str| {
        line.trim_start().strip_prefix(name).map(|value| value.trim().to_owned())
    };
    let mut faults = Vec::new();
    let mut deployed = BTreeSet::new();
    let mut folder = None;
    for line in template.lines() {
        folder = value(line, "CodeUri:").or(folder);
        let Some(name) = value(line, "Handler:") else { continue };
        let (wanted, found) = (format!("{FOLDERS}/{name}/"), folder.take().unwrap_or_default());
        if found != wanted {
            faults.push(format!("{FILE}: {name} wants the CodeUri {wanted}, not {found:?}"));
        }
        if !binaries.contains(name.as_str()) {
            faults.push(format!("{FILE}: {name} has no [[bin]] in the crate of its family"));
        }
        deployed.insert(name);
    }
    let idle = binaries.iter().filter(|name| !deployed.contains(**name));
    faults.extend(idle.map(|name| format!("{FILE}: has no function {name}")));
    faults
}

/// The newest minor version of glibc 2 that a binary requires.
fn glibc(bytes: &[u8]) -> Option<u32> {
    const MARK: &[u8] = b"GLIBC_2.";
    let found = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let version = |(at, _): (usize, &[u8])| {
        let digits = bytes[at + MARK.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        String::from_utf8(digits.copied().collect()).ok()?.parse().ok()
    };
    found.filter_map(version).max()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, os::unix::fs::MetadataExt, path::PathBuf};

    use super::{BuildRequest, glibc, lay, own, shared, target, wrong};
    use crate::project::{Binary, Package};

    #[test]
    fn the_newest_version_counts() {
        assert_eq!(glibc(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0"), Some(34));
        assert_eq!(glibc(b"GLIBC_PRIVATE"), None);
    }

    #[test]
    fn a_processor_has_lambdas_name() {
        assert!(target(Some("aarch64")).is_err());
        assert_eq!(target(None), Ok(None));
    }

    #[test]
    fn a_family_and_an_endpoint_are_named() {
        let binary = |name: &str| Binary { name: name.into(), path: String::new(), test: false };
        let package = Package {
            name: "folders".into(),
            dir: "functions/folders".into(),
            dependencies: vec![],
            binaries: vec![binary("folders-add"), binary("folders-get")],
            tests_library: None,
            archive: Some("folders".into()),
            license: String::new(),
        };
        let order = |is_endpoint, names: &[&'static str]| BuildRequest {
            is_deployment: false,
            arch: None,
            is_endpoint,
            names: names.to_vec(),
            variables: vec![],
        };
        let all = Ok([("folders", vec!["folders-add", "folders-get"])].into());
        assert_eq!(shared(&[&package], &order(false, &[])), all);
        assert_eq!(shared(&[&package], &order(false, &["folders"])), all);
        assert!(shared(&[&package], &order(false, &["folders-get"])).is_err());
        let one = Ok([("folders-get", vec!["folders-get"])].into());
        assert_eq!(own(&[&package], &order(true, &["folders-get"])), one);
        assert!(own(&[&package], &order(true, &["folders"])).is_err());
        assert!(own(&[&package], &order(true, &[])).is_err());
    }

    #[test]
    fn functions_of_a_family_share_a_file_until_one_gets_its_own() {
        let root = std::env::temp_dir().join(format!("lay-{}", std::process::id()));
        let folders: Vec<PathBuf> = ["a", "b", "c"].map(|name| root.join(name)).into();
        let read = || folders.iter().map(|it| fs::read(it.join("bootstrap")).expect("is laid"));
        let built = |text: &str| {
            fs::create_dir_all(&root).expect("is made");
            fs::write(root.join("built"), text).expect("is written");
            root.join("built")
        };
        assert_eq!(lay(&built("family"), &folders), Ok(3));
        let node = |at: usize| fs::metadata(folders[at].join("bootstrap")).expect("is laid").ino();
        assert_eq!((node(0), node(0)), (node(1), node(2)));
        assert_eq!(lay(&built("family"), &folders), Ok(0));
        assert_eq!(lay(&built("endpoint"), &folders[..1]), Ok(1));
        assert!(read().eq(["endpoint", "family", "family"].map(|text| text.as_bytes().to_vec())));
        assert_eq!(lay(&built("family"), &folders), Ok(1));
        assert!(read().all(|bytes| bytes == b"family"));
        fs::remove_dir_all(root).expect("is removed");
    }

    #[test]
    fn each_function_has_a_folder_and_a_binary() {
        let function = |folder: &str, name: &str| {
            format!("      CodeUri: target/lambda/{folder}/\n      Handler: {name}\n")
        };
        let faults = |template: &str, binaries: &[&str]| {
            wrong(template, &binaries.iter().copied().collect::<BTreeSet<_>>())
        };
        let both = function("a-get", "a-get") + &function("a-add", "a-add");
        assert_eq!(faults(&both, &["a-add", "a-get"]), [""; 0]);
        for (template, binaries) in [
            (function("a", "a-get"), ["a-get"].as_slice()),
            (function("a-get", "a-get") + "      Handler: a-get\n", &["a-get"]),
            (function("a-get", "a-get"), &[]),
            (function("a-get", "a-get"), &["a-add", "a-get"]),
        ] {
            assert_eq!(faults(&template, binaries).len(), 1, "{template}");
        }
    }
}
