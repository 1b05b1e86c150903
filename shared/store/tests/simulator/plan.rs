//! The plan of one simulation, drawn from its seed.

use simulator::Dice;

/// A defect that the simulation has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// Counters do not keep how far a lane was numbered.
    NoPosition,
    /// Counters are written without a version check.
    NoCompareAndSet,
    /// Counters do not keep which events the last run numbered.
    NoDigests,
    /// A run of one lane makes those of the others forgotten.
    OneRunForAllLanes,
    /// Events are sent with the number they are about to get.
    SentBeforeTheNumber,
    /// The entry is written when its event was sent already.
    EntryAfterSending,
    /// Failures to send are passed over.
    DoneBeforeSent,
    /// The items of one document are in several shards at once.
    SplitDocuments,
    /// Events that expired in the stream are not repaired.
    NoRepair,
}

/// One write of an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Act {
    pub(crate) at: u64,
    pub(crate) table: usize,
    pub(crate) document: u64,
    pub(crate) item: u64,
    pub(crate) events: u64,
}

pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) mutant: Option<Mutant>,
    pub(crate) crash: u64,
    pub(crate) fault: u64,
    pub(crate) timeout: u64,
    pub(crate) split: u64,
    pub(crate) poison: u64,
    pub(crate) unwanted: u64,
    pub(crate) unnumbered: u64,
    /// How often consumers come before writers, in 10,000.
    pub(crate) pace: u64,
    pub(crate) batch: u64,
    pub(crate) acts: Vec<Act>,
    /// From when to when no consumer runs.
    pub(crate) down: Option<(u64, u64)>,
}

pub(crate) const SECOND: u64 = 1_000;
pub(crate) const HOUR: u64 = 3_600 * SECOND;
pub(crate) const TABLES: [&str; 2] = ["Resources", "Crdt"];
/// Retention of a stream.
pub(crate) const RETENTION: u64 = 24 * HOUR;
const START: u64 = 1_800_000_000_000;

impl Plan {
    pub(crate) fn draw(seed: u64, mutant: Option<Mutant>) -> Self {
        let mut dice = Dice::new(seed);
        let is_burst = dice.chance(500);
        let documents = if is_burst { 1 } else { dice.between(1, 3) };
        let items = dice.between(1, 5);
        let writes = if is_burst { dice.between(50, 120) } else { dice.between(3, 30) };
        let outage = dice.pick(&[0, 0, 1, 24, 48]) * HOUR;
        let mut plan = Self {
            seed,
            mutant,
            crash: dice.pick(&[0, 0, 100, 1000]),
            fault: dice.pick(&[0, 0, 200, 1500]),
            timeout: dice.pick(&[0, 0, 100, 1000]),
            split: dice.pick(&[0, 0, 1500]),
            poison: dice.pick(&[0, 0, 500]),
            unwanted: dice.pick(&[0, 3000]),
            unnumbered: dice.pick(&[0, 1500]),
            pace: dice.pick(&[3000, 8000, 9500]),
            batch: dice.pick(&[1, 3, 10, 100]),
            acts: Vec::new(),
            down: None,
        };
        let mut at = START;
        for n in 0..writes {
            if outage > 0 && n == writes / 3 {
                plan.down = Some((at, at + outage + HOUR / 6));
            }
            at += match plan.down {
                // The writes go on, some of them during all of the outage.
                Some((_, end)) if at < end => dice.below(4 * outage / writes + SECOND),
                _ => dice.below(2 * SECOND),
            };
            let events = if dice.chance(8000) { 1 } else { dice.between(2, 4) };
            plan.acts.push(Act {
                at,
                table: usize::from(dice.chance(4000)),
                document: dice.below(documents),
                item: dice.below(items),
                events,
            });
        }
        plan
    }
}
