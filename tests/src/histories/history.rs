//! What happens in a history, and how one is drawn.

use reference::{Actor, Asked, Call, Generator, KeyKind};
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
    /// One of the messages that wait at a source.
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
    /// What has expired is deleted.
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

/// Times by which clocks go on, in milliseconds: within and beyond a millisecond, the ten seconds of
/// the live channel, the two minutes of decision 7, the second look, the life of tokens, the week of
/// tombstones.
const TIMES: [u64; 7] = [0, 1, 11_000, 180_000, 1_260_000, 176_400_000, 777_600_000];

impl Step {
    /// Whether a step, or its call, has this name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let shown = format!("{self:?}");
        shown.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == name)
    }
}

impl History {
    /// The history of a seed. Without `groups`, no group has rights.
    pub fn draw(seed: u64, groups: bool) -> Self {
        let mut dice = Dice::new(seed);
        let mut generator = Generator::new(&mut dice, groups);
        let kind = generator.kind;
        let mut steps = Vec::new();
        // Some histories are calm, so that calls alone are judged as well.
        let calm = dice.chance(3_000);
        for _ in 0..dice.between(4, 14) {
            steps.push(step(&mut dice, &mut generator, calm));
            for _ in 0..dice.pick(&[0, 1, 1, 2]) {
                let Asked { by, call } = generator.question(&mut dice, false);
                steps.push(Step::Call(by, call));
            }
        }
        steps.push(Step::Settle);
        for _ in 0..4 {
            let Asked { by, call } = generator.question(&mut dice, true);
            steps.push(Step::Call(by, call));
        }
        Self { kind, steps }
    }
}

fn step(dice: &mut Dice, generator: &mut Generator, calm: bool) -> Step {
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

/// What calls cause first, four times in five.
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
