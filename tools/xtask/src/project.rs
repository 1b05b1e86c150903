//! The repository: its files, Cargo's metadata, and the registry.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use service::{Family, PageSpec, SocketSpec, Spec, WorkerSpec};

/// The function of unknown paths; not in the registry, because it is no operation.
pub(crate) const DEFAULT_ROUTE: &str = "gateway-unknown";
/// The family of [`DEFAULT_ROUTE`].
pub(crate) const GATEWAY: &str = "gateway";

/// The file of the binary that serves all functions of a family.
const ARCHIVE: &str = "src/main.rs";

/// The repository.
pub(crate) struct Project {
    /// Root directory of the repository.
    pub(crate) root: PathBuf,
    /// Cargo's target directory.
    pub(crate) target: PathBuf,
    /// Crates of the repository.
    pub(crate) packages: Vec<Package>,
    /// The registry.
    pub(crate) families: Vec<Family>,
}

/// A crate, as Cargo knows it.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Directory of the crate below the root, such as `functions/folders`.
    pub(crate) dir: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) binaries: Vec<Binary>,
    /// Whether `cargo test` links and runs the tests of its library; none without a library.
    pub(crate) tests_library: Option<bool>,
    /// The binary that serves all its functions, if it is a family.
    pub(crate) archive: Option<String>,
    pub(crate) license: String,
}

/// Dependencies of a crate.
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether it is for tests only.
    pub(crate) dev: bool,
}

/// A `[[bin]]` of a crate.
pub(crate) struct Binary {
    pub(crate) name: String,
    /// File of the binary below the directory of the crate.
    pub(crate) path: String,
    /// Whether `cargo test` links a test harness for it.
    pub(crate) test: bool,
}

impl Project {
    /// The repository this program was built from.
    pub(crate) fn open() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
        let mut cargo = Command::new("cargo");
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(&root);
        let output = cargo.output().map_err(|e| format!("cargo metadata cannot be run: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
        let packages = list(&metadata["packages"]).map(|package| Package::read(package, &root));
        Ok(Self {
            packages: packages.collect(),
            target: text(&metadata["target_directory"]).into(),
            families: registry::families(),
            root,
        })
    }

    /// Cargo in the root. `cargo xtask` runs with variables about its own crate. The build script of
    /// ring runs again when they change, so it would be rebuilt, and all that depends on it.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.root);
        let variables = env::vars_os().map(|(name, _)| name);
        let is_own =
            |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        for name in variables.filter(|name| name.to_str().is_some_and(is_own)) {
            cargo.env_remove(name);
        }
        cargo
    }

    /// A build, by zig where another processor or system is meant. pipx installs zig for the Python
    /// beside `cargo-zigbuild`, which itself looks no further than the first `python3`.
    pub(crate) fn cargo_build(&self, is_by_zig: bool) -> Command {
        const PYTHON: &str = "CARGO_ZIGBUILD_PYTHON_PATH";
        let mut cargo = self.cargo();
        if !is_by_zig {
            cargo.arg("build");
            return cargo;
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let mut programs = env::split_paths(&path).map(|it| it.join("cargo-zigbuild"));
        let python = programs.find_map(|it| it.canonicalize().ok());
        let python = python.map(|it| it.with_file_name("python3")).filter(|it| it.exists());
        if let Some(python) = python.filter(|_| env::var_os(PYTHON).is_none()) {
            cargo.env(PYTHON, python);
        }
        cargo.arg("zigbuild");
        cargo
    }

    /// The output of Cargo.
    pub(crate) fn cargo_output(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.cargo().args(arguments).output();
        let output = output.map_err(|e| format!("cargo cannot be run: {e}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// The text of a file; its name is relative to the root.
    pub(crate) fn read(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(name)).map_err(|e| format!("{name}: {e}"))
    }

    /// The text of an optional file.
    pub(crate) fn read_if_there(&self, name: &str) -> Result<Option<String>, String> {
        if self.has(name) { self.read(name).map(Some) } else { Ok(None) }
    }

    /// Whether the file exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.root.join(name).is_file()
    }

    /// Writes a file, and creates its directory.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let file = self.root.join(name);
        let written = file.parent().map_or(Ok(()), fs::create_dir_all);
        written.and_then(|()| fs::write(&file, text)).map_err(|e| format!("{name}: {e}"))
    }

    /// The names of the files of a directory with this ending, without it.
    pub(crate) fn names(&self, dir: &str, ending: &str) -> Result<Vec<String>, String> {
        let entries = fs::read_dir(self.root.join(dir)).map_err(|e| format!("{dir}: {e}"))?;
        let mut names = Vec::new();
        for entry in entries {
            let file = entry.map_err(|e| format!("{dir}: {e}"))?.file_name();
            names.extend(file.to_string_lossy().strip_suffix(ending).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// All Rust files below a directory, by name, relative to the root.
    pub(crate) fn rust_files(&self, dir: &str) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        let entries = match fs::read_dir(self.root.join(dir)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(format!("{dir}: {error}")),
        };
        for entry in entries {
            let entry = entry.map_err(|e| format!("{dir}: {e}"))?;
            let name = format!("{dir}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                found.extend(self.rust_files(&name)?);
            } else if name.ends_with(".rs") {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    }

    /// A crate.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The crates of functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.dir.starts_with("functions/"))
    }

    /// Every operation.
    pub(crate) fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.families.iter().flat_map(|family| &family.operations).map(|route| &route.spec)
    }

    pub(crate) fn workers(&self) -> impl Iterator<Item = &WorkerSpec> {
        self.families.iter().flat_map(|family| &family.workers)
    }

    pub(crate) fn pages(&self) -> impl Iterator<Item = &PageSpec> {
        self.families.iter().flat_map(|family| &family.pages)
    }

    /// Every function of the WebSocket API.
    pub(crate) fn sockets(&self) -> impl Iterator<Item = &SocketSpec> {
        self.families.iter().flat_map(|family| &family.sockets)
    }

    /// The sample of a function, if it exists.
    pub(crate) fn sample(&self, binary: &str) -> Result<Option<Value>, String> {
        let name = format!("events/{binary}.json");
        let sample = self.read_if_there(&name)?;
        sample
            .map(|json| serde_json::from_str(&json).map_err(|e| format!("{name}: {e}")))
            .transpose()
    }
}

impl Package {
    fn read(package: &Value, root: &Path) -> Self {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let dir = manifest.parent().unwrap_or(root);
        let below = |path: &Path, dir: &Path| {
            path.strip_prefix(dir).unwrap_or(path).to_string_lossy().into_owned()
        };
        let dependencies = list(&package["dependencies"]).map(|dependency| Dependency {
            name: text(&dependency["name"]),
            dev: dependency["kind"] == "dev",
        });
        let library = list(&package["targets"]).find(|target| target["kind"][0] == "lib");
        let binaries = list(&package["targets"]).filter(|target| target["kind"][0] == "bin");
        let binaries = binaries.map(|target| Binary {
            name: text(&target["name"]),
            path: below(Path::new(&text(&target["src_path"])), dir),
            test: target["test"] == true,
        });
        let (archives, binaries): (Vec<_>, Vec<_>) =
            binaries.partition(|binary| binary.path == ARCHIVE);
        Self {
            name: text(&package["name"]),
            dependencies: dependencies.collect(),
            // A family with one function has no other.
            archive: archives.first().or(binaries.first()).map(|binary| binary.name.clone()),
            binaries,
            tests_library: library.map(|library| library["test"] == true),
            license: text(&package["license"]),
            dir: below(dir, root),
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The text between the line that begins with `begin` and the one that begins with `end`, as the
/// part before it (including the first line) and the part behind it (including the last line).
pub(crate) fn around<'a>(
    name: &str,
    text: &'a str,
    (begin, end): (&str, &str),
) -> Result<(&'a str, &'a str), String> {
    let line = |mark: &str| {
        let mut offset = 0;
        text.split_inclusive('\n').find_map(|line| {
            let start = offset;
            offset += line.len();
            line.trim_start().starts_with(mark).then_some((start, offset))
        })
    };
    match (line(begin), line(end)) {
        (Some((_, from)), Some((to, _))) if from <= to => Ok((&text[..from], &text[to..])),
        _ => Err(format!("{name}: has no block from `{begin}` to `{end}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn a_block_is_found_by_the_beginnings_of_its_marks() {
        let marks = ("# x: begin", "# x: end");
        let parts = around("f", "a\n  # x: begin (made)\nold\n  # x: end\nb\n", marks);
        assert_eq!(parts, Ok(("a\n  # x: begin (made)\n", "  # x: end\nb\n")));
        assert!(around("f", "a\n# x: end\n# x: begin\n", marks).is_err());
        assert!(around("f", "a\n", marks).is_err());
    }
}
