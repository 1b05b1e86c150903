//! The hourly limit of mails per recipient: beyond twenty, they collapse into one (rule N16). Pure
//! like the other rows.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::Body;

/// The counting period, from its first mail on.
pub const HOUR: Millis = 60 * 60 * 1000;
/// Number of mails that are sent directly.
pub const MAX_MAILS: u32 = 20;
/// Maximum number of events in the collapsed mail; further ones start another mail.
pub const MAX_REST: usize = 200;

/// The mail count of one recipient in one hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// Opening time of the first one.
    pub opened_at: Millis,
    /// Number of mails that are sent directly.
    pub mails: u32,
    /// The collapsed mail, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

impl Quota {
    /// End of the hour, when the collapsed mail is sent.
    pub const fn closes_at(&self) -> Millis {
        self.opened_at.saturating_add(HOUR)
    }

    /// The count after a further mail; the unchanged hour, if that mail is collapsed.
    ///
    /// # Errors
    /// The unchanged hour.
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
