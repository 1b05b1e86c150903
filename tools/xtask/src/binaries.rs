//! Functions in the layout of Lambda: a directory for each family, with an executable named
//! `bootstrap` that serves the function named by its handler.

use std::{fs, path::Path, process::Command};

use crate::project::{Package, Project};

/// The C library version of Lambda's `provided.al2023`: binaries that need a newer one do not start
/// there.
const GLIBC: u32 = 34;

/// Builds functions into `target/lambda`.
pub(crate) fn build(
    project: &Project,
    profile: &str,
    arch: Option<&str>,
    names: &[&str],
) -> Result<(), String> {
    let packages: Vec<&Package> = project.functions().collect();
    if let Some(unknown) = names.iter().find(|&name| !packages.iter().any(|it| it.name == *name)) {
        return Err(format!("There is no family {unknown} under functions."));
    }
    let built: Vec<&Package> = packages
        .iter()
        .copied()
        .filter(|package| names.is_empty() || names.contains(&package.name.as_str()))
        .collect();
    let target = target(arch)?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&project.root);
    match target {
        Some(target) => cargo.args(["zigbuild", "--target", &format!("{target}.2.{GLIBC}")]),
        None => cargo.arg("build"),
    };
    cargo.args(["--locked", "--profile", profile]);
    // Always all packages: another selection would unify features of dependencies differently, and
    // rebuild them.
    for package in &packages {
        cargo.args(["--package", &package.name]);
    }
    for archive in built.iter().filter_map(|package| package.archive.as_deref()) {
        cargo.args(["--bin", archive]);
    }
    let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        return Err("The build failed.".to_owned());
    }
    let from = project.target.join(target.unwrap_or_default()).join(profile);
    let mut changed = 0;
    for package in &built {
        let dir = project.root.join("target/lambda").join(&package.name);
        let binary = from.join(package.archive.as_deref().unwrap_or_default());
        let laid = lay(&binary, &dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        changed += usize::from(laid);
    }
    println!("{} archives are in target/lambda, {changed} of them changed.", built.len());
    Ok(())
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

/// Copies a binary to the `bootstrap` of a directory; returns whether it differs from the existing
/// one.
fn lay(binary: &Path, dir: &Path) -> Result<bool, String> {
    let said = |e: std::io::Error| e.to_string();
    let (bytes, file) = (fs::read(binary).map_err(said)?, dir.join("bootstrap"));
    if let Some(version) = glibc(&bytes).filter(|version| *version > GLIBC) {
        return Err(format!(
            "needs glibc 2.{version}, Lambda has 2.{GLIBC}: `pipx install cargo-zigbuild` and name --arch"
        ));
    }
    if fs::read(&file).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    fs::create_dir_all(dir).and_then(|()| fs::copy(binary, file)).map_err(said)?;
    Ok(true)
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
    use super::{glibc, target};

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
}
