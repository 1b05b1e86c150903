//! Times as callers send and see them.

use crate::{Bounded, Millis};

/// Epoch milliseconds as callers may send them: up to the year 2286.
pub type Moment = Bounded<0, 9_999_999_999_999>;

/// A time as ISO 8601 with milliseconds, UTC.
pub fn iso8601(time: Millis) -> String {
    let (seconds, millis) = (time / 1000, time % 1000);
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    // Days are counted from March 1 of the year 0, so that leap days come last.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::iso8601;

    #[test]
    fn a_time_is_shown_as_iso_8601() {
        for (time, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (9_999_999_999_999, "2286-11-20T17:46:39.999Z"),
        ] {
            assert_eq!(iso8601(time), expected);
        }
    }
}
