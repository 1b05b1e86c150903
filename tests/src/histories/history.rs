//! Steps of a history, and how one is drawn.

use std::collections::BTreeSet;

use reference::{Actor, Asked, Call, Generator, KeyKind, Pace};
use simulator::Dice;

use super::workers::Source;

/// A fault between the service and its stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    Throttle,
    InternalError,
    /// The second half of a batch is left.
    Unprocessed,
    Conflict,
    /// The request is executed, and its reply does not arrive.
    LoseReply,
}

/// A step of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A call from beginning to end; also a question.
    Call(Actor, Call),
    /// A call that waits before its n-th request to the store.
    Begin(Actor, Call, usize),
    /// The call that waits longest goes on to its end.
    Release,
    /// The worker gets a message that waits at a source.
    Work(Source, usize),
    /// The last message once more.
    Again,
    /// A hint is lost.
    Forget(usize),
    /// Like `Work`, and the worker dies at its n-th request.
    Kill(Source, usize, usize),
    /// The next step meets a fault at its n-th request, and at so many after it.
    Fault(Fails, usize, usize),
    /// The clock goes on by so many milliseconds.
    Advance(u64),
    /// The minute timer.
    Tick,
    /// Expired rows are deleted.
    Expire,
    /// Everything that is due now is done.
    Dry,
    /// All work is done, also what becomes due within two days, and all tables are swept.
    Settle,
}

/// A key and what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The key.
    pub kind: KeyKind,
    /// In this order.
    pub steps: Vec<Step>,
}

/// Times by which clocks go on, in milliseconds: none, a millisecond, and more than the ten seconds
/// of the live channel, two minutes, the 20 minutes until the second look of a clean-up, the life of
/// tokens, and the eight days of tombstones.
const TIMES: [u64; 7] = [0, 1, 11_000, 180_000, 1_260_000, 176_400_000, 777_600_000];

/// Times that pass where much time does.
const LONG_TIMES: [u64; 5] = [11_000, 1_260_000, 176_400_000, 777_600_000, 777_600_000];

/// A day, in milliseconds.
pub(super) const DAY: u64 = 86_400_000;

impl Step {
    /// Name of the step; of a call, name of the call.
    fn name(&self) -> String {
        let shown = match self {
            Self::Call(_, call) => format!("{call:?}"),
            step => format!("{step:?}"),
        };
        shown.chars().take_while(char::is_ascii_alphabetic).collect()
    }

    /// Whether a step, or its call, has this name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let shown = format!("{self:?}");
        shown.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name)
    }
}

/// Calls that delete something, or end rights.
pub const DELETIONS: [&str; 8] = [
    "DeleteOrganization",
    "DeleteFolder",
    "DeleteDocument",
    "DeleteGroup",
    "DeleteThread",
    "RemoveUser",
    "Revoke",
    "Erase",
];

impl History {
    /// The names of steps that are next to each other, questions left out, of which one is a
    /// deletion: that first.
    pub fn beside_deletions(&self) -> BTreeSet<(String, String)> {
        let is_question = |step: &&Step| matches!(step, Step::Call(_, it) if it.is_question());
        let steps = self.steps.iter().filter(|step| !is_question(step));
        let names: Vec<String> = steps.map(Step::name).collect();
        let pairs = names.windows(2).flat_map(|pair| {
            let (one, other) = (pair[0].clone(), pair[1].clone());
            [(one.clone(), other.clone()), (other, one)]
        });
        pairs.filter(|(one, _)| DELETIONS.contains(&one.as_str())).collect()
    }

    /// The history of a seed. Without `groups`, no group has rights.
    pub fn draw(seed: u64, groups: bool) -> Self {
        let mut dice = Dice::new(seed);
        let mut generator = Generator::new(&mut dice, groups);
        let kind = generator.kind;
        let mut steps = Vec::new();
        // Some histories are calm, so that calls alone are judged as well.
        let calm = dice.chance(3_000);
        for _ in 0..dice.between(4, 14) {
            if generator.pace == Pace::Held && dice.chance(2_500) {
                let (token, calls) = generator.held(&mut dice);
                let mut calls = calls.into_iter();
                steps.push(Step::Call(token.by, token.call));
                steps.extend(
                    calls.next().map(|it| Step::Begin(it.by, it.call, pick(&mut dice) + 1)),
                );
                steps.extend(calls.map(|it| Step::Call(it.by, it.call)));
                steps.push(Step::Release);
            }
            let next = step(&mut dice, &mut generator, calm);
            let is_long = matches!(next, Step::Advance(millis) if millis >= DAY);
            steps.push(next);
            // Expired rows may be there for days.
            if is_long && dice.chance(6_000) {
                steps.push(Step::Expire);
            }
            for _ in 0..dice.pick(&[0, 1, 1, 2]) {
                let Asked { by, call } = generator.question(&mut dice, false);
                steps.push(Step::Call(by, call));
            }
        }
        steps.push(Step::Settle);
        for _ in 0..5 {
            let Asked { by, call } = generator.question(&mut dice, true);
            steps.push(Step::Call(by, call));
        }
        Self { kind, steps }
    }
}

fn step(dice: &mut Dice, generator: &mut Generator, calm: bool) -> Step {
    match generator.pace {
        Pace::Slow if dice.chance(2_000) => return Step::Advance(dice.pick(&LONG_TIMES)),
        Pace::Held if dice.chance(2_000) => {
            let Asked { by, call } = generator.call(dice);
            return Step::Begin(by, call, pick(dice) + 1);
        }
        _ => {}
    }
    let calm = calm || generator.pace == Pace::Idle;
    let kind = if calm { dice.below(60) } else { dice.below(100) };
    match kind {
        0..60 => {
            let Asked { by, call } = generator.call(dice);
            Step::Call(by, call)
        }
        60..72 => Step::Work(source(dice), pick(dice)),
        72..76 => Step::Kill(source(dice), pick(dice), pick(dice) * 2),
        76..78 => Step::Again,
        78 => Step::Forget(pick(dice)),
        79..84 => {
            let Asked { by, call } = generator.call(dice);
            Step::Begin(by, call, pick(dice) + 1)
        }
        84..87 => Step::Release,
        87..90 => {
            let fails = [
                Fails::Throttle,
                Fails::InternalError,
                Fails::Unprocessed,
                Fails::Conflict,
                Fails::LoseReply,
            ];
            Step::Fault(dice.pick(&fails), pick(dice), dice.pick(&[1, 1, 1, 4]))
        }
        90..95 => Step::Advance(dice.pick(&TIMES)),
        95 => Step::Tick,
        96 => Step::Expire,
        _ => Step::Dry,
    }
}

/// Sources of the messages that calls cause first, four times in five.
fn source(dice: &mut Dice) -> Source {
    match dice.below(5) {
        0 | 1 => Source::Events,
        2 | 3 => Source::Cleanup,
        _ => dice.pick(&Source::ALL),
    }
}

fn pick(dice: &mut Dice) -> usize {
    usize::try_from(dice.below(4)).unwrap_or(0)
}
