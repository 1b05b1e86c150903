//! The judge: runs histories, and makes those that show a fault short.

use std::{collections::BTreeSet, fmt, mem, sync::OnceLock};

use reference::{Actor, Call, KeyKind, Mutant};
use tokio::runtime::{Builder, Runtime};

use super::{
    Broken,
    drive::{Found, Scene, run},
    history::{History, Step},
    literal, scene,
};

/// Whether groups have rights.
pub const GROUPS: bool = true;
/// Runs that make a history shorter.
const RUNS: usize = 200;

/// A history that shows a fault.
#[derive(Clone, Debug)]
pub struct Judged {
    /// None for a history that was not drawn.
    pub seed: Option<u64>,
    pub history: History,
    pub found: Found,
}

impl Judged {
    /// The names of its steps and calls, for telling histories of one fault from those of others.
    pub fn shape(&self) -> String {
        let name = |step: &Step| {
            let shown = format!("{step:?}");
            let words = shown.split(|c: char| !c.is_ascii_alphanumeric());
            let is_small =
                |word: &&str| word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit());
            words.filter(|word| !is_small(word)).take(4).collect::<Vec<_>>().join(" ")
        };
        let names: Vec<String> = self.history.steps.iter().map(name).collect();
        format!("{}: {}", self.found.kind(), names.join(", "))
    }
}

/// The part that is made wrong, so that a judgement has to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A rule of the model.
    Rule(Mutant),
    /// A part of the service.
    Part(Broken),
}

impl Wrong {
    /// All parts that can be made wrong.
    pub fn all() -> Vec<Self> {
        let parts = Broken::ALL.into_iter().map(Self::Part);
        Mutant::ALL.into_iter().map(Self::Rule).chain(parts).collect()
    }

    fn rule(self) -> Option<Mutant> {
        match self {
            Self::Rule(mutant) => Some(mutant),
            Self::Part(_) => None,
        }
    }

    fn part(self) -> Option<Broken> {
        match self {
            Self::Part(broken) => Some(broken),
            Self::Rule(_) => None,
        }
    }
}

/// Of each key, built when it is first needed.
static SCENES: [OnceLock<Scene>; KeyKind::ALL.len()] =
    [const { OnceLock::new() }; KeyKind::ALL.len()];

/// Runs histories on copies of scenes.
pub struct Judge {
    runtime: Runtime,
    wrong: Option<Wrong>,
    reached: BTreeSet<String>,
    /// The names of steps and calls that are left out.
    without: Vec<String>,
}

impl Judge {
    /// A judge of the service by the model, or with one of them made wrong.
    ///
    /// # Panics
    /// The runtime does not start.
    pub fn new(wrong: Option<Wrong>) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { runtime, wrong, reached: BTreeSet::new(), without: vec![] }
    }

    /// Makes something else wrong.
    pub fn make_wrong(&mut self, wrong: Option<Wrong>) {
        self.wrong = wrong;
    }

    /// A judge that leaves steps and calls with these names out of what it draws.
    #[must_use]
    pub fn without(self, names: Vec<String>) -> Self {
        Self { without: names, ..self }
    }

    /// Runs a history; what is wrong first, if anything is.
    pub fn run(&mut self, history: &History) -> Option<Found> {
        let at = KeyKind::ALL.iter().position(|kind| *kind == history.kind).unwrap_or(0);
        let build = || self.runtime.block_on(scene::build(history.kind));
        let scene = SCENES[at].get_or_init(build);
        let worlds = scene.worlds.clone().made_wrong(self.wrong.and_then(Wrong::rule));
        let broken = self.wrong.and_then(Wrong::part);
        self.runtime.block_on(run(&scene.data, worlds, broken, history, &mut self.reached))
    }

    /// The rows of the decision table and the kinds of rights that the histories so far asked for.
    pub fn reached(&mut self) -> BTreeSet<String> {
        mem::take(&mut self.reached)
    }

    /// Runs the history of a seed; its number of steps, and the fault that it shows, if any, made
    /// shorter with `shrinks`.
    pub fn judge(&mut self, seed: u64, shrinks: bool) -> (usize, Option<Judged>) {
        let mut history = History::draw(seed, GROUPS);
        history.steps.retain(|step| !self.without.iter().any(|it| step.is_named(it)));
        let steps = history.steps.len();
        let Some(found) = self.run(&history) else { return (steps, None) };
        let judged = Judged { seed: Some(seed), history, found };
        (steps, Some(if shrinks { self.shrink(judged) } else { judged }))
    }

    /// Leaves out what a fault does not need: the steps behind it, halves, single steps, then
    /// resources of tokens.
    pub fn shrink(&mut self, mut judged: Judged) -> Judged {
        judged.history.steps.truncate(judged.found.step + 1);
        let mut runs = 0;
        let mut length = judged.history.steps.len() / 2;
        while length > 0 {
            let mut start = 0;
            let mut is_shorter = false;
            while start < judged.history.steps.len() && runs < RUNS {
                let mut history = judged.history.clone();
                let end = (start + length).min(history.steps.len());
                history.steps.drain(start..end);
                runs += 1;
                if self.accept(&mut judged, history) {
                    is_shorter = true;
                } else {
                    start += length;
                }
            }
            if length > 1 || !is_shorter || runs >= RUNS {
                length /= 2;
            }
        }
        for at in 0..judged.history.steps.len() {
            for simpler in simpler(&judged.history.steps[at]) {
                if runs >= RUNS {
                    return judged;
                }
                let mut history = judged.history.clone();
                history.steps[at] = simpler;
                runs += 1;
                self.accept(&mut judged, history);
            }
        }
        judged
    }

    /// Takes another history with the same kind of fault, if it is not longer.
    fn accept(&mut self, judged: &mut Judged, mut history: History) -> bool {
        let found = self.run(&history).filter(|found| found.kind() == judged.found.kind());
        let Some(found) = found else { return false };
        history.steps.truncate(found.step + 1);
        let shorter = history.steps.len() <= judged.history.steps.len();
        if shorter {
            judged.history = history;
            judged.found = found;
        }
        shorter
    }
}

/// Simpler forms of a step.
fn simpler(step: &Step) -> Vec<Step> {
    match step {
        Step::Call(by, Call::Issue(tok, to, rights)) => (0..rights.len())
            .map(|at| {
                let mut rights = rights.clone();
                rights.remove(at);
                Step::Call(*by, Call::Issue(*tok, *to, rights))
            })
            .collect(),
        Step::Begin(by, call, _) => vec![Step::Call(*by, call.clone())],
        Step::Kill(source, pick, _) => vec![Step::Work(*source, *pick)],
        Step::Work(_, pick) if *pick > 0 => vec![Step::Dry],
        Step::Advance(millis) if *millis > 1 => vec![Step::Advance(1)],
        Step::Call(Actor::Server, Call::AddDocument(at, Some(_))) => {
            vec![Step::Call(Actor::Server, Call::AddDocument(*at, None))]
        }
        _ => vec![],
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = self.seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
        writeln!(f, "// {seed}: {}", self.found)?;
        f.write_str(&literal::of(&self.history))
    }
}
