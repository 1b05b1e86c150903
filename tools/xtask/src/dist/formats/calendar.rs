//! Times of archives.

use time::OffsetDateTime;

/// Date and time in UTC of seconds since 1970.
pub(crate) fn calendar(time: u64) -> Result<OffsetDateTime, String> {
    let time = i64::try_from(time).map_err(|e| e.to_string())?;
    OffsetDateTime::from_unix_timestamp(time).map_err(|e| e.to_string())
}

/// Date and time in UTC of seconds since 1970, as JSON has them.
pub(crate) fn iso(time: u64) -> Result<String, String> {
    let at = calendar(time)?;
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    Ok(format!("{date}T{hour:02}:{minute:02}:{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(iso(1_700_000_000).unwrap(), "2023-11-14T22:13:20Z");
    }
}
