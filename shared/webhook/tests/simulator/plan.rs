//! The plan of one simulation.

use simulator::Dice;

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
    /// A new URL keeps the state of the old one.
    StateKept,
    /// A new rate keeps the slots of the old one.
    SlotKept,
    /// A change does not reach what waits.
    NothingReleased,
    /// A change does not reach what was written right after it.
    ReleasedOnce,
    /// An answer of the old URL disables the new one.
    LateDisable,
}

impl Mutant {
    pub(crate) const ALL: [Self; 14] = [
        Self::RowBeforeTheAttempt,
        Self::DueRowStays,
        Self::NoTimer,
        Self::BreakerStaysOpen,
        Self::NoRowVersions,
        Self::NoStateVersions,
        Self::FiresEarly,
        Self::AcknowledgedAtOnce,
        Self::StaleTarget,
        Self::StateKept,
        Self::SlotKept,
        Self::NothingReleased,
        Self::ReleasedOnce,
        Self::LateDisable,
    ];
}

/// An endpoint, and what becomes of it.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) rate: Option<u32>,
    pub(crate) site: Site,
    /// Disabling by the owner.
    pub(crate) disabled_at: Option<u64>,
    pub(crate) changes: Vec<Change>,
}

/// A new URL, a new rate, or both.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) at: u64,
    pub(crate) site: Option<Site>,
    pub(crate) rate: Option<Option<u32>>,
}

/// A receiver at a URL, and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// From when to when it fails.
    pub(crate) down: (u64, u64),
    /// The error.
    pub(crate) status: u16,
    pub(crate) retry_after: Option<u64>,
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
        let mut plan = Self::draw_any(seed, mutant);
        if plan.dice.chance(2_000) {
            plan.change_under_way();
        }
        plan
    }

    /// The URL of an endpoint that refuses changes while its answers are being recorded, which
    /// takes long; nothing else goes wrong.
    fn change_under_way(&mut self) {
        let dice = &mut self.dice;
        (self.stall, self.fault, self.crash, self.lost) = (3_000, 0, 0, 0);
        for at in &mut self.messages {
            *at = SECOND + dice.below(200);
        }
        for endpoint in &mut self.endpoints {
            let (status, retry_after) = dice.pick(&[(410, None), (429, Some(5_000))]);
            let old = Site { down: (0, 300 * HOUR), status, retry_after, slowness: 50 };
            let new = Site { down: (0, 0), ..old.clone() };
            let at = SECOND + dice.below(6 * SECOND);
            endpoint.site = old;
            endpoint.changes = vec![Change { at, site: Some(new), rate: None }];
        }
    }

    fn draw_any(seed: u64, mutant: Option<Mutant>) -> Self {
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

const RATES: [Option<u32>; 5] = [None, None, Some(1), Some(5), Some(50)];

fn endpoint(dice: &mut Dice) -> Endpoint {
    let (site, rate) = (site(dice, 0), dice.pick(&RATES));
    let disabled_at = dice.chance(1_000).then(|| dice.below(HOUR));
    let changes = (0..dice.pick(&[0, 1, 1, 2])).map(|_| change(dice)).collect();
    Endpoint { rate, site, disabled_at, changes }
}

fn change(dice: &mut Dice) -> Change {
    let within = dice.pick(&[3 * SECOND, 20 * SECOND, 10 * MINUTE, 3 * HOUR]);
    let at = SECOND + dice.below(within);
    let (is_moved, is_paced) = dice.pick(&[(true, false), (false, true), (true, true)]);
    let site = is_moved.then(|| site(dice, at));
    let rate = is_paced.then(|| dice.pick(&RATES));
    Change { at, site, rate }
}

fn site(dice: &mut Dice, from: u64) -> Site {
    let down_at = from + dice.pick(&[0, 2 * SECOND, 10 * SECOND]);
    let down_for = dice.pick(&[0, 0, 30 * SECOND, 10 * MINUTE, 5 * HOUR, 300 * HOUR]);
    Site {
        down: (down_at, down_at + down_for),
        status: dice.pick(&[500, 500, 503, 503, 429, 0, 410]),
        retry_after: dice.chance(3_000).then(|| dice.between(1, 5_000)),
        slowness: dice.pick(&[1, 50, 15_000]),
    }
}
