//! The plan of one simulation.

use crate::dice::Dice;

pub(crate) const SECOND: u64 = 1_000;
pub(crate) const MINUTE: u64 = 60 * SECOND;
pub(crate) const HOUR: u64 = 60 * MINUTE;

/// A broken port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// The row says that the message was taken before the request was made.
    RowBeforeTheAttempt,
    /// A row that is done with stays due.
    DueRowStays,
    /// No timer looks for rows whose wake-up got lost.
    NoTimer,
    /// An open breaker stays open.
    BreakerStaysOpen,
    /// Rows are written without a version check.
    NoRowVersions,
    /// Slots are reserved without a version check.
    NoStateVersions,
    /// The clock is eight seconds fast.
    FiresEarly,
    /// A message of the queue is gone as soon as it is taken up.
    AcknowledgedAtOnce,
    /// Where an endpoint is, is not looked at again.
    StaleTarget,
}

impl Mutant {
    pub(crate) const ALL: [Self; 9] = [
        Self::RowBeforeTheAttempt,
        Self::DueRowStays,
        Self::NoTimer,
        Self::BreakerStaysOpen,
        Self::NoRowVersions,
        Self::NoStateVersions,
        Self::FiresEarly,
        Self::AcknowledgedAtOnce,
        Self::StaleTarget,
    ];
}

/// An endpoint, and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) rate: Option<u32>,
    /// From when to when it fails.
    pub(crate) down: (u64, u64),
    /// The error.
    pub(crate) status: u16,
    pub(crate) retry_after: Option<u64>,
    /// Disabling by the owner.
    pub(crate) disabled_at: Option<u64>,
    /// Longest answer, in milliseconds.
    pub(crate) slowness: u64,
}

/// All that a seed decides ahead.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) dice: Dice,
    pub(crate) mutant: Option<Mutant>,
    pub(crate) endpoints: Vec<Endpoint>,
    /// Acceptance time of each message.
    pub(crate) messages: Vec<u64>,
    /// When a caller orders a message once more: time, message, endpoint.
    pub(crate) orders: Vec<(u64, usize, usize)>,
    /// Longest call of a port, in milliseconds.
    pub(crate) latency: u64,
    /// In 10,000 calls: those that take two seconds more.
    pub(crate) stall: u64,
    /// In 10,000 calls: those that fail, before or after their effect.
    pub(crate) fault: u64,
    /// In 10,000 calls: those after which the machine is gone.
    pub(crate) crash: u64,
    /// In 10,000 messages of the queue: those that come twice.
    pub(crate) twice: u64,
    /// In 10,000 wake-ups: those that never come.
    pub(crate) lost: u64,
    /// Until when things go wrong.
    pub(crate) trouble: u64,
    pub(crate) end: u64,
}

impl Plan {
    pub(crate) fn draw(seed: u64, mutant: Option<Mutant>) -> Self {
        let mut dice = Dice::new(seed);
        let endpoints = (0..dice.between(1, 3)).map(|_| endpoint(&mut dice)).collect::<Vec<_>>();
        let (number, spread) = (dice.between(1, 16), dice.pick(&[1, 200, 20_000, HOUR]));
        let messages: Vec<u64> = (0..number).map(|_| SECOND + dice.below(spread)).collect();
        let order = |dice: &mut Dice| {
            let at = dice.between(SECOND, 3 * HOUR);
            let message = usize::try_from(dice.below(number)).unwrap();
            (at, message, usize::try_from(dice.below(endpoints.len() as u64)).unwrap())
        };
        let orders = (0..dice.below(3)).map(|_| order(&mut dice)).collect();
        let often = |dice: &mut Dice, of: &[u64]| dice.pick(of);
        Self {
            mutant,
            messages,
            orders,
            latency: dice.pick(&[1, 5, 9]),
            stall: often(&mut dice, &[0, 50, 500]),
            fault: often(&mut dice, &[0, 0, 50, 500, 2_000]),
            crash: often(&mut dice, &[0, 0, 50, 500]),
            twice: often(&mut dice, &[0, 100, 3_000]),
            lost: often(&mut dice, &[0, 100, 3_000]),
            trouble: 3 * HOUR,
            end: 400 * HOUR,
            endpoints,
            dice,
        }
    }
}

fn endpoint(dice: &mut Dice) -> Endpoint {
    let down_at = dice.pick(&[0, 2 * SECOND, 10 * SECOND]);
    let down_for = dice.pick(&[0, 0, 30 * SECOND, 10 * MINUTE, 5 * HOUR, 300 * HOUR]);
    let status = dice.pick(&[500, 500, 503, 503, 429, 0, 410]);
    let disabled_at = dice.chance(1_000).then(|| dice.below(HOUR));
    Endpoint {
        rate: dice.pick(&[None, None, Some(1), Some(5), Some(50)]),
        down: (down_at, down_at + down_for),
        status,
        retry_after: dice.chance(3_000).then(|| dice.between(1, 5_000)),
        disabled_at,
        slowness: dice.pick(&[1, 50, 15_000]),
    }
}
