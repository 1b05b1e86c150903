//! Kinds of calls that meet in one rule.

use crate::KeyKind;

/// The pace between the calls of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Any pace, as it is drawn.
    Any,
    /// Much time.
    Slow,
    /// Calls that wait while others are made.
    Held,
    /// Few messages: workers come late.
    Idle,
}

/// A removal from the organization, which only themes draw.
pub(crate) const DEPARTURE: u64 = 36;
/// A right in the organization, which only themes draw.
pub(crate) const RETURN: u64 = 37;

/// Kinds that meet in one rule, in the order in which they do, with the keys and the pace where they
/// show. Most histories draw from one of these sets.
pub(crate) const THEMES: [(&[u64], &[KeyKind], Pace); 41] = [
    // Containers, and the readers of their content.
    (&[6, 21, 4], ANY, Pace::Any),
    (&[21, 2, 1, 0], ANY, Pace::Any),
    (&[19, 20, 21, 8, 7], SHUT, Pace::Any),
    (&[3, 4, 5, 7, 10], ANY, Pace::Any),
    (&[4, 10], ANY, Pace::Any),
    (&[4, 12], ANY, Pace::Slow),
    (&[28, 29, 30, 31, 1, 0, 7], ANY, Pace::Any),
    (&[23, 24, 29, 8, 7], ANY, Pace::Any),
    (&[29, 4, 29], ANY, Pace::Idle),
    (&[29, 4, 29], ANY, Pace::Idle),
    (&[29, 4, 3, 29], ANY, Pace::Idle),
    (&[8, 7, 23], ANY, Pace::Slow),
    (&[23, 8, 7], SHUT, Pace::Held),
    (&[23, 8, 7], SHUT, Pace::Held),
    (&[21, 8, 7, 23], SHUT, Pace::Held),
    // Rights and their ends.
    (&[17, 18, 19, 20, 21], SHUT, Pace::Any),
    (&[21, 18, 19], SHUT, Pace::Any),
    (&[21, 18, 19], SHUT, Pace::Any),
    (&[21, DEPARTURE, RETURN], SHUT, Pace::Any),
    (&[21, DEPARTURE, RETURN], SHUT, Pace::Any),
    (&[21, 18, 20], SHUT, Pace::Any),
    (&[17, 21, 18, 23], ANY, Pace::Any),
    // Groups.
    (&[15, 17, 14, 13], ANY, Pace::Any),
    (&[19, 14, 21, 13], SHUT, Pace::Any),
    (&[19, 14, 15, 13], SHUT, Pace::Any),
    // Notifications.
    (&[23, 18, 24], OPEN, Pace::Any),
    (&[23, 18, 24], OPEN, Pace::Any),
    (&[19, 23, 24], ANY, Pace::Any),
    (&[19, 23], OPEN, Pace::Slow),
    (&[19, 23], OPEN, Pace::Slow),
    (&[19, 23, 24], OPEN, Pace::Slow),
    (&[33, 23, 33, 33], OPEN, Pace::Idle),
    (&[33, 23, 33, 33], OPEN, Pace::Idle),
    (&[33, 23, 33, 33], OPEN, Pace::Idle),
    (&[23, 24, 26, 34], ANY, Pace::Any),
    // Preferences, and the ends of what they belong to.
    (&[33, 8, 7, 33, 23], OPEN, Pace::Any),
    (&[33, 8, 7, 33, 23], OPEN, Pace::Idle),
    (&[33, 18, 17, 33, 23], OPEN, Pace::Any),
    (&[33, 1, 0, 17, 33], ANY, Pace::Any),
    // Erasure and export.
    (&[23, 24, 32, 27, 35], ANY, Pace::Any),
    (&[23, 24, 25], ANY, Pace::Any),
];
pub(crate) const ANY: &[KeyKind] = &KeyKind::ALL;
const OPEN: &[KeyKind] = &[KeyKind::Open, KeyKind::Readable];
const SHUT: &[KeyKind] = &[KeyKind::Closed, KeyKind::Restricted, KeyKind::Restricted];
