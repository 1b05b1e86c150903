//! Backups of the data of a local service: one archive with a copy of both databases at one moment,
//! the secrets, and the checksums of all.

mod schedule;

use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use emulator::Emulator;
use service::Clock;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

pub use self::schedule::BackupSchedule;

/// What is copied besides the databases, where it is there.
const FILES: [&str; 4] = ["format", "keyring", "admin-token", "aws-session-token"];
/// The folder of the positions of streams.
const POSITIONS: &str = "streams";
/// The checksums, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// The time of the last backup, in epoch milliseconds.
pub(crate) const LAST: &str = "last-backup";
/// Held while a backup is made.
const LOCK: &str = "backup.lock";
/// The end of the names of what is not complete.
const PARTIAL: &str = ".partial";
/// Longest path in a backup.
const MAX_NAME: usize = 200;

/// Writes a backup of the data in `data`, which `emulator` serves, and notes its time there. An
/// existing file is left alone; one backup is made after the other.
///
/// # Errors
/// A sentence: something cannot be read or written, or the file is there already.
pub fn back_up(emulator: &Emulator, data: &Path, file: &Path) -> Result<(), String> {
    if file.exists() {
        return Err(format!("{} is there already", file.display()));
    }
    let failed = |e: std::io::Error| format!("{} cannot be written: {e}", file.display());
    let lock = File::create(data.join(LOCK)).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let staged = Staged::new(&data.join("backup.partial"))?;
    // Positions first: an older one makes records come again, a newer one would pass them over.
    let positions = staged.0.join(POSITIONS);
    fs::create_dir(&positions).map_err(failed)?;
    for entry in fs::read_dir(data.join(POSITIONS)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if Path::new(&name).extension().is_none() {
            fs::copy(entry.path(), positions.join(name)).map_err(failed)?;
        }
    }
    emulator.backup(&staged.0).map_err(|e| format!("the data cannot be copied: {e}"))?;
    for name in FILES.into_iter().filter(|name| data.join(name).exists()) {
        fs::copy(data.join(name), staged.0.join(name)).map_err(failed)?;
    }
    let partial = beside(file);
    let packed = pack(&staged.0, &partial).and_then(|()| {
        // Unlike a rename, this never replaces a file that has come meanwhile.
        fs::hard_link(&partial, file)
    });
    let _ = fs::remove_file(&partial);
    packed.map_err(failed)?;
    let at = Clock::default().now();
    // Whoever reads it sees an older one rather than half a number.
    let last = data.join(LAST);
    let noted = fs::write(beside(&last), at.to_string());
    noted.and_then(|()| fs::rename(beside(&last), last)).map_err(failed)
}

/// `roundtable-20261125T160500Z.tar`: sorted by name is sorted by time.
pub(crate) fn name(at: u64) -> String {
    let seconds = i64::try_from(at / 1000).unwrap_or_default();
    let at = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    let (hour, minute, second) = at.to_hms();
    let month = u8::from(month);
    format!("roundtable-{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z.tar")
}

/// Makes the data folder `dir` from a backup.
///
/// # Errors
/// A sentence: the folder is not empty, or the backup is damaged or incomplete; then nothing is
/// left.
pub fn restore(file: &Path, dir: &Path) -> Result<(), String> {
    let is_free = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(e) => e.kind() == ErrorKind::NotFound,
    };
    if !is_free {
        return Err(format!("{} is not empty: a backup becomes a new folder", dir.display()));
    }
    let staged = Staged::new(&beside(dir))?;
    unpack(file, &staged.0).map_err(|e| format!("{} cannot be restored: {e}", file.display()))?;
    let sound = Emulator::check_backup(&staged.0);
    sound.map_err(|e| format!("{} has a damaged database: {e}", file.display()))?;
    let moved = match fs::remove_dir(dir) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
        _ => fs::rename(&staged.0, dir),
    };
    moved.map_err(|e| format!("{} cannot be written: {e}", dir.display()))
}

/// A folder that only its owner may read; it is removed at the end, unless it was renamed.
pub(crate) struct Staged(PathBuf);

impl Staged {
    pub(crate) fn new(path: &Path) -> Result<Self, String> {
        let failed = |e| format!("{} cannot be written: {e}", path.display());
        match fs::remove_dir_all(path) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
        private_folder(path).map_err(failed)?;
        Ok(Self(path.to_owned()))
    }
}

impl std::ops::Deref for Staged {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

/// Creates a folder that only its owner may read, where there is none.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    name.into()
}

/// The files of a folder and of the folder of positions, by their paths.
fn files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = vec![];
    for (prefix, folder) in
        [(String::new(), folder.to_owned()), (format!("{POSITIONS}/"), folder.join(POSITIONS))]
    {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                names.push(format!("{prefix}{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(crate) fn sum(file: &Path) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    std::io::copy(&mut File::open(file)?, &mut digest)?;
    Ok(format!("{:x}", digest.finalize()))
}

/// A new file, or an emptied one, that only its owner may read.
pub(crate) fn private_file(file: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

fn pack(folder: &Path, file: &Path) -> std::io::Result<()> {
    let names = files(folder)?;
    let mut sums = String::new();
    for name in &names {
        sums += &format!("{}  {name}\n", sum(&folder.join(name))?);
    }
    fs::write(folder.join(SUMS), sums)?;
    let mut archive = tar::Builder::new(private_file(file)?);
    for name in names.iter().map(String::as_str).chain([SUMS]) {
        archive.append_path_with_name(folder.join(name), name)?;
    }
    archive.into_inner()?.sync_all()
}

/// Whether a name is that of a file, and of no folder.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        && !name.starts_with('.')
}

/// Unpacks the regular files of an archive into a folder; returns their names, all of which
/// `is_part` has admitted. `index` names the file that lists the others; it is unpacked, too.
pub(crate) fn unpacked(
    file: &Path,
    folder: &Path,
    index: &str,
    is_part: impl Fn(&str) -> bool,
) -> std::io::Result<Vec<String>> {
    let wrong = |what: String| std::io::Error::new(ErrorKind::InvalidData, what);
    let (mut archive, mut names) = (tar::Archive::new(File::open(file)?), vec![]);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        let is_known = name == index || is_part(&name);
        if !is_known || !entry.header().entry_type().is_file() {
            return Err(wrong(format!("{name} is no file of such an archive")));
        }
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut written = options.open(folder.join(&name))?;
        std::io::copy(&mut entry, &mut written)?;
        written.flush()?;
        written.sync_all()?;
        names.push(name);
    }
    match names.iter().position(|name| name == index) {
        Some(at) => _ = names.swap_remove(at),
        None => {
            let what = format!("it has no {index}, so it is no such archive, or an incomplete one");
            return Err(wrong(what));
        }
    }
    Ok(names)
}

/// Unpacks regular files into a folder, and compares them with their checksums.
fn unpack(file: &Path, folder: &Path) -> std::io::Result<()> {
    let wrong = |what: String| std::io::Error::new(ErrorKind::InvalidData, what);
    fs::create_dir(folder.join(POSITIONS))?;
    let is_part =
        |name: &str| is_plain(name.strip_prefix(&format!("{POSITIONS}/")).unwrap_or(name));
    unpacked(file, folder, SUMS, is_part)?;
    let mut sums = String::new();
    File::open(folder.join(SUMS))?.read_to_string(&mut sums)?;
    let mut listed: Vec<String> = vec![SUMS.to_owned()];
    for line in sums.lines() {
        let (wanted, name) =
            line.split_once("  ").ok_or_else(|| wrong(format!("{SUMS} is damaged")))?;
        if sum(&folder.join(name))? != wanted {
            return Err(wrong(format!("{name} is damaged")));
        }
        listed.push(name.to_owned());
    }
    listed.sort_unstable();
    if listed != files(folder)? {
        return Err(wrong("files are missing or were added".to_owned()));
    }
    fs::remove_file(folder.join(SUMS))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, path::PathBuf, sync::Arc};

    use emulator::{Emulator, Options, Roles};

    use super::{back_up, restore, sum};

    fn folder() -> PathBuf {
        let name = keyring::random_text::<8>().unwrap();
        let folder = std::env::temp_dir().join(format!("roundtable-backup-{name}"));
        fs::create_dir_all(folder.join("data/streams")).unwrap();
        folder
    }

    fn emulator(folder: &std::path::Path) -> Emulator {
        let options = Options {
            dir: Some(folder.join("data")),
            is_synced: false,
            remembers: false,
            observer: Arc::new(()),
            clock: Arc::new(|| 1_700_000_000_000),
            outbox: None,
            smtp: None,
            mail_events_queue: None,
            roles: Roles::new(),
        };
        Emulator::open(options).unwrap()
    }

    /// Each byte is part of a checked sum, of a name, or of a header that changes nothing.
    #[test]
    fn a_damaged_backup_is_refused_and_leaves_nothing() {
        let folder = folder();
        fs::write(folder.join("data/keyring"), "local=secret").unwrap();
        fs::write(folder.join("data/format"), "1").unwrap();
        fs::write(folder.join("data/streams/Resources"), "17").unwrap();
        let (file, damaged, new) =
            (folder.join("b.tar"), folder.join("damaged.tar"), folder.join("new"));
        let emulator = emulator(&folder);
        back_up(&emulator, &folder.join("data"), &file).unwrap();
        assert!(back_up(&emulator, &folder.join("data"), &file).unwrap_err().contains("already"));
        restore(&file, &new).unwrap();
        assert!(restore(&file, &new).unwrap_err().contains("not empty"));
        let names = ["dynamodb.sqlite", "sqs.sqlite", "format", "keyring", "streams/Resources"];
        let sums = names.map(|name| sum(&new.join(name)).unwrap());
        let whole = fs::read(&file).unwrap();
        let (mut dice, mut refused) = (1_u64, 0);
        let mut next = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (dice >> 33) as usize
        };
        for n in 0..200 {
            fs::remove_dir_all(&new).unwrap_or_default();
            let mut bytes = whole.clone();
            match n % 4 {
                0 => bytes.truncate(next() % whole.len()),
                _ => bytes[next() % whole.len()] ^= 1 << (next() % 8),
            }
            fs::write(&damaged, &bytes).unwrap();
            match restore(&damaged, &new) {
                Ok(()) => assert_eq!(names.map(|name| sum(&new.join(name)).unwrap()), sums),
                Err(_) => {
                    refused += 1;
                    assert!(!new.exists(), "something is left");
                }
            }
        }
        assert!(refused > 150, "only {refused} were refused");
        fs::write(&damaged, "").unwrap();
        assert!(restore(&damaged, &new).unwrap_err().contains("it has no SHA256SUMS"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
