//! Functions as Lambda wants them: one directory each, with an executable named `bootstrap`.

use std::{fs, process::Command};

use crate::project::{Package, Project};

/// Builds functions and lays them down in `target/lambda`.
pub(crate) fn build(project: &Project, profile: &str, names: &[&str]) -> Result<(), String> {
    let all: Vec<&str> = project
        .functions()
        .flat_map(|package| &package.binaries)
        .map(|b| b.name.as_str())
        .collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        return Err(format!(
            "There is no function {unknown}; `cargo xtask operations` lists them."
        ));
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--profile", profile]).current_dir(&project.root);
    // Always all packages, whatever is built of them: another selection unifies features of
    // dependencies otherwise, and builds them anew.
    let packages: Vec<&Package> = project.functions().collect();
    packages.iter().for_each(|package| {
        cargo.args(["--package", &package.name]);
    });
    if names.is_empty() {
        cargo.arg("--bins");
    }
    names.iter().for_each(|name| {
        cargo.args(["--bin", name]);
    });
    let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !status.success() {
        return Err("The build failed.".to_owned());
    }
    let built = if names.is_empty() { all } else { names.to_vec() };
    for name in &built {
        let dir = project.root.join("target/lambda").join(name);
        let copied = fs::create_dir_all(&dir).and_then(|()| {
            fs::copy(project.target.join(profile).join(name), dir.join("bootstrap"))
        });
        copied.map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    println!("{} functions are in target/lambda.", built.len());
    Ok(())
}
