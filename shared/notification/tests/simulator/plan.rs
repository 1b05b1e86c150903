//! The plan of one simulation, drawn from its seed.

use model::Millis;
use notification::{BatchLimits, Channels, WindowLimits};
use simulator::Dice;

/// A defect that the simulation has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// Windows are written without a version check.
    NoWindowVersions,
    /// Pages of recipients are written without a version check.
    NoPageVersions,
    /// When the first activity of a digest is dropped, so is the rest.
    FirstOwnsTheDigest,
    /// A page forgets for whom it is done, so that it is done again for all of them.
    HalfDoneIsDoneAgain,
    /// The first recipient of each further page is left out.
    LosesAtTheBorder,
    /// The last recipient of each page is on the next one, too.
    RepeatsAtTheBorder,
    /// A split loses who was beyond it.
    SplitLosesTheUpperHalf,
    /// A window that leaves its row is not written to its own.
    LeavingLosesTheWindow,
    /// A row whose hint cannot be sent keeps those behind it.
    SweepStopsAtAnError,
    /// Rows are due before their time.
    FiresEarly,
    /// Hints are trusted.
    NoSweep,
    /// Mails are written without a version check.
    NoMailVersions,
    /// Mails are counted without a version check.
    NoQuotaVersions,
}

/// A change of the tenant's data.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Raise { thread: u64, actor: u64, again: bool },
    See { user: u64, thread: u64 },
    Want { user: u64, channels: Channels },
    Delete { thread: u64 },
    Access { user: u64, may: bool },
    Service { on: bool },
    Configure { delay: Option<u64>, limits: BatchLimits },
}

pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) mutant: Option<Mutant>,
    pub(crate) users: u64,
    /// Whether most events have one recipient, so that windows differ.
    pub(crate) is_scattered: bool,
    pub(crate) crash: u64,
    pub(crate) fault: u64,
    pub(crate) duplicate: u64,
    pub(crate) loss: u64,
    pub(crate) missed_sweep: u64,
    pub(crate) broken_sweep: u64,
    pub(crate) stall: u64,
    pub(crate) index_lag: Millis,
    pub(crate) latency: Millis,
    pub(crate) skews: [i64; 4],
    pub(crate) poison: bool,
    pub(crate) delay: Option<u64>,
    pub(crate) limits: BatchLimits,
    pub(crate) acts: Vec<(Millis, Act)>,
    /// Until when things go wrong.
    pub(crate) calm: Millis,
    /// Deadline of everything.
    pub(crate) end: Millis,
}

pub(crate) const START: Millis = 1_800_000_000_000;
const HOUR: u64 = 3600;
const DELAYS: [u64; 10] = [10, 10, 10, 11, 60, 300, 840, 841, 901, 7200];
const WINDOWS: [u64; 8] = [10, 10, 20, 60, 300, 850, 3600, 604_800];
const MAXIMA: [u64; 6] = [2, 2, 3, 5, 10, 50];

fn window(dice: &mut Dice) -> Option<WindowLimits> {
    dice.chance(6500)
        .then(|| WindowLimits { seconds: dice.pick(&WINDOWS), max: dice.pick(&MAXIMA) })
}

fn limits(dice: &mut Dice) -> BatchLimits {
    BatchLimits { document: window(dice), user: window(dice) }
}

fn delay(dice: &mut Dice) -> Option<u64> {
    dice.chance(7500).then(|| dice.pick(&DELAYS))
}

/// Two threads in each document.
pub(crate) const THREADS: u64 = 6;

impl Plan {
    pub(crate) fn draw(seed: u64, mutant: Option<Mutant>) -> Self {
        let mut dice = Dice::new(seed);
        let (mut delay, mut limits) = (delay(&mut dice), limits(&mut dice));
        let is_crowd = dice.chance(30);
        let is_burst = !is_crowd && dice.chance(100);
        if is_burst {
            delay = Some(10);
            let seconds = dice.pick(&WINDOWS);
            limits = BatchLimits { document: None, user: Some(WindowLimits { seconds, max: 50 }) };
        }
        let is_flood = !is_crowd && !is_burst && dice.chance(100);
        if is_flood {
            limits = BatchLimits::default();
        }
        let is_scattered = !is_crowd && !is_burst && !is_flood && dice.chance(100);
        if is_scattered {
            let (seconds, max) = (dice.pick(&WINDOWS), dice.pick(&MAXIMA));
            limits = BatchLimits { document: None, user: Some(WindowLimits { seconds, max }) };
        }
        let users = match () {
            () if is_scattered => dice.between(30, 60),
            () if is_crowd => dice.between(150, 450),
            () if is_burst || is_flood => 2,
            () => dice.between(2, 5),
        };
        let mut plan = Self {
            seed,
            mutant,
            users,
            is_scattered,
            crash: dice.pick(&[0, 0, 50, 200]),
            fault: dice.pick(&[0, 0, 100, 300]),
            duplicate: dice.pick(&[0, 500, 3000]),
            loss: dice.pick(&[0, 500, 5000]),
            missed_sweep: dice.pick(&[0, 0, 2000]),
            broken_sweep: dice.pick(&[0, 0, 1000]),
            stall: dice.pick(&[0, 0, 30]),
            index_lag: dice.pick(&[5, 500, 3000]),
            latency: dice.pick(&[3, 30, 300, 3000]),
            skews: [0; 4].map(|_: i64| i64::try_from(dice.below(10_001)).unwrap() - 5000),
            poison: dice.chance(2000),
            delay,
            limits,
            acts: Vec::new(),
            calm: 0,
            end: 0,
        };
        plan.acts(&mut dice, is_crowd, is_burst, is_flood);
        plan
    }

    fn acts(&mut self, dice: &mut Dice, is_crowd: bool, is_burst: bool, is_flood: bool) {
        let events = match () {
            () if is_crowd => dice.between(1, 2),
            () if is_burst || self.is_scattered => 60,
            () if is_flood => dice.between(50, 120),
            () => dice.between(1, 14),
        };
        let scale = dice.pick(&[1, 2_000, 10_000, 30_000, 120_000, 1_200_000]);
        // More than one hour of mails.
        let scale = if is_flood { scale * dice.between(1, 9) } else { scale };
        let delay = self.delay.unwrap_or(0) * 1000;
        let mut longest = (self.delay.unwrap_or(0), 0);
        let threads = if is_burst || is_flood { 1 } else { dice.between(1, THREADS) };
        let trouble = dice.pick(&[0, 1500, 6000]);
        let changes = dice.pick(&[0, 0, 1500]);
        for _ in 0..events {
            let at = START + dice.below(scale);
            let (thread, actor) = (dice.below(threads), dice.below(self.users));
            let again = dice.chance(500);
            self.acts.push((at, Act::Raise { thread, actor, again }));
            let later = at + dice.below(2 * (delay + scale) + 5_000);
            if dice.chance(trouble) {
                let user = dice.below(self.users);
                let act = match dice.below(8) {
                    0..=3 => Act::See { user, thread },
                    4 => Act::Want { user, channels: wanted(dice) },
                    5 => Act::Delete { thread },
                    6 => Act::Access { user, may: false },
                    _ => Act::Service { on: false },
                };
                self.acts.push((later, act));
                let undone = later + dice.below(delay + scale + 5_000);
                match act {
                    Act::Access { .. } => self.acts.push((undone, Act::Access { user, may: true })),
                    Act::Service { .. } => self.acts.push((undone, Act::Service { on: true })),
                    _ => {}
                }
            }
            if dice.chance(changes) {
                let (delay, limits) = (self::delay(dice), limits(dice));
                self.acts.push((later, Act::Configure { delay, limits }));
                longest.0 = longest.0.max(delay.unwrap_or(0));
                longest.1 = longest.1.max(seconds(limits));
            }
        }
        longest.1 = longest.1.max(seconds(self.limits));
        self.acts.sort_by_key(|(at, _)| *at);
        let last = self.acts.last().map_or(START, |(at, _)| *at);
        self.calm = last + (longest.0 + longest.1 + 3 * HOUR) * 1000;
        self.end = self.calm + (longest.0 + longest.1 + 2 * HOUR) * 1000;
    }
}

fn wanted(dice: &mut Dice) -> Channels {
    let mut yes = || dice.chance(3000);
    Channels { inbox: yes(), email: yes(), chat: yes() }
}

fn seconds(limits: BatchLimits) -> u64 {
    let of = |window: Option<WindowLimits>| window.map_or(0, |window| window.seconds);
    of(limits.document).max(of(limits.user))
}
