//! Backups of the data of a local service: one archive with a copy of both databases at one moment,
//! the secrets, and the checksums of all.

mod schedule;

use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    path::Path,
};

use embedded::EmbeddedServices;
use service::Clock;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

pub use self::schedule::BackupSchedule;
use super::files::{self, NewFile, Staged, partial_of};

/// Files that are copied besides the databases, where they exist.
const FILES: [&str; 4] = ["format", "keyring", "admin-token", "aws-session-token"];
/// The folder of the positions of streams.
const POSITIONS: &str = "streams";
/// The checksums, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// The time of the last backup, in epoch milliseconds.
pub(crate) const LAST: &str = "last-backup";
/// Held while a backup is made.
const LOCK: &str = "backup.lock";
/// The folder in which a backup is made.
const STAGED: &str = "backup";
/// Longest path in a backup.
const MAX_NAME: usize = 200;
/// Longest list of checksums in bytes.
const MAX_SUMS: u64 = 1024 * 1024;

/// Writes a backup of the data in `data`, which `embedded` serves, and notes its time there. An
/// existing file is left alone; one backup is made after the other.
///
/// # Errors
/// A sentence: something cannot be read or written, or the file is there already.
pub fn back_up(embedded: &EmbeddedServices, data: &Path, file: &Path) -> Result<(), String> {
    if file.exists() {
        return Err(format!("{} is there already", file.display()));
    }
    let failed = |e: std::io::Error| format!("{} cannot be written: {e}", file.display());
    let lock = files::lockable(&data.join(LOCK)).map_err(failed)?;
    lock.lock().map_err(failed)?;
    clean(data).map_err(failed)?;
    let staged = Staged::beside(&data.join(STAGED))?;
    // Positions first: an older one makes records come again, a newer one would pass them over.
    let positions = staged.join(POSITIONS);
    fs::create_dir(&positions).map_err(failed)?;
    for entry in fs::read_dir(data.join(POSITIONS)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if Path::new(&name).extension().is_none() {
            fs::copy(entry.path(), positions.join(name)).map_err(failed)?;
        }
    }
    embedded.backup(&staged).map_err(|e| format!("the data cannot be copied: {e}"))?;
    for name in FILES.into_iter().filter(|name| data.join(name).exists()) {
        fs::copy(data.join(name), staged.join(name)).map_err(failed)?;
    }
    let mut packed = NewFile::beside(file).map_err(failed)?;
    pack(&staged, packed.file()).and_then(|()| packed.link(file)).map_err(failed)?;
    let at = Clock::default().now();
    files::replace(&data.join(LAST), &at.to_string()).map_err(failed)
}

/// Removes what the end of a process left half done in the data folder.
fn clean(data: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(data)? {
        let entry = entry?;
        let is_left = entry.file_name().to_str().and_then(partial_of) == Some(STAGED);
        if is_left && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
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
    let staged = Staged::beside(dir)?;
    unpack(file, &staged).map_err(|e| format!("{} cannot be restored: {e}", file.display()))?;
    let sound = EmbeddedServices::check_backup(&staged);
    sound.map_err(|e| format!("{} has a damaged database: {e}", file.display()))?;
    let moved = match fs::remove_dir(dir) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
        _ => fs::rename(&*staged, dir),
    };
    moved.map_err(|e| format!("{} cannot be written: {e}", dir.display()))
}

/// The files of a folder and of the folder of positions, by their paths.
fn names_in(folder: &Path) -> std::io::Result<Vec<String>> {
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

fn pack(folder: &Path, file: &mut File) -> std::io::Result<()> {
    let names = names_in(folder)?;
    let mut sums = String::new();
    for name in &names {
        sums += &format!("{}  {name}\n", sum(&folder.join(name))?);
    }
    fs::write(folder.join(SUMS), sums)?;
    let mut archive = tar::Builder::new(file);
    archive.sparse(false);
    for name in names.iter().map(String::as_str).chain([SUMS]) {
        archive.append_path_with_name(folder.join(name), name)?;
    }
    archive.into_inner().map(drop)
}

/// Whether a name is that of a file, and of no folder.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        && !name.starts_with('.')
}

/// Unpacks regular files into a folder, and compares them with their checksums.
fn unpack(file: &Path, folder: &Path) -> std::io::Result<()> {
    let wrong = |what: String| std::io::Error::new(ErrorKind::InvalidData, what);
    fs::create_dir(folder.join(POSITIONS))?;
    let mut archive = tar::Archive::new(File::open(file)?);
    // As they are: long names of extensions would be read into memory, whatever their length.
    for entry in archive.entries()?.raw(true) {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        let is_part = is_plain(name.strip_prefix(&format!("{POSITIONS}/")).unwrap_or(&name));
        if !is_part || !entry.header().entry_type().is_file() {
            return Err(wrong(format!("{name} is no file of such an archive")));
        }
        let mut written = files::create(&folder.join(&name))?;
        std::io::copy(&mut entry, &mut written)?;
        written.sync_all()?;
    }
    if !folder.join(SUMS).exists() {
        let what = format!("it has no {SUMS}, so it is no such archive, or an incomplete one");
        return Err(wrong(what));
    }
    let mut sums = String::new();
    File::open(folder.join(SUMS))?.take(MAX_SUMS).read_to_string(&mut sums)?;
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
    if listed != names_in(folder)? {
        return Err(wrong("files are missing or were added".to_owned()));
    }
    fs::remove_file(folder.join(SUMS))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, path::PathBuf, sync::Arc};

    use embedded::{EmbeddedServices, Options, Roles};

    use super::{back_up, restore, sum};

    fn folder() -> PathBuf {
        let name = keyring::random_text::<8>().unwrap();
        let folder = std::env::temp_dir().join(format!("roundtable-backup-{name}"));
        fs::create_dir_all(folder.join("data/streams")).unwrap();
        folder
    }

    fn embedded(folder: &std::path::Path) -> EmbeddedServices {
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
        EmbeddedServices::open(options).unwrap()
    }

    #[test]
    fn a_backup_is_private_and_follows_no_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = folder();
        let data = folder.join("data");
        fs::write(data.join("keyring"), "local=secret").unwrap();
        let [theirs, partial, file, link] =
            ["theirs", "b.tar.partial", "b.tar", "link.tar"].map(|name| folder.join(name));
        fs::write(&theirs, "theirs").unwrap();
        fs::set_permissions(&theirs, fs::Permissions::from_mode(0o666)).unwrap();
        symlink(&theirs, &partial).unwrap();
        symlink(folder.join("nothing"), &link).unwrap();
        // A folder that the end of a process left, and one that only looks alike.
        fs::create_dir(data.join("backup.AAAAAAAAAAA.partial")).unwrap();
        fs::create_dir(data.join("backup.partial")).unwrap();
        let embedded = embedded(&folder);
        back_up(&embedded, &data, &file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(back_up(&embedded, &data, &link).is_err(), "a link is there already");
        assert!(!folder.join("nothing").exists());
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        assert!(!data.join("backup.AAAAAAAAAAA.partial").exists());
        assert!(data.join("backup.partial").exists());

        let (new, beside) = (folder.join("new"), folder.join("new.partial"));
        fs::create_dir(&beside).unwrap();
        fs::write(beside.join("theirs"), "theirs").unwrap();
        restore(&file, &new).unwrap();
        assert!(beside.join("theirs").exists());
        assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o700);
        let left = fs::read_dir(&folder).unwrap().count();
        assert_eq!(left, 7, "data, new, new.partial, theirs, b.tar, b.tar.partial, link.tar");
        fs::remove_dir_all(&folder).unwrap();
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
        let embedded = embedded(&folder);
        back_up(&embedded, &folder.join("data"), &file).unwrap();
        assert!(back_up(&embedded, &folder.join("data"), &file).unwrap_err().contains("already"));
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
