//! `cargo xtask dist`: the packages of the server, which depend on the commit alone.

mod archive;
mod build;
mod crates;
mod digest;
mod image;
mod notices;
mod npm;
mod roots;
mod sbom;
mod server;
mod wheel;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use time::OffsetDateTime;

use self::archive::File;
use crate::project::Project;

const SUMS: &str = "SHA256SUMS";
/// What registries show.
const SUMMARY: &str =
    "Comments, presence, shared editors, notifications and webhooks on one server.";
/// The texts of our licences.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// What to make.
pub(crate) struct Order<'a> {
    /// A binary that is built already.
    pub(crate) binary: Option<&'a str>,
    /// Whether to pack the clients, too, with npm and pip.
    pub(crate) packs_clients: bool,
    /// The folder of the packages, which is emptied.
    pub(crate) folder: &'a str,
}

/// What packages are made of.
struct Release {
    version: String,
    /// Seconds since 1970.
    time: u64,
    /// Empty when the manifest names none.
    repository: &'static str,
    binary: Vec<u8>,
    /// Licences and notices, which each package has.
    documents: Vec<File>,
}

/// Writes the packages.
pub(crate) fn make(project: &Project, order: &Order<'_>) -> Result<(), String> {
    let time = commit_time(project)?;
    let binary = match order.binary {
        Some(binary) => PathBuf::from(binary),
        None => build::build(project, time)?,
    };
    let crates = crates::crates(project)?;
    let licences = LICENCES.iter().map(|name| Ok(File::new(name, project.read(name)?)));
    let mut documents = licences.collect::<Result<Vec<File>, String>>()?;
    documents.push(File::new("THIRD-PARTY.txt", notices::render(project, &crates)?));
    let release = Release {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time,
        repository: env!("CARGO_PKG_REPOSITORY"),
        binary: fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?,
        documents,
    };
    let mut packages = vec![server::pack(&release, &binary)?, image::pack(&release)?];
    packages.extend(npm::pack(&release)?);
    packages.push(wheel::pack(&release)?);
    packages.push((sbom::FILE.to_owned(), sbom::render(&release, &crates)?.into_bytes()));

    let folder = project.root.join(order.folder);
    empty(&folder)?;
    write(&folder, SUMS, b"")?;
    for (name, content) in &packages {
        write(&folder, name, content)?;
    }
    if order.packs_clients {
        pack_clients(project, &folder, time)?;
    }
    let sums = sums(&folder)?;
    print!("{sums}");
    write(&folder, SUMS, sums.as_bytes())
}

/// The time of the archives: that of the commit, unless the variable says another one.
fn commit_time(project: &Project) -> Result<u64, String> {
    let text = match env::var_os("SOURCE_DATE_EPOCH") {
        Some(time) => time.to_string_lossy().into_owned(),
        None => {
            let mut git = Command::new("git");
            git.args(["log", "-1", "--format=%ct"]).current_dir(&project.root);
            let output = git.output().map_err(|e| format!("git cannot be run: {e}"))?;
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    };
    let wanted = "There is neither a commit nor SOURCE_DATE_EPOCH in seconds since 1970.";
    text.trim().parse().map_err(|_| wanted.to_owned())
}

fn calendar(time: u64) -> Result<OffsetDateTime, String> {
    let time = i64::try_from(time).map_err(|e| e.to_string())?;
    OffsetDateTime::from_unix_timestamp(time).map_err(|e| e.to_string())
}

/// A time as JSON has it.
fn iso(time: u64) -> Result<String, String> {
    let at = calendar(time)?;
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    Ok(format!("{date}T{hour:02}:{minute:02}:{second:02}Z"))
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<(), String> {
    fs::write(folder.join(name), content).map_err(|e| format!("{name}: {e}"))
}

/// Makes the folder, without the packages of another time.
fn empty(folder: &Path) -> Result<(), String> {
    let failed = |e| format!("{}: {e}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let is_empty = fs::read_dir(folder).map_err(failed)?.next().is_none();
    if !is_empty && !folder.join(SUMS).exists() {
        return Err(format!("{} has something else than packages", folder.display()));
    }
    fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).map_err(failed)
}

fn pack_clients(project: &Project, folder: &Path, time: u64) -> Result<(), String> {
    let mut pack = Command::new(project.root.join("clients/pack"));
    pack.arg(folder).env("SOURCE_DATE_EPOCH", time.to_string());
    let status = pack.status().map_err(|e| format!("clients/pack: {e}"))?;
    if status.success() { Ok(()) } else { Err("The clients cannot be packed.".to_owned()) }
}

/// The digests of all packages, as `sha256sum` prints them.
fn sums(folder: &Path) -> Result<String, String> {
    let failed = |e| format!("{}: {e}", folder.display());
    let mut sums = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let content = fs::read(entry.path()).map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS {
            sums.push((name, digest::hex(&content)));
        }
    }
    sums.sort();
    Ok(sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, io::Read};

    use flate2::read::GzDecoder;

    use super::{File, Release, iso};

    pub(super) fn release() -> Release {
        Release {
            version: "1.2.3".to_owned(),
            time: 1_700_000_000,
            repository: "",
            binary: b"\x7fELF".to_vec(),
            documents: vec![File::new("LICENSE-MIT", "Do what you like.")],
        }
    }

    /// The files of a compressed archive by name.
    pub(super) fn entries(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
        entries_of(GzDecoder::new(archive))
    }

    pub(super) fn entries_of(archive: impl Read) -> BTreeMap<String, Vec<u8>> {
        let mut archive = tar::Archive::new(archive);
        let entries = archive.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let name = entry.path().unwrap().display().to_string();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            (name, content)
        });
        entries.collect()
    }

    #[test]
    fn times_are_in_utc() {
        assert_eq!(iso(1_700_000_000).unwrap(), "2023-11-14T22:13:20Z");
    }
}
