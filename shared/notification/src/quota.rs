//! The hourly limit of mails per recipient: beyond twenty, they collapse into one (rule N16). Pure
//! like the other rows.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::RowBody;

/// The counting period, from its first mail on.
pub const HOUR: Millis = 60 * 60 * 1000;
/// The number of mails that are sent directly.
pub const MAX_MAILS: u32 = 20;
/// The maximum number of events in the collapsed mail; further ones start another mail.
pub const MAX_REST: usize = 200;

/// The mail count of one recipient in one hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// The time of the first mail.
    pub opened_at: Millis,
    /// The number of mails that are sent directly.
    pub mails: u32,
    /// The collapsed mail, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

/// A mail in the count of its hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountedMail {
    /// The mail is sent directly; the count includes it.
    Direct(Quota),
    /// The mail is collapsed into the mail for the rest of the hour; the count is unchanged.
    Collapsed(Quota),
}

impl Quota {
    /// The end of the hour, when the collapsed mail is sent.
    pub const fn closes_at(&self) -> Millis {
        self.opened_at.saturating_add(HOUR)
    }

    /// Counts a further mail.
    pub fn count(known: Option<Self>, now: Millis) -> CountedMail {
        match known {
            Some(hour) if now >= hour.closes_at() => CountedMail::Direct(Self::new(now)),
            Some(hour) if hour.mails >= MAX_MAILS => CountedMail::Collapsed(hour),
            Some(hour) => CountedMail::Direct(Self { mails: hour.mails + 1, ..hour }),
            None => CountedMail::Direct(Self::new(now)),
        }
    }

    const fn new(now: Millis) -> Self {
        Self { opened_at: now, mails: 1, rest: None }
    }
}

impl RowBody for Quota {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.closes_at())
    }
}
