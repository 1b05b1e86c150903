//! Backups that a running service makes by itself.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use embedded::EmbeddedServices;
use service::Clock;
use time::{Date, Month, PrimitiveDateTime, Time};

use super::{back_up, name};
use crate::data::files::{create_folder, partial_of};

/// The next attempt after a failed one, or earlier if backups are due more often.
const RETRY: Duration = Duration::from_secs(5 * 60);
/// How often the clock is looked at: it may be set, and the machine may sleep.
const LOOK: Duration = Duration::from_secs(20);

/// When backups are made, and which are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSchedule {
    /// Time from one backup to the next.
    pub every: Duration,
    /// Number of the newest ones that are kept.
    pub keep: usize,
    /// Folder of the backups, with nothing else in it that has such a name.
    pub folder: PathBuf,
}

impl BackupSchedule {
    /// Makes backups of `data`, which `embedded` serves, until the runtime ends. The next one is due by the
    /// name of the newest, also after a restart.
    ///
    /// # Errors
    /// A sentence: the folder cannot be used.
    pub fn follow(
        self,
        embedded: EmbeddedServices,
        clock: Clock,
        data: PathBuf,
    ) -> Result<(), String> {
        let unusable = |e| format!("{} cannot be used for backups: {e}", self.folder.display());
        create_folder(&self.folder).map_err(unusable)?;
        self.backups().map_err(unusable)?;
        tokio::spawn(async move {
            let mut not_before = 0;
            loop {
                let now = clock.now();
                let due = self.due(now).unwrap_or(now).max(not_before);
                if due <= now {
                    let (schedule, embedded, data) = (self.clone(), embedded.clone(), data.clone());
                    let make = move |file: &Path| back_up(&embedded, &data, file);
                    let made = tokio::task::spawn_blocking(move || schedule.make(now, make)).await;
                    match made.unwrap_or_else(|e| Err(e.to_string())) {
                        Ok(file) => tracing::info!(file = %file.display(), "A backup was made."),
                        Err(error) => {
                            tracing::error!(error, "A backup failed.");
                            not_before = now + millis(RETRY.min(self.every));
                        }
                    }
                }
                tokio::time::sleep(LOOK.min(self.every)).await;
            }
        });
        Ok(())
    }

    /// When the next backup is due; none: at once. A backup of the future, by a clock that was
    /// wrong, delays none.
    fn due(&self, now: u64) -> Option<u64> {
        let made = self.backups().ok()?.into_iter().map(|(at, _)| at);
        Some(made.filter(|at| *at <= now).max()? + millis(self.every))
    }

    /// Makes a backup, and then deletes those that are too many.
    fn make(
        &self,
        now: u64,
        make: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<PathBuf, String> {
        let file = self.folder.join(name(now));
        make(&file)?;
        let failed = |e| format!("old backups in {} stay: {e}", self.folder.display());
        let mut old = self.backups().map_err(failed)?;
        old.retain(|(_, other)| *other != file);
        old.sort_unstable();
        let too_many = (old.len() + 1).saturating_sub(self.keep.max(1));
        for (_, file) in old.into_iter().take(too_many) {
            fs::remove_file(file).map_err(failed)?;
        }
        self.clean().map_err(failed)?;
        Ok(file)
    }

    /// The backups in the folder, with their times.
    fn backups(&self) -> std::io::Result<Vec<(u64, PathBuf)>> {
        let mut backups = vec![];
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if let Some(at) = entry.file_name().to_str().and_then(time) {
                backups.push((at, entry.path()));
            }
        }
        Ok(backups)
    }

    /// Removes what the end of a process left half done.
    fn clean(&self) -> std::io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if name.to_str().and_then(partial_of).and_then(time).is_some() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The time in such a name.
fn time(file: &str) -> Option<u64> {
    let text = file.strip_prefix("roundtable-")?.strip_suffix("Z.tar")?;
    let (date, clock) = text.split_once('T')?;
    let is_plain =
        |text: &str, length| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    if !is_plain(date, 8) || !is_plain(clock, 6) {
        return None;
    }
    let two = |text: &str, at: usize| text[at..at + 2].parse::<u8>().ok();
    let month = Month::try_from(two(date, 4)?).ok()?;
    let date = Date::from_calendar_date(date[..4].parse().ok()?, month, two(date, 6)?).ok()?;
    let clock = Time::from_hms(two(clock, 0)?, two(clock, 2)?, two(clock, 4)?).ok()?;
    let at = PrimitiveDateTime::new(date, clock).assume_utc();
    u64::try_from(at.unix_timestamp()).ok()?.checked_mul(1000)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::{Path, PathBuf},
        time::Duration,
    };

    use super::{BackupSchedule, name, time};

    const HOUR: u64 = 60 * 60 * 1000;
    /// 25 November 2026, 16:05:00 UTC.
    const NOW: u64 = 1_795_622_700_000;

    fn schedule(keep: usize) -> BackupSchedule {
        let random = keyring::random_text::<8>().unwrap();
        let folder = std::env::temp_dir().join(format!("roundtable-schedule-{random}"));
        fs::create_dir_all(&folder).unwrap();
        BackupSchedule { every: Duration::from_secs(6 * 60 * 60), keep, folder }
    }

    fn made(file: &Path) -> Result<(), String> {
        fs::write(file, "x").map_err(|e| e.to_string())
    }

    fn files(folder: &PathBuf) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_name_says_when() {
        assert_eq!(name(NOW), "roundtable-20261125T160500Z.tar");
        assert_eq!(time(&name(NOW)), Some(NOW));
        for other in [
            "roundtable-20261125T160500Z.tar.partial",
            "roundtable-20261325T160500Z.tar",
            "roundtable-2026112ST160500Z.tar",
            "roundtable-20261125T1605Z.tar",
            "backup.tar",
        ] {
            assert_eq!(time(other), None, "{other}");
        }
    }

    #[test]
    fn the_newest_stay_and_an_old_one_goes_after_the_next_is_made() {
        let schedule = schedule(3);
        fs::write(schedule.folder.join("notes.tar"), "x").unwrap();
        fs::write(schedule.folder.join(name(NOW - 9 * HOUR) + ".AAAAAAAAAAA.partial"), "x")
            .unwrap();
        for at in 0..5 {
            schedule.make(NOW + at * HOUR, made).unwrap();
        }
        let kept = [2, 3, 4].map(|at| name(NOW + at * HOUR));
        let expected: Vec<_> = ["notes.tar".to_owned()].into_iter().chain(kept).collect();
        assert_eq!(files(&schedule.folder), expected);
        let failed = schedule.make(NOW + 5 * HOUR, |_| Err("the disk is full".to_owned()));
        assert_eq!(failed, Err("the disk is full".to_owned()));
        assert_eq!(files(&schedule.folder), expected, "a failed one costs no other");
        fs::remove_dir_all(&schedule.folder).unwrap();
    }

    #[test]
    fn the_next_is_due_by_the_newest_also_after_a_restart() {
        let schedule = schedule(3);
        assert_eq!(schedule.due(NOW), None);
        for at in [NOW - 7 * HOUR, NOW - HOUR] {
            schedule.make(at, made).unwrap();
        }
        assert_eq!(schedule.due(NOW), Some(NOW + 5 * HOUR));
        // The clock was a year ahead for a while.
        schedule.make(NOW + 365 * 24 * HOUR, made).unwrap();
        assert_eq!(schedule.due(NOW), Some(NOW + 5 * HOUR));
        let now = schedule.make(NOW, made).unwrap();
        assert!(now.exists(), "the backup that was just made is never too old");
        fs::remove_dir_all(&schedule.folder).unwrap();
    }
}
