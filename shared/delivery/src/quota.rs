//! How many mails a recipient gets: what is more than twenty in an hour becomes one (design note on
//! notifications, 3, throttle guard). Pure like the other rows.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::Body;

/// For how long mails are counted together, from the first of them on.
pub const HOUR: Millis = 60 * 60 * 1000;
/// How many of them are sent as they come.
pub const MAX_MAILS: u32 = 20;
/// How many events the mail of the rest takes; what is beyond goes into a further one.
pub const MAX_REST: usize = 200;

/// The mails of one recipient in one hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// Opening time of the first one.
    pub opened_at: Millis,
    /// How many of them are sent as they come.
    pub mails: u32,
    /// The mail that tells of the rest, once there is a rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

impl Quota {
    /// When the rest is sent, and counting begins anew.
    pub const fn closes_at(&self) -> Millis {
        self.opened_at.saturating_add(HOUR)
    }

    /// What it is after a further mail; the hour, when that mail belongs to the rest of it.
    ///
    /// # Errors
    /// The hour as it is.
    pub fn count(known: Option<Self>, now: Millis) -> Result<Self, Self> {
        match known {
            Some(hour) if now >= hour.closes_at() => Ok(Self::new(now)),
            Some(hour) if hour.mails >= MAX_MAILS => Err(hour),
            Some(hour) => Ok(Self { mails: hour.mails + 1, ..hour }),
            None => Ok(Self::new(now)),
        }
    }

    const fn new(now: Millis) -> Self {
        Self { opened_at: now, mails: 1, rest: None }
    }
}

impl Body for Quota {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.closes_at())
    }
}
