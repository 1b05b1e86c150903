//! The binary of the server.

use std::{env, ffi::OsString, fs, path::PathBuf};

use super::platform::Platform;
use crate::project::Project;

/// The package that has the binary.
pub(super) const PACKAGE: &str = "roundtable";

const PROFILE: &str = "dist";
/// The oldest macOS that runs the binary.
const MACOS: &str = "13.0";

/// Builds the binary, and returns its file.
pub(super) fn build(project: &Project, time: u64, it: &Platform) -> Result<PathBuf, String> {
    let target = it.target;
    let mut cargo = project.cargo_build(it.compiler.is_none());
    // Another C compiler of this machine may have the name that the variable says.
    let named = format!("CC_{}", target.replace('-', "_"));
    if let Some(compiler) = it.compiler.filter(|_| env::var_os(&named).is_none()) {
        cargo.env(&named, compiler);
    }
    cargo.envs(variables(project, target, it.flags, time)?).env_remove("SDKROOT");
    cargo.args(["--locked", "--offline", "--target", target, "--profile", PROFILE]);
    cargo.args(["--package", PACKAGE, "--bin", "roundtable"]);
    let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        let compiler = match it.compiler {
            Some(compiler) => format!(
                "the C compiler that {named} names, {compiler} without it (Debian: musl-tools)"
            ),
            None => "`pipx install cargo-zigbuild`".to_owned(),
        };
        return Err(format!(
            "The build failed. It needs `cargo fetch`, `rustup target add {target}` and {compiler}."
        ));
    }
    let binary = project.target.join(target).join(PROFILE).join("roundtable");
    let content = fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?;
    without_paths(project, &content)?;
    Ok(binary)
}

/// Variables by which compilers write the same binary in each folder.
pub(super) fn variables(
    project: &Project,
    target: &str,
    flags: &[&str],
    time: u64,
) -> Result<Vec<(String, String)>, String> {
    let prefixes = prefixes(project)?;
    let mapped = |option: &str| {
        let flag = |(from, to): &(String, &str)| format!("{option}={from}={to}");
        prefixes.iter().map(flag).collect::<Vec<_>>()
    };
    let mut rust = mapped("--remap-path-prefix");
    rust.extend(flags.iter().map(|&flag| flag.to_owned()));
    let c = mapped("-ffile-prefix-map").join(" ");
    let c_flags = format!("CFLAGS_{}", target.replace('-', "_"));
    let variables = [
        ("CARGO_ENCODED_RUSTFLAGS", rust.join("\x1f")),
        (c_flags.as_str(), c),
        ("MACOSX_DEPLOYMENT_TARGET", MACOS.to_owned()),
        ("SOURCE_DATE_EPOCH", time.to_string()),
    ];
    Ok(variables.map(|(name, value)| (name.to_owned(), value)).into())
}

/// Whether a binary names no path of this machine.
pub(super) fn without_paths(project: &Project, content: &[u8]) -> Result<(), String> {
    match prefixes(project)?.iter().find(|(path, _)| has(content, path.as_bytes())) {
        Some((path, _)) => Err(format!("The binary contains the path {path} of this machine.")),
        None => Ok(()),
    }
}

/// Paths of this machine, each with what stands for it in the binary. Of two that match, compilers
/// take the last one.
fn prefixes(project: &Project) -> Result<Vec<(String, &'static str)>, String> {
    let home = env::var_os("HOME").unwrap_or_else(|| OsString::from("/root"));
    let cargo = env::var_os("CARGO_HOME").map_or(PathBuf::from(home).join(".cargo"), PathBuf::from);
    let paths = [(cargo, "/cargo"), (project.root.clone(), "/roundtable")];
    let text = |(path, to): (PathBuf, &'static str)| {
        let text = path.to_str().filter(|text| !text.contains([' ', '=']));
        let text = text.ok_or(format!("{}: compilers want a plainer path", path.display()));
        text.map(|text| (text.to_owned(), to))
    };
    paths.into_iter().map(text).collect()
}

fn has(content: &[u8], part: &[u8]) -> bool {
    content.windows(part.len()).any(|window| window == part)
}
