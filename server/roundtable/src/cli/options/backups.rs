//! Backups that the service makes by itself.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use roundtable::BackupSchedule;

/// Shortest time between two backups.
const MIN: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
pub(crate) struct BackupOptions {
    /// Make a backup every so often, such as 6h, 30m or 1d; the first one at once.
    #[arg(long, env, value_name = "TIME", value_parser = time, requires = "backup_to")]
    backup_every: Option<Duration>,
    /// How many of them are kept.
    #[arg(long, env, value_name = "NUMBER", default_value_t = 28)]
    backup_keep: usize,
    /// Folder of the backups. On another disk, they also survive the loss of this one.
    #[arg(long, env, value_name = "FOLDER", requires = "backup_every")]
    backup_to: Option<PathBuf>,
}

impl BackupOptions {
    pub(crate) fn schedule(self) -> Option<BackupSchedule> {
        let (every, folder) = self.backup_every.zip(self.backup_to)?;
        Some(BackupSchedule { every, keep: self.backup_keep, folder })
    }
}

fn time(text: &str) -> Result<Duration, &'static str> {
    let wrong = "a number of minutes, hours or days is needed, such as 30m, 6h or 1d";
    let seconds = [('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60)];
    let unit = seconds
        .into_iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?.parse::<u32>().ok()?, seconds)));
    let (number, seconds) = unit.ok_or(wrong)?;
    let time = Duration::from_secs(u64::from(number) * seconds);
    if time < MIN { Err(wrong) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;

    use crate::options::Options;

    #[test]
    fn backups_have_a_time_and_a_folder() {
        let schedule = |arguments: &[&str]| {
            let options = Options::try_parse_from(["roundtable"].iter().chain(arguments));
            options.map(|options| options.backups.schedule()).map_err(|e| e.to_string())
        };
        assert_eq!(schedule(&[]), Ok(None));
        for (text, hours) in [("6h", 6), ("60m", 1), ("2d", 48)] {
            let given = schedule(&["--backup-every", text, "--backup-to", "/b"]).unwrap().unwrap();
            assert_eq!((given.every, given.keep), (Duration::from_secs(hours * 3600), 28));
        }
        assert!(schedule(&["--backup-every", "6h"]).unwrap_err().contains("--backup-to"));
        assert!(schedule(&["--backup-to", "/b"]).unwrap_err().contains("--backup-every"));
        for wrong in ["6", "0h", "h", "-1h", "30s", "1.5h", "99999999999d"] {
            assert!(schedule(&["--backup-every", wrong, "--backup-to", "/b"]).is_err(), "{wrong}");
        }
    }
}
