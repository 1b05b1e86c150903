//! The data folder: one process at a time, own secrets, readable by its owner only.

use std::{
    fs::{self, File, TryLockError},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The layout version of the data. It changes when older versions cannot read the data.
const FORMAT: u32 = 1;

/// An open data folder; locked until dropped.
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Opens the folder, creating it when it is missing.
    ///
    /// # Errors
    /// A sentence: the folder is unusable, in use, or written by a newer version.
    pub fn open(path: &Path) -> Result<Self, String> {
        let failed =
            |e: std::io::Error| format!("the data folder {} cannot be used: {e}", path.display());
        let is_new = !path.exists();
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path).map_err(failed)?;
        if !is_new {
            close_to_others(path).map_err(failed)?;
        }
        let lock = File::create(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Self { path: path.to_owned(), _lock: lock }.of_this_format(),
            Err(TryLockError::WouldBlock) => {
                Err(format!("the data folder {} is in use by another process", path.display()))
            }
            Err(TryLockError::Error(e)) => Err(failed(e)),
        }
    }

    /// Refuses data of a newer version, which this one would misread.
    fn of_this_format(self) -> Result<Self, String> {
        let format = self.value("format", || Ok(FORMAT.to_string()))?;
        match format.parse() {
            Ok(0..=FORMAT) => Ok(self),
            _ => Err(format!(
                "the data folder {} was written by a newer version (format {format}, this version \
                 knows {FORMAT}): update Roundtable, or name another folder with --data-dir",
                self.path.display()
            )),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The keyring of this deployment, generated at the first start.
    ///
    /// # Errors
    /// A sentence: its file cannot be read or written.
    pub fn keyring(&self) -> Result<String, String> {
        self.value("keyring", || Ok(format!("local={}", random()?)))
    }

    /// The token of the operator, generated at the first start.
    ///
    /// # Errors
    /// A sentence: its file cannot be read or written.
    pub fn admin_token(&self) -> Result<String, String> {
        self.value("admin-token", || Ok(format!("admin_{}", random()?)))
    }

    /// The session token of callers of the port of AWS, generated when it is first needed.
    ///
    /// # Errors
    /// A sentence: its file cannot be read or written.
    pub fn session_token(&self) -> Result<String, String> {
        self.value("aws-session-token", random)
    }

    /// The text of a file, generated when missing.
    fn value(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<String, String>,
    ) -> Result<String, String> {
        let file = self.path.join(name);
        match fs::read_to_string(&file) {
            Ok(text) => return Ok(text.trim().to_owned()),
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => return Err(format!("{} cannot be read: {e}", file.display())),
        }
        let text = make()?;
        self.write(name, &text)?;
        Ok(text)
    }

    /// Removes a file that an earlier start wrote.
    ///
    /// # Errors
    /// A sentence: it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), String> {
        let file = self.path.join(name);
        match fs::remove_file(&file) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                Err(format!("{} cannot be removed: {e}", file.display()))
            }
            _ => Ok(()),
        }
    }

    /// Writes a file that only its owner may read.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let file = self.path.join(name);
        // Atomic: a crash must not leave an empty secret behind.
        let beside = file.with_extension("new");
        let write = || -> std::io::Result<()> {
            let mut options = File::options();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut written = options.open(&beside)?;
            written.write_all(text.as_bytes())?;
            written.sync_all()?;
            fs::rename(&beside, &file)
        };
        write().map_err(|e| format!("{} cannot be written: {e}", file.display()))
    }
}

/// Closes an existing folder to other users, if it belongs to this service or is empty; otherwise
/// only warns.
#[cfg(unix)]
fn close_to_others(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mut permissions = fs::metadata(path)?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    let is_ours = ["keyring", "format"].iter().any(|name| path.join(name).exists())
        || fs::read_dir(path)?.next().is_none();
    let what = match is_ours {
        true => "others could read it, and no longer can",
        false => "others can read it, and what is kept there",
    };
    eprintln!("roundtable: the data folder {}: {what}", path.display());
    if is_ours {
        permissions.set_mode(0o700);
        fs::set_permissions(path, permissions)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn random() -> Result<String, String> {
    keyring::random_text::<32>().map_err(|_| "the system has no randomness".to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{self, Permissions},
        os::unix::fs::PermissionsExt,
        path::Path,
    };

    use super::DataDir;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn data_of_a_newer_version_is_refused() {
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        DataDir::open(&path).unwrap().write("format", "2").unwrap();
        let Err(reason) = DataDir::open(&path) else { panic!("newer data were opened") };
        assert!(reason.contains("newer version") && reason.contains("--data-dir"), "{reason}");
        fs::write(path.join("format"), "1").unwrap();
        DataDir::open(&path).unwrap();
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn others_cannot_look_into_a_folder_of_ours() {
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        for _ in ["new", "opened to others meanwhile"] {
            let dir = DataDir::open(&path).unwrap();
            dir.keyring().unwrap();
            assert_eq!((mode(&path), mode(&path.join("keyring"))), (0o700, 0o600));
            fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["keyring", "format"] {
            fs::remove_file(path.join(name)).unwrap();
        }
        drop(DataDir::open(&path).unwrap());
        assert_eq!(mode(&path), 0o755, "a folder of somebody else keeps its mode");
        fs::remove_dir_all(&path).unwrap();
    }
}
