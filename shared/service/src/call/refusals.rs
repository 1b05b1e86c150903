//! Log lines of calls that show no valid credential: anybody can make any number of them.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Lines that a process writes in a second; further ones are counted.
const LINES: u32 = 10;
const SECOND: Duration = Duration::from_secs(1);

static REFUSALS: Mutex<Refusals> = Mutex::new(Refusals { began: None, lines: 0, unlogged: 0 });

struct Refusals {
    began: Option<Instant>,
    lines: u32,
    unlogged: u64,
}

impl Refusals {
    fn note(&mut self, now: Instant) -> Option<u64> {
        if self.began.is_none_or(|began| now.saturating_duration_since(began) >= SECOND) {
            (self.began, self.lines) = (Some(now), 0);
        }
        if self.lines >= LINES {
            self.unlogged += 1;
            return None;
        }
        self.lines += 1;
        Some(std::mem::take(&mut self.unlogged))
    }
}

/// Counts a refusal. If it has a line of its own, the number of those before it that had none.
pub(crate) fn note() -> Option<u64> {
    REFUSALS.lock().note(Instant::now())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{LINES, Refusals, SECOND};

    #[test]
    fn a_flood_of_refusals_is_counted_and_a_few_of_them_are_logged() {
        let mut refusals = Refusals { began: None, lines: 0, unlogged: 0 };
        let now = Instant::now();
        let logged = (0..1000).filter(|_| refusals.note(now) == Some(0)).count();
        assert_eq!(logged, LINES as usize);
        assert_eq!(refusals.note(now + SECOND), Some(1000 - u64::from(LINES)));
        assert_eq!(refusals.note(now + SECOND), Some(0));
    }
}
