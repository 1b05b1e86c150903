//! `cargo xtask dist`: the packages of the server, which depend on the commit alone.

mod build;
mod crates;
mod formats;
mod image;
mod lambda;
mod notices;
mod npm;
mod platform;
mod release;
mod sbom;
mod server;
mod wheel;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use self::{
    crates::Crate,
    formats::{archive::File, digest},
    platform::Platform,
    release::Release,
};
use crate::project::Project;

const COMPOSE: &str = "compose.yaml";
const SUMS: &str = "SHA256SUMS";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The texts of our licences.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// An order to make packages.
pub(crate) struct PackageRequest<'a> {
    /// Platforms, separated by commas, or `all`; one without it.
    pub(crate) platforms: Option<&'a str>,
    /// A binary that is built already, for one platform.
    pub(crate) binary: Option<&'a str>,
    /// Whether to pack functions for Lambda; with a binary those that are built already, too.
    pub(crate) packs_lambda: bool,
    /// Whether to pack the clients, too, with npm and pip.
    pub(crate) packs_clients: bool,
    /// The folder of the packages, which is emptied.
    pub(crate) folder: &'a str,
}

/// Writes the packages.
pub(crate) fn make(project: &Project, order: &PackageRequest<'_>) -> Result<(), String> {
    let time = commit_time(project)?;
    let platforms = Platform::named(order.platforms)?;
    let binaries = match (order.binary, platforms.as_slice()) {
        (Some(binary), [platform]) => vec![(*platform, PathBuf::from(binary))],
        (Some(_), _) => return Err("--binary is for one of --platforms.".to_owned()),
        (None, _) => {
            let build = |&platform| Ok((platform, build::build(project, time, platform)?));
            platforms.iter().map(build).collect::<Result<_, String>>()?
        }
    };
    let own = binaries.iter().find(|(platform, _)| platform.is_own());
    let completions = server::completions(project, own.map(|(_, binary)| binary.as_path()))?;
    let licences = LICENCES.iter().map(|name| Ok(File::new(name, project.read(name)?)));
    let licences = licences.collect::<Result<Vec<File>, String>>()?;
    let documents = |built: (&str, bool), crates: &[Crate]| {
        let mut documents = licences.clone();
        documents.push(File::new("THIRD-PARTY.txt", notices::render(project, built, crates)?));
        Ok::<_, String>(documents)
    };
    let mut packages = Vec::new();
    for (platform, binary) in binaries {
        let crates = crates::crates(project, &[build::PACKAGE], platform.target)?;
        let is_by_zig = platform.compiler.is_none();
        let release = Release {
            version: VERSION.to_owned(),
            time,
            repository: env!("CARGO_PKG_REPOSITORY"),
            platform,
            binary: fs::read(&binary).map_err(|e| format!("{}: {e}", binary.display()))?,
            documents: documents((platform.target, is_by_zig), &crates)?,
        };
        if packages.is_empty() {
            packages.push(npm::launcher(&release, &licences)?);
        }
        packages.push(server::pack(&release, &completions)?);
        packages.extend(image::pack(&release)?);
        packages.push(npm::pack(&release)?);
        packages.push(wheel::pack(&release)?);
        packages.push(sbom::pack(&platform.to_string(), (VERSION, time), &crates)?);
    }
    packages.push((COMPOSE.to_owned(), compose(project)?));
    if order.packs_lambda {
        if order.binary.is_none() {
            lambda::build(project, time)?;
        }
        let names: Vec<&str> = project.functions().map(|it| it.name.as_str()).collect();
        let crates = crates::crates(project, &names, lambda::TARGET)?;
        let documents = documents((lambda::TARGET, true), &crates)?;
        packages.push(lambda::pack(project, (VERSION, time), &documents)?);
        packages.push(sbom::pack(lambda::NAME, (VERSION, time), &crates)?);
    }

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

/// The file for Compose, if it starts the image of this version.
fn compose(project: &Project) -> Result<Vec<u8>, String> {
    let text = project.read(COMPOSE)?;
    match text.contains(&format!("image: roundtable:{VERSION}\n")) {
        true => Ok(text.into_bytes()),
        false => Err(format!("{COMPOSE}: does not start roundtable:{VERSION}")),
    }
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
