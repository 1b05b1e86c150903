use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use time::OffsetDateTime;

use crate::Millis;

/// A time as ISO 8601 shows it: UTC, with milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp(pub Millis);

/// The last millisecond that has four digits for its year.
const LATEST: Millis = 253_402_300_799_999;

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.min(LATEST);
        let seconds = i64::try_from(millis / 1000).unwrap_or_default();
        let at = OffsetDateTime::from_unix_timestamp(seconds).map_err(|_| fmt::Error)?;
        let (year, month, day) = at.to_calendar_date();
        let (hour, minute, second) = at.to_hms();
        let (month, millis) = (u8::from(month), millis % 1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LATEST, Timestamp};

    #[test]
    fn it_is_utc_with_milliseconds() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_795_161_600_123, "2026-11-20T08:00:00.123Z"),
            (LATEST, "9999-12-31T23:59:59.999Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp(millis).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn later_reads_later(a in 0..=LATEST, b in 0..=LATEST) {
            let (a, b) = (Timestamp(a), Timestamp(b));
            prop_assert_eq!(a.0.cmp(&b.0), a.to_string().cmp(&b.to_string()));
            prop_assert_eq!(a.to_string().len(), 24);
        }
    }
}
