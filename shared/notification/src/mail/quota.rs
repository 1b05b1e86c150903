//! Hourly limits of mails. Beyond twenty to a recipient, they collapse into one (rule N16); an
//! address has as many slots, whoever has it. Pure like the other rows.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::RowBody;

/// The counting period, from its first mail on.
pub const HOUR: Millis = 60 * 60 * 1000;
/// The number of mails that are sent directly.
pub const MAX_MAILS: u32 = 20;
/// The maximum number of events in the collapsed mail; further ones start another mail.
pub const MAX_REST: usize = 200;

/// Mails of one hour to an address: those sent directly, and the one for the rest.
const MAX_IN_HOUR: u64 = MAX_MAILS as u64 + 1;
/// A mail to an address waits for at most as many hours.
const MAX_HOURS: u64 = 24;

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

/// The mails to an address that have a slot: the hours after the first mail have equally many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Slots {
    /// The time of the first slot.
    opened_at: Millis,
    /// The number of slots that are taken or past.
    taken: u64,
}

/// A slot among the mails to an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenSlot {
    /// The slots without this one, to be stored.
    pub slots: Slots,
    /// The time of the slot.
    pub at: Millis,
}

impl Slots {
    /// Takes the next slot. None when those of a day are taken.
    pub fn take(known: Option<Self>, now: Millis) -> Option<TakenSlot> {
        let known = known.filter(|slots| now < slots.closes_at());
        let Self { opened_at, taken } = known.unwrap_or(Self { opened_at: now, taken: 0 });
        let hour = now.saturating_sub(opened_at) / HOUR;
        let slot = taken.max(hour * MAX_IN_HOUR);
        let hour_of_slot = slot / MAX_IN_HOUR;
        let at = opened_at.saturating_add(hour_of_slot * HOUR).max(now);
        let slots = Self { opened_at, taken: slot + 1 };
        (hour_of_slot - hour < MAX_HOURS).then_some(TakenSlot { slots, at })
    }

    /// End of the last hour with a taken slot.
    const fn closes_at(&self) -> Millis {
        self.opened_at.saturating_add(self.taken.div_ceil(MAX_IN_HOUR) * HOUR)
    }
}

impl RowBody for Slots {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.closes_at())
    }
}

#[cfg(test)]
mod tests {
    use super::{HOUR, MAX_HOURS, MAX_IN_HOUR, Slots};

    const NOW: u64 = 1_000_000_000;

    #[test]
    fn each_hour_has_equally_many_slots_and_a_day_has_no_more() {
        let mut slots = None;
        let mut take = |now| {
            let taken = Slots::take(slots.clone(), now)?;
            slots = Some(taken.slots);
            Some(taken.at)
        };
        for n in 0..MAX_IN_HOUR * MAX_HOURS {
            assert_eq!(take(NOW + n), Some((NOW + n / MAX_IN_HOUR * HOUR).max(NOW + n)), "{n}");
        }
        assert_eq!(take(NOW + HOUR - 1), None);
        assert_eq!(take(NOW + HOUR), Some(NOW + MAX_HOURS * HOUR), "an hour is over");
        let later = NOW + 100 * HOUR;
        assert_eq!(take(later), Some(later), "it begins anew");
    }

    #[test]
    fn slots_that_pass_are_not_saved() {
        let first = Slots::take(None, NOW).unwrap().slots;
        let many = (0..30).fold(first, |slots, _| Slots::take(Some(slots), NOW).unwrap().slots);
        let taken = Slots::take(Some(many), NOW + HOUR + 5).unwrap();
        assert_eq!(taken.at, NOW + HOUR + 5);
        assert_eq!(taken.slots.taken, 32);
    }
}
