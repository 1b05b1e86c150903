//! Figures of the system about this process, by the names that all clients of Prometheus use. Linux
//! alone has them in files.

use std::fs;

/// The unit of processor time in `/proc`: the same on every architecture that programs see.
const TICKS_PER_SECOND: f64 = 100.0;

/// Figures of the process; none where they cannot be read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Process {
    pub(super) cpu_seconds: Option<f64>,
    pub(super) resident_bytes: Option<f64>,
    pub(super) open_fds: Option<f64>,
    pub(super) max_fds: Option<f64>,
    pub(super) started_at: Option<f64>,
}

impl Process {
    pub(super) fn read() -> Self {
        let text = |name: &str| fs::read_to_string(format!("/proc/{name}")).ok();
        let stat = text("self/stat");
        // The name of the program may have blanks and parentheses.
        let fields = stat.as_deref().and_then(|stat| stat.rsplit_once(')'));
        let fields: Vec<&str> =
            fields.map(|(_, rest)| rest.split(' ').collect()).unwrap_or_default();
        // By the numbers of proc(5), of which the third is the first one here after a blank.
        let seconds = |number: usize| {
            let ticks: f64 = fields.get(number - 2)?.parse().ok()?;
            Some(ticks / TICKS_PER_SECOND)
        };
        let word = |text: Option<String>, start: &str| -> Option<f64> {
            let text = text?;
            let line = text.lines().find_map(|line| line.strip_prefix(start))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let system = text("stat");
        Self {
            cpu_seconds: seconds(14).zip(seconds(15)).map(|(user, system)| user + system),
            resident_bytes: word(text("self/status"), "VmRSS:").map(|kb| kb * 1024.0),
            open_fds: open_fds(),
            max_fds: word(text("self/limits"), "Max open files"),
            started_at: word(system, "btime").zip(seconds(22)).map(|(boot, since)| boot + since),
        }
    }
}

/// Newer systems have the number in the size of the folder.
fn open_fds() -> Option<f64> {
    let folder = "/proc/self/fd";
    let known = fs::metadata(folder).ok()?.len();
    let counted = || fs::read_dir(folder).map_or(0, |files| files.count() as u64);
    Some(if known > 0 { known } else { counted() } as f64)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Process;

    #[test]
    fn figures_of_this_process_are_plausible() {
        let process = Process::read();
        let resident = process.resident_bytes.unwrap();
        assert!((1e6..1e11).contains(&resident), "{resident}");
        assert!(process.cpu_seconds.unwrap() < 1e6);
        let (open, most) = (process.open_fds.unwrap(), process.max_fds.unwrap());
        assert!(open > 2.0 && open < most, "{open} of {most}");
        let now = service::Clock::default().now() as f64 / 1000.0;
        let age = now - process.started_at.unwrap();
        assert!((-2.0..3600.0).contains(&age), "{age}");
    }
}
