//! Mails to one address, whoever has it: an hourly limit, and the users it is unsubscribed for. Pure
//! like the other rows.

use std::collections::BTreeSet;

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{
    RowBody,
    quota::{HOUR, MAX_MAILS},
};

/// Mails of one hour: those sent directly, and the one for the rest.
const MAX_IN_HOUR: u64 = MAX_MAILS as u64 + 1;
/// A mail waits for at most as many hours.
const MAX_HOURS: u64 = 24;
/// Maximum number of users that a row remembers.
const MAX_USERS: usize = 1_000;

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

/// The holder of an address unsubscribed. The preference of each user with the address is set once;
/// later, the user may set another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsubscribed {
    /// Digests of the users whose preference is set.
    pub users: BTreeSet<String>,
}

impl Unsubscribed {
    /// The row with a further user, as long as there is room.
    pub fn new(mut users: BTreeSet<String>, user: &str) -> Self {
        if users.len() < MAX_USERS {
            users.insert(user.to_owned());
        }
        Self { users }
    }
}

impl RowBody for Unsubscribed {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        None
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
