//! Times as sent by callers.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use time::{Date, Month};

use crate::{Bounded, Millis};

/// Epoch milliseconds as sent: up to the year 2286.
pub type Moment = Bounded<0, 9_999_999_999_999>;

/// A time as epoch milliseconds, or as ISO 8601 in UTC: `2026-11-20T08:00:00.123Z`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Sent", into = "Millis")]
#[schemars(!try_from, !into, with = "Sent")]
pub struct Instant(Millis);

#[derive(Deserialize)]
#[serde(untagged)]
enum Sent {
    Millis(Moment),
    Text(String),
}

impl JsonSchema for Sent {
    fn schema_name() -> Cow<'static, str> {
        "Instant".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["integer", "string"], "minimum": 0, "maximum": 9_999_999_999_999_u64,
        })
    }
}

impl Instant {
    /// Epoch milliseconds.
    pub fn get(&self) -> Millis {
        self.0
    }
}

impl From<Instant> for Millis {
    fn from(instant: Instant) -> Self {
        instant.0
    }
}

impl TryFrom<Sent> for Instant {
    type Error = &'static str;
    fn try_from(sent: Sent) -> Result<Self, &'static str> {
        match sent {
            Sent::Millis(millis) => Ok(Self(millis.get())),
            Sent::Text(text) => parse(&text)
                .map(Self)
                .ok_or("must be epoch milliseconds or a time like 2026-11-20T08:00:00.123Z"),
        }
    }
}

/// Epoch milliseconds of a time in UTC, with or without a fraction of a second.
fn parse(text: &str) -> Option<Millis> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let number = |text: &str, digits: usize| {
        let is_number = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse::<u16>().ok()).flatten()
    };
    let mut date = date.split('-');
    let (year, month) = (number(date.next()?, 4)?, number(date.next()?, 2)?);
    let day = number(date.next()?, 2)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut time = time.split(':');
    let (hour, minute) = (number(time.next()?, 2)?, number(time.next()?, 2)?);
    let second = number(time.next()?, 2)?;
    if date.next().is_some() || time.next().is_some() || !(1..=9).contains(&fraction.len()) {
        return None;
    }
    let small = |n: u16| u8::try_from(n).ok();
    let month = Month::try_from(small(month)?).ok()?;
    let date = Date::from_calendar_date(year.into(), month, small(day)?).ok()?;
    let millis: String = fraction.chars().chain("00".chars()).take(3).collect();
    let millis = number(&millis, 3)?;
    let at = date.with_hms_milli(small(hour)?, small(minute)?, small(second)?, millis).ok()?;
    u64::try_from(at.assume_utc().unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::Instant;

    #[test]
    fn a_time_is_sent_as_a_number_or_as_text() {
        let read = |sent| from_value::<Instant>(sent).ok().map(|at| at.get());
        assert_eq!(read(json!(1_795_161_600_123_u64)), Some(1_795_161_600_123));
        assert_eq!(read(json!("2026-11-20T08:00:00.123Z")), Some(1_795_161_600_123));
        assert_eq!(read(json!("2026-11-20T08:00:00Z")), Some(1_795_161_600_000));
        assert_eq!(read(json!("2026-11-20T08:00:00.1Z")), Some(1_795_161_600_100));
        for wrong in [
            json!("2026-11-20"),
            json!("2026-11-20T08:00:00"),
            json!("2026-13-20T08:00:00Z"),
            json!("2026-11-20T25:00:00Z"),
            json!("+026-11-20T08:00:00Z"),
            json!("x"),
            json!(-1),
            json!("2026-11-20T08:00:00.Z"),
            json!("1969-12-31T23:59:59Z"),
            json!([]),
        ] {
            assert_eq!(read(wrong.clone()), None, "{wrong}");
        }
    }
}
