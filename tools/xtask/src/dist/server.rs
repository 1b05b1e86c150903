//! The archive for everybody: binary, completions, the unit for systemd.

use std::{path::Path, process::Command};

use super::{
    archive::{File, tar_gz},
    release::Release,
};

const UNIT: &str = include_str!("../../packages/roundtable.service");
/// Shells, each with the file that it looks for.
const SHELLS: [(&str, &str); 3] =
    [("bash", "roundtable.bash"), ("zsh", "_roundtable"), ("fish", "roundtable.fish")];

/// The name and content of the package.
pub(super) fn pack(release: &Release, binary: &Path) -> Result<(String, Vec<u8>), String> {
    let folder = format!("roundtable-{}-x86_64-linux-musl", release.version);
    let mut files = vec![File::executable("roundtable", release.binary.clone())];
    files.push(File::new("roundtable.service", UNIT));
    for (shell, name) in SHELLS {
        let completions = completions(binary, shell)?;
        files.push(File::new(&format!("completions/{name}"), completions));
    }
    files.extend(release.documents.iter().cloned());
    let files: Vec<File> = files.iter().map(|file| file.below(&folder)).collect();
    Ok((format!("{folder}.tar.gz"), tar_gz(&files, release.time)?))
}

fn completions(binary: &Path, shell: &str) -> Result<Vec<u8>, String> {
    let failed = |e: String| format!("{} prints no completions: {e}", binary.display());
    let mut command = Command::new(binary);
    // Settings of this shell are none of the package.
    command.env_clear().args(["--completions", shell]);
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
