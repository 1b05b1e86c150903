//! The archive for everybody: binary, completions, on Linux the unit for systemd.

use std::{path::Path, process::Command};

use super::{
    build::PACKAGE,
    formats::archive::{File, tar_gz},
    release::Release,
};
use crate::project::Project;

const UNIT: &str = include_str!("../../packages/roundtable.service");
/// Shells, each with the file that it looks for.
const SHELLS: [(&str, &str); 3] =
    [("bash", "roundtable.bash"), ("zsh", "_roundtable"), ("fish", "roundtable.fish")];

/// The name and content of the package.
pub(super) fn pack(release: &Release, completions: &[File]) -> Result<(String, Vec<u8>), String> {
    let folder = format!("roundtable-{}-{}", release.version, release.platform.archive);
    let mut files = vec![File::executable("roundtable", release.binary.clone())];
    if release.platform.name.0 == "linux" {
        files.push(File::new("roundtable.service", UNIT));
    }
    files.extend(completions.iter().chain(&release.documents).cloned());
    let files: Vec<File> = files.iter().map(|file| file.below(&folder)).collect();
    Ok((format!("{folder}.tar.gz"), tar_gz(&files, release.time)?))
}

/// Completions, which are the same on all platforms, as the binary prints them; or, where this machine
/// cannot run it, one of its own.
pub(super) fn completions(project: &Project, binary: Option<&Path>) -> Result<Vec<File>, String> {
    let print = |(shell, name): (&str, &str)| {
        let command = match binary {
            Some(binary) => {
                let mut command = Command::new(binary);
                // Settings of this shell are none of the package.
                command.env_clear();
                command
            }
            None => {
                let mut cargo = project.cargo();
                cargo.args(["run", "--quiet", "--locked", "--offline", "--package", PACKAGE, "--"]);
                cargo
            }
        };
        Ok(File::new(&format!("completions/{name}"), printed(command, shell)?))
    };
    SHELLS.into_iter().map(print).collect()
}

fn printed(mut command: Command, shell: &str) -> Result<Vec<u8>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |e: String| format!("{program} prints no completions: {e}");
    command.args(["--completions", shell]);
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
