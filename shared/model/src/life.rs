//! Lives of containers. An organization, a folder, a document and a group may be deleted and added
//! again under the same id; each time it begins another life, and what is in it belongs to one of
//! them (decision 101).
//!
//! A life is named by the time at which the one before it ended: the deletion begins the new life,
//! not the next addition. A row that needs no container (a right, presence, a notification) may be
//! written in between, and belongs to the container that is added afterwards.

use serde::{Deserialize, Serialize};

use crate::Millis;

/// A life of a container: the time at which the life before it ended, in epoch milliseconds by the
/// clock of the tenant. Later lives are greater.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Life(Millis);

/// A container, as a read found it. Both cases have a life: the present one, or the one that begins
/// with the next addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand<T> {
    /// Deleted at that time, or never added ([`Life::FIRST`]).
    Absent(Life),
    /// Added, in this life.
    There(T, Life),
}

/// How a row records its age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The life of its container, as the call that added the row had read it: rows that cannot be
    /// without their container.
    In(Life),
    /// The time of the write, in epoch milliseconds: rows that need no container.
    At(Millis),
}

/// Whether a row belongs to its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// To its present life, or to the one that begins with its next addition.
    Here,
    /// To an earlier life of a container that was added again.
    Earlier,
    /// To a container that is gone.
    Orphan,
}

impl Life {
    /// The life of a container that was never deleted.
    pub const FIRST: Self = Self(0);

    /// The life that begins with an end, in epoch milliseconds.
    pub const fn after(end: Millis) -> Self {
        Self(end)
    }

    /// The time at which the life before it ended, in epoch milliseconds; 0 for the first.
    pub const fn since(self) -> Millis {
        self.0
    }

    /// Whether nothing came before it. Such a life is not stored.
    pub const fn is_first(&self) -> bool {
        self.0 == 0
    }

    /// The end of this life by a call that began at `now`: always later than its beginning, whatever
    /// the clock of that call says.
    #[must_use]
    pub const fn ended(self, now: Millis) -> Self {
        if now > self.0 { Self(now) } else { Self(self.0.saturating_add(1)) }
    }

    /// Whether something said at a time, in epoch milliseconds, was said in this life.
    pub const fn covers(self, at: Millis) -> bool {
        at > self.0
    }
}

impl<T> Stand<T> {
    /// The present life, or the next one.
    pub const fn life(&self) -> Life {
        match self {
            Self::Absent(life) | Self::There(_, life) => *life,
        }
    }

    /// Whether it exists.
    pub const fn is_there(&self) -> bool {
        matches!(self, Self::There(..))
    }

    /// The container, if it exists.
    pub fn there(self) -> Option<T> {
        match self {
            Self::Absent(_) => None,
            Self::There(container, _) => Some(container),
        }
    }

    /// The stand with a reference to the container.
    pub const fn as_ref(&self) -> Stand<&T> {
        match self {
            Self::Absent(life) => Stand::Absent(*life),
            Self::There(container, life) => Stand::There(container, *life),
        }
    }

    /// The stand with the result of `f` for the container.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Stand<U> {
        match self {
            Self::Absent(life) => Stand::Absent(life),
            Self::There(container, life) => Stand::There(f(container), life),
        }
    }

    /// Alone whether it exists, and since when.
    pub const fn bare(&self) -> Stand<()> {
        match self {
            Self::Absent(life) => Stand::Absent(*life),
            Self::There(_, life) => Stand::There((), *life),
        }
    }

    /// The container as it stands in another one, such as a document in its organization: one of an
    /// earlier life of that is absent since the beginning of the present life.
    #[must_use]
    pub fn within<U>(self, outer: &Stand<U>) -> Self {
        let outer = outer.life();
        match self {
            Self::There(container, life) if life >= outer => Self::There(container, life),
            Self::There(..) => Self::Absent(outer),
            Self::Absent(life) => Self::Absent(if life > outer { life } else { outer }),
        }
    }
}

/// Whether a row belongs to its container; the only comparison of the two. A row with a life that is
/// not earlier than that of the container is here also if the container seems to be absent: the call
/// that added the row has seen the container, so that the read of it is older.
pub fn fate<T>(row: Stamp, container: &Stand<T>) -> Fate {
    let life = container.life();
    let belongs = match row {
        Stamp::In(own) => own >= life,
        Stamp::At(at) => life.covers(at),
    };
    match (belongs, container) {
        (true, _) => Fate::Here,
        (false, Stand::There(..)) => Fate::Earlier,
        (false, Stand::Absent(_)) => Fate::Orphan,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Life, Stamp, Stand, fate};

    const DELETED: Stand<()> = Stand::Absent(Life::after(10));
    const BACK: Stand<()> = Stand::There((), Life::after(10));

    #[test]
    fn what_is_in_a_container_belongs_to_the_life_that_its_call_had_seen() {
        let in_ = |since| Stamp::In(Life::after(since));
        assert_eq!(fate(in_(0), &Stand::There((), Life::FIRST)), Fate::Here);
        assert_eq!(fate(in_(0), &DELETED), Fate::Orphan);
        assert_eq!(fate(in_(0), &BACK), Fate::Earlier);
        assert_eq!(fate(in_(10), &BACK), Fate::Here);
        assert_eq!(fate(in_(10), &DELETED), Fate::Here, "the read was older than the row");
    }

    #[test]
    fn what_needs_no_container_belongs_to_the_life_in_which_it_was_written() {
        assert_eq!(fate(Stamp::At(10), &DELETED), Fate::Orphan);
        assert_eq!(fate(Stamp::At(10), &BACK), Fate::Earlier);
        assert_eq!(fate(Stamp::At(11), &DELETED), Fate::Here, "the next addition keeps it");
        assert_eq!(fate(Stamp::At(11), &BACK), Fate::Here);
        assert_eq!(fate(Stamp::At(1), &Stand::<()>::Absent(Life::FIRST)), Fate::Here);
    }

    #[test]
    fn an_end_is_later_than_its_life_whatever_the_clock_says() {
        assert_eq!(Life::FIRST.ended(7), Life::after(7));
        assert_eq!(Life::after(9).ended(7), Life::after(10));
        assert_eq!(Life::after(9).ended(9), Life::after(10));
    }

    #[test]
    fn a_container_of_an_earlier_life_of_another_is_absent() {
        let organization = Stand::There((), Life::after(10));
        let document = |since| Stand::There('d', Life::after(since));
        assert_eq!(document(9).within(&organization), Stand::Absent(Life::after(10)));
        assert_eq!(document(10).within(&organization), document(10));
        assert_eq!(document(9).within(&DELETED), Stand::Absent(Life::after(10)));
        let gone = Stand::<char>::Absent(Life::after(12));
        assert_eq!(gone.within(&organization), Stand::Absent(Life::after(12)));
        let never = Stand::<char>::Absent(Life::FIRST);
        assert_eq!(never.within(&organization), Stand::Absent(Life::after(10)));
    }

    #[test]
    fn the_first_life_is_not_stored() {
        assert!(Life::default().is_first());
        assert_eq!(serde_json::to_string(&Life::after(5)).unwrap(), "5");
    }
}
