//! The data folder: one process at a time, own secrets, readable by its owner only.

#[cfg(unix)]
mod closed;
/// Systems without such rights.
#[cfg(not(unix))]
mod closed {
    use std::{io::Result, path::Path};

    pub(super) fn close_to_others(_: &Path) -> Result<()> {
        Ok(())
    }

    pub(super) fn close_files(_: &Path) -> Result<()> {
        Ok(())
    }

    pub(super) fn is_open_to_others(_: &Path) -> Result<bool> {
        Ok(false)
    }
}

use std::{
    fs::{self, File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use embedded::EmbeddedServices;
use service::Clock;

use self::closed::{close_files, close_to_others, is_open_to_others};
use super::{backup, files, upgrade};

/// The layout version of the data. It changes when older versions cannot read the data, or when the
/// data of older ones need a change.
pub(crate) const FORMAT: u32 = 2;

/// Changes that bring the data of each older format to the next one.
const STEPS: [Step; 1] = [Step { from: 1, change: upgrade::repair_deletions }];
const _: () = assert!(STEPS.len() as u32 + 1 == FORMAT, "each older format has a step");

/// A change of the data from the format to the next one. It is repeated if it was broken off.
struct Step {
    from: u32,
    change: fn(&Path) -> Result<(), String>,
}

/// The format of the data in a folder: a new one gets the present one.
///
/// # Errors
/// A sentence: its file cannot be read, or has no number.
pub(crate) fn format_of(folder: &Path) -> Result<u32, String> {
    let file = folder.join("format");
    match fs::read_to_string(&file) {
        Ok(text) => text.trim().parse().map_err(|_| format!("{} has no number", file.display())),
        Err(e) if e.kind() != ErrorKind::NotFound => {
            Err(format!("{} cannot be read: {e}", file.display()))
        }
        Err(_) => Ok(if EmbeddedServices::has_data(folder) { 1 } else { FORMAT }),
    }
}

/// Notes the format of data that were put into a folder, before it is served.
///
/// # Errors
/// A sentence: it cannot be written.
pub(crate) fn note_format(folder: &Path, format: u32) -> Result<(), String> {
    let file = folder.join("format");
    files::replace(&file, &format.to_string()).map_err(|e| format!("{}: {e}", file.display()))
}

/// An open data folder; locked until dropped.
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Opens the folder, creating it when it is missing. One of this service is closed to others.
    ///
    /// # Errors
    /// A sentence: the folder is unusable, in use, or written by a newer version.
    pub fn open(path: &Path) -> Result<Self, String> {
        let failed = |e| unusable(path, &e);
        let is_new = !path.exists();
        files::create_folder(path).map_err(failed)?;
        if !is_new {
            close_to_others(path).map_err(failed)?;
        }
        let lock = files::lockable(&path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {
                close_files(path).map_err(failed)?;
                Self { path: path.to_owned(), _lock: lock }.of_this_format()
            }
            Err(TryLockError::WouldBlock) => {
                Err(format!("the data folder {} is in use by another process", path.display()))
            }
            Err(TryLockError::Error(e)) => Err(failed(e)),
        }
    }

    /// Opens the folder like [`DataDir::open`], unless others have a right on it and could have used
    /// that; one without anything in it is closed to them.
    ///
    /// # Errors
    /// A sentence: others have a right on it, or as [`DataDir::open`].
    pub fn open_private(path: &Path) -> Result<Self, String> {
        let failed = |e| unusable(path, &e);
        if path.exists() && is_open_to_others(path).map_err(failed)? {
            let mut entries = fs::read_dir(path).map_err(failed)?;
            if entries.next().is_some() {
                let path = path.display();
                return Err(format!(
                    "others can read or change the data folder {path}: chmod 700 {path}, after a \
                     look at what is in it, or name another one with --data-dir"
                ));
            }
        }
        Self::open(path)
    }

    /// Refuses data of a newer version, which this one would misread.
    fn of_this_format(self) -> Result<Self, String> {
        let format = format_of(&self.path)?;
        match format {
            0..=FORMAT => {
                self.value("format", || Ok(format.to_string()))?;
                Ok(self)
            }
            _ => Err(format!(
                "the data folder {} was written by a newer version (format {format}, this version \
                 knows {FORMAT}): update Roundtable, or name another folder with --data-dir",
                self.path.display()
            )),
        }
    }

    /// Brings the data to this format. Before anything is changed, `back_up` writes the backup whose
    /// path is returned, beside the folder.
    ///
    /// # Errors
    /// A sentence: there is no backup, and nothing is changed, or a change failed.
    pub fn upgrade(
        &self,
        back_up: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<Option<PathBuf>, String> {
        self.take(&STEPS, back_up)
    }

    fn take(
        &self,
        steps: &[Step],
        back_up: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<Option<PathBuf>, String> {
        let format = format_of(&self.path)?;
        let due: Vec<&Step> = steps.iter().filter(|step| step.from >= format).collect();
        if due.is_empty() {
            return Ok(None);
        }
        let folder =
            self.path.canonicalize().map_err(|e| format!("{}: {e}", self.path.display()))?;
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(format!("-format-{format}-{}", backup::name(Clock::default().now())));
        let file = folder.with_file_name(name);
        back_up(&file).map_err(|e| {
            format!("the data are of an older format, and not changed without a backup: {e}")
        })?;
        for step in due {
            let failed = |e| {
                let file = file.display();
                format!(
                    "the data cannot be brought to format {}, {file} has them: {e}",
                    step.from + 1
                )
            };
            (step.change)(&self.path).map_err(failed)?;
            self.write("format", &(step.from + 1).to_string())?;
        }
        Ok(Some(file))
    }

    /// Path of the folder.
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
        files::replace(&file, text)
            .map_err(|e| format!("{} cannot be written: {e}", file.display()))
    }
}

fn unusable(path: &Path, e: &std::io::Error) -> String {
    format!("the data folder {} cannot be used: {e}", path.display())
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

    use super::{DataDir, Step};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn data_of_a_newer_version_is_refused() {
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        DataDir::open(&path).unwrap().write("format", "3").unwrap();
        let Err(reason) = DataDir::open(&path) else { panic!("newer data were opened") };
        assert!(reason.contains("newer version") && reason.contains("--data-dir"), "{reason}");
        fs::write(path.join("format"), "1").unwrap();
        DataDir::open(&path).unwrap();
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn nothing_is_changed_before_there_is_a_backup() {
        const STEPS: [Step; 2] = [
            Step { from: 7, change: |path| changed(path, "8") },
            Step { from: 8, change: |path| changed(path, "9") },
        ];
        fn changed(path: &Path, to: &str) -> Result<(), String> {
            if path.join("is-broken").exists() {
                return Err("broken".to_owned());
            }
            fs::write(path.join("data"), to).map_err(|e| e.to_string())
        }
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        let dir = DataDir::open(&path).unwrap();
        dir.write("format", "7").unwrap();
        fs::write(path.join("data"), "7").unwrap();
        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();

        let reason = dir.take(&STEPS, |_| Err("the disk is full".to_owned())).unwrap_err();
        assert!(reason.contains("the disk is full"), "{reason}");
        assert_eq!((read("format"), read("data")), ("7".to_owned(), "7".to_owned()));

        fs::write(path.join("is-broken"), "").unwrap();
        let kept =
            |file: &Path| fs::copy(path.join("data"), file).map(drop).map_err(|e| e.to_string());
        let reason = dir.take(&STEPS, kept).unwrap_err();
        assert!(reason.contains("broken") && reason.contains("-format-7-"), "{reason}");
        assert_eq!(read("format"), "7");
        fs::remove_file(path.join("is-broken")).unwrap();

        dir.write("format", "8").unwrap();
        let file = dir.take(&STEPS, kept).unwrap().expect("a backup");
        assert_eq!(fs::read_to_string(&file).unwrap(), "7");
        assert_eq!((read("format"), read("data")), ("9".to_owned(), "9".to_owned()));
        assert_eq!(file.parent(), path.canonicalize().unwrap().parent());
        assert_eq!(dir.take(&STEPS, |_| panic!("nothing is due")), Ok(None));
        assert_eq!(
            DataDir::open(&path.join("new")).unwrap().upgrade(|_| panic!("it is new")),
            Ok(None)
        );
        let beside = fs::read_dir(file.parent().unwrap()).unwrap();
        for entry in beside.map(|entry| entry.unwrap().path()) {
            if entry.display().to_string().contains(&format!("{name}-format-")) {
                fs::remove_file(entry).unwrap();
            }
        }
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn production_refuses_a_folder_that_others_could_use() {
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        drop(DataDir::open_private(&path).unwrap());
        assert_eq!(mode(&path), 0o700, "nothing was in it");
        for open in [0o750, 0o705, 0o702, 0o770] {
            fs::set_permissions(&path, Permissions::from_mode(open)).unwrap();
            let Err(reason) = DataDir::open_private(&path) else { panic!("{open:o} was opened") };
            assert!(reason.contains("chmod 700 "), "{reason}");
            assert_eq!(mode(&path), open, "a refusal changes nothing");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        DataDir::open_private(&path).unwrap();
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn data_of_earlier_versions_are_closed() {
        let name = keyring::random_text::<8>().unwrap();
        let path = std::env::temp_dir().join(format!("roundtable-{name}"));
        drop(DataDir::open(&path).unwrap());
        let files = ["dynamodb.sqlite", "dynamodb.sqlite-wal", "sqs.sqlite", "keyring"];
        for name in files.into_iter().chain(["notes"]) {
            fs::write(path.join(name), "x").unwrap();
            fs::set_permissions(path.join(name), Permissions::from_mode(0o644)).unwrap();
        }
        std::os::unix::fs::symlink(path.join("notes"), path.join("admin-token")).unwrap();
        fs::create_dir(path.join("outbox")).unwrap();
        fs::set_permissions(path.join("outbox"), Permissions::from_mode(0o755)).unwrap();
        drop(DataDir::open_private(&path).unwrap());
        for name in files {
            assert_eq!(mode(&path.join(name)), 0o600, "{name}");
        }
        assert_eq!(mode(&path.join("outbox")), 0o700);
        assert_eq!(mode(&path.join("notes")), 0o644, "neither ours nor reached by a link");
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
