//! The folder of accepted mails.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::sent::SentMail;

/// Bounds the memory of a long-lived process.
const MAX_MAILS: usize = 10_000;
/// Bound of the folder: the newest mails, and those of an interval.
const MAX_FILES: usize = 10_000;
/// After so many mails, the folder is looked through.
const INTERVAL: usize = 1_000;
/// Mails contain names, addresses and words of people, which are not kept for ever.
const MAX_AGE: u64 = 30 * 24 * 60 * 60 * 1000;
const MAX_KEPT_BYTES: usize = 64 * 1024 * 1024;

#[derive(Default)]
struct Kept {
    mails: VecDeque<SentMail>,
    bytes: usize,
}

pub(crate) struct Outbox {
    folder: Option<PathBuf>,
    kept: Mutex<Kept>,
    remembers: bool,
    /// Mails of this process that went to the folder.
    written: AtomicUsize,
}

/// `<13-digit ms>-<id>`: sorted by name is sorted by time.
fn name(mail: &SentMail) -> String {
    format!("{:013}-{}", mail.at, mail.id)
}

impl Outbox {
    /// The mails in a folder; those of this process also in memory, if it `remembers` them.
    pub(crate) fn open(folder: Option<PathBuf>, remembers: bool) -> io::Result<Self> {
        if let Some(folder) = &folder {
            fs::create_dir_all(folder)?;
        }
        Ok(Self { folder, kept: Mutex::default(), remembers, written: AtomicUsize::new(0) })
    }

    pub(super) async fn keep(&self, mail: SentMail) -> io::Result<()> {
        if let Some(folder) = self.folder.clone() {
            let (name, raw, at) = (name(&mail), mail.raw.clone(), mail.at);
            let is_due = self.written.fetch_add(1, Ordering::Relaxed).is_multiple_of(INTERVAL);
            let write = move || {
                let written = write(&folder, &name, &raw);
                // A failed deletion fails no mail: one that is kept would be sent again.
                if is_due && let Err(error) = trim(&folder, MAX_FILES, at) {
                    tracing::warn!(%error, "Old mails cannot be deleted.");
                }
                written
            };
            tokio::task::spawn_blocking(write).await.map_err(io::Error::other)??;
        }
        if !self.remembers {
            return Ok(());
        }
        let mut kept = self.kept.lock();
        kept.bytes += mail.raw.len();
        kept.mails.push_back(mail);
        while kept.mails.len() > MAX_MAILS || kept.bytes > MAX_KEPT_BYTES {
            let Some(oldest) = kept.mails.pop_front() else { break };
            kept.bytes -= oldest.raw.len();
        }
        Ok(())
    }

    /// Deletes mails that are too old.
    pub(crate) fn trim(&self, now: u64) -> io::Result<()> {
        let mut kept = self.kept.lock();
        while kept.mails.front().is_some_and(|mail| mail.at < now.saturating_sub(MAX_AGE)) {
            let Some(oldest) = kept.mails.pop_front() else { break };
            kept.bytes -= oldest.raw.len();
        }
        drop(kept);
        self.folder.as_ref().map_or(Ok(()), |folder| trim(folder, MAX_FILES, now))
    }

    pub(crate) fn mails(&self) -> Vec<SentMail> {
        let kept = self.kept.lock();
        kept.mails.iter().cloned().collect()
    }

    pub(crate) fn forget(&self) {
        *self.kept.lock() = Kept::default();
    }

    /// The names of the mails, newest first.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names: Vec<String> = match &self.folder {
            Some(folder) => names(folder)?,
            None => {
                let kept = self.kept.lock();
                kept.mails.iter().map(name).collect()
            }
        };
        names.sort_unstable_by(|a, b| b.cmp(a));
        Ok(names)
    }

    /// A mail by its name, if it exists.
    pub(crate) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        // A path out of the folder is not the name of a mail.
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Ok(None);
        }
        match &self.folder {
            Some(folder) => match fs::read(folder.join(format!("{name}.eml"))) {
                Ok(raw) => Ok(Some(raw)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
            None => {
                let kept = self.kept.lock();
                let mail = kept.mails.iter().find(|mail| self::name(mail) == name);
                Ok(mail.map(|mail| mail.raw.clone()))
            }
        }
    }
}

/// The names of the mails in a folder, in no order.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| {
        Ok(entry?.file_name().to_str().and_then(|name| name.strip_suffix(".eml")).map(String::from))
    });
    names.filter_map(io::Result::transpose).collect()
}

/// Deletes mails of a folder that are too old at this time, and the oldest ones beyond `most`.
fn trim(folder: &Path, most: usize, now: u64) -> io::Result<()> {
    let mut names = names(folder)?;
    names.sort_unstable();
    let oldest = format!("{:013}", now.saturating_sub(MAX_AGE));
    let aged = names.partition_point(|name| *name < oldest);
    let excess = names.len().saturating_sub(most).max(aged);
    for name in &names[..excess] {
        match fs::remove_file(folder.join(format!("{name}.eml"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Written to a temporary file and renamed, so that watchers of the folder see complete mails only.
fn write(folder: &Path, name: &str, raw: &[u8]) -> io::Result<()> {
    let beside = folder.join(format!("{name}.new"));
    let mut options = fs::File::options();
    options.write(true).create(true).truncate(true);
    // Mails contain data of tenants.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&beside)?.write_all(raw)?;
    fs::rename(&beside, folder.join(format!("{name}.eml")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{MAX_AGE, names, trim, write};

    #[test]
    fn the_newest_mails_stay_until_they_are_old() {
        let folder = std::env::temp_dir().join(format!("roundtable-outbox-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for at in [7, 3, 9, 1, 5] {
            write(&folder, &format!("{at:013}-mail"), b"Subject: a").unwrap();
        }
        trim(&folder, 5, 9).unwrap();
        assert_eq!(names(&folder).unwrap().len(), 5);
        trim(&folder, 2, 9).unwrap();
        let mut left = names(&folder).unwrap();
        left.sort();
        assert_eq!(left, ["0000000000007-mail", "0000000000009-mail"]);
        trim(&folder, 2, 8 + MAX_AGE).unwrap();
        assert_eq!(names(&folder).unwrap(), ["0000000000009-mail"]);
        trim(&folder, 2, 9 + MAX_AGE).unwrap();
        assert_eq!(names(&folder).unwrap().len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
