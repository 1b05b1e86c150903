//! The static binary of the server.

use std::{env, ffi::OsString, fs, path::PathBuf};

use crate::project::Project;

/// The package that has the binary.
pub(super) const PACKAGE: &str = "roundtable";
/// The target of the build: a C library that is linked statically runs on every Linux.
pub(super) const TARGET: &str = "x86_64-unknown-linux-musl";

const PROFILE: &str = "dist";
/// The C compiler of musl, unless the variable names another one.
const COMPILER: (&str, &str) = ("CC_x86_64_unknown_linux_musl", "musl-gcc");

/// Builds the binary, and returns its file.
pub(super) fn build(project: &Project, time: u64) -> Result<PathBuf, String> {
    let prefixes = prefixes(project)?;
    let mut cargo = project.cargo();
    if env::var_os(COMPILER.0).is_none() {
        cargo.env(COMPILER.0, COMPILER.1);
    }
    let rust: Vec<String> =
        prefixes.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    let c: Vec<String> =
        prefixes.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust.join("\x1f"));
    cargo.env("CFLAGS_x86_64_unknown_linux_musl", c.join(" "));
    cargo.env("SOURCE_DATE_EPOCH", time.to_string());
    cargo.args(["build", "--locked", "--offline", "--target", TARGET, "--profile", PROFILE]);
    cargo.args(["--package", PACKAGE, "--bin", "roundtable"]);
    let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        return Err(format!(
            "The build failed. It needs `cargo fetch`, `rustup target add {TARGET}` and the C \
             compiler that {} names, {} without it (Debian: musl-tools).",
            COMPILER.0, COMPILER.1
        ));
    }
    let binary = project.target.join(TARGET).join(PROFILE).join("roundtable");
    let content = fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?;
    match prefixes.iter().find(|(path, _)| has(&content, path.as_bytes())) {
        Some((path, _)) => Err(format!("The binary contains the path {path} of this machine.")),
        None => Ok(binary),
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
