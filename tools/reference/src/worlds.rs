//! The worlds that are possible after what was answered so far.

use crate::{
    Actor, Answer, Asked, Call, KeyKind, Level, Mutant, Org, Refusal, Role, Tok, User, answers,
    calls,
    contents::needs,
    decide::Decision,
    facts::{Pending, Verdict, World},
    questions,
};

/// More possible worlds than that are not kept.
const MOST: usize = 64;

/// No world is possible any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

/// A call that has begun, and whose answer has not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held(u64);

/// A decision about a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The resource does not exist for the user.
    Absent,
    /// The resource or its organization is disabled.
    LockedOut,
    /// The resource exists, and the user has no access.
    Closed,
    /// With this role; true if only because it is open to everybody.
    Open(Role, bool),
}

/// The set of possible worlds.
#[derive(Clone, Debug)]
pub struct Worlds {
    kind: KeyKind,
    worlds: Vec<World>,
    held: u64,
    /// Whether possible worlds were left out.
    is_cut: bool,
}

impl Worlds {
    /// The empty world of a key whose clock shows `now` (epoch milliseconds). A mutant makes the
    /// model wrong.
    #[must_use]
    pub fn new(kind: KeyKind, now: u64, mutant: Option<Mutant>) -> Self {
        Self { kind, worlds: vec![World::new(kind, now, mutant)], held: 0, is_cut: false }
    }

    /// The worlds by a model that is made wrong from now on.
    #[must_use]
    pub fn made_wrong(mut self, mutant: Option<Mutant>) -> Self {
        self.worlds.iter_mut().for_each(|world| world.mutant = mutant);
        self
    }

    pub(crate) fn first(&self) -> Option<&World> {
        self.worlds.first()
    }

    /// The key.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// How many worlds are possible.
    #[must_use]
    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// Whether more worlds were possible than are kept. Then nothing is a fault any more.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The clock goes on by so many milliseconds. Calls that follow each other begin at least a
    /// millisecond apart.
    pub fn advance(&mut self, ms: u64) {
        for world in &mut self.worlds {
            world.now += ms;
            world.look();
        }
        self.count_held();
    }

    /// To whom the token of a slot was issued; a call by the holder of an empty slot is left out.
    #[must_use]
    pub fn holder(&self, tok: Tok) -> Option<User> {
        self.worlds.iter().find_map(|world| Some(world.token(tok)?.user))
    }

    /// Keeps the worlds in which this answer is right.
    ///
    /// # Errors
    ///
    /// There is none. The set stays as it was, so that a history may go on.
    pub fn judge(&mut self, asked: &Asked, answer: &Answer) -> Result<(), Fault> {
        if asked.call.is_question() {
            let is_right = |world: &World| questions::fits(world, asked, answer);
            let right: Vec<World> =
                self.worlds.iter().filter(|world| is_right(world)).cloned().collect();
            if right.is_empty() && !self.is_cut {
                let expected = self.worlds.iter().map(|world| explain(world, asked, answer));
                return Err(fault(asked, answer, expected));
            }
            if !right.is_empty() {
                self.worlds = right;
            }
            return Ok(());
        }
        let mut right = Vec::new();
        let mut expected = Vec::new();
        for world in &self.worlds {
            if *answer == Answer::Lost {
                right.push(world.begun(&asked.call));
            }
            for (after, verdict) in calls::outcomes(world, asked) {
                if matches(verdict, answer) {
                    right.push(after);
                }
                expected.push(format!("{verdict:?}"));
            }
        }
        if right.is_empty() && !self.is_cut {
            return Err(fault(asked, answer, expected.into_iter()));
        }
        if !right.is_empty() {
            self.keep(right);
        }
        self.count_held();
        Ok(())
    }

    /// A call that changes something begins, and counts at any moment until its answer.
    pub fn begin(&mut self, asked: &Asked) -> Held {
        self.held += 1;
        for world in &mut self.worlds {
            let begun = (world.tick, world.now);
            // The organization may be recorded before the write that the call waits for.
            *world = world.begun(&asked.call);
            // Calls from now on are later than this.
            world.tick += 1;
            let (held, asked) = (self.held, asked.clone());
            let token = match asked.by {
                Actor::Server => None,
                Actor::Holder(tok) => world.token(tok).cloned(),
            };
            let row = needs(&asked.call).and_then(|(at, _)| world.doc(at).row);
            let pending = Pending { held, asked, verdict: None, begun, row, token, allowed: None };
            world.pending.push(pending);
        }
        self.count_held();
        Held(self.held)
    }

    /// The answer of a call that began.
    ///
    /// # Errors
    ///
    /// In no world was this answer right at any moment since it began.
    pub fn release(&mut self, Held(held): Held, answer: &Answer) -> Result<(), Fault> {
        let mut right = Vec::new();
        let mut expected = Vec::new();
        let mut asked = None;
        for world in &self.worlds {
            let mut world = world.clone();
            let Some(n) = world.pending.iter().position(|pending| pending.held == held) else {
                continue;
            };
            let pending = world.pending.remove(n);
            let fits = |verdict| *answer == Answer::Lost || matches(verdict, answer);
            match pending.verdict {
                Some(verdict) => {
                    expected.push(format!("{verdict:?}"));
                    if fits(verdict) {
                        right.push(world);
                    }
                }
                None if *answer == Answer::Lost => right.push(world),
                None => {}
            }
            asked = Some(pending.asked);
        }
        let Some(asked) = asked else { return Ok(()) };
        if right.is_empty() {
            self.worlds.iter_mut().for_each(|world| world.pending.retain(|p| p.held != held));
            if self.is_cut {
                return Ok(());
            }
            return Err(fault(&asked, answer, expected.into_iter()));
        }
        self.keep(right);
        Ok(())
    }

    /// The answer of a service that follows the first of the possible worlds.
    #[must_use]
    pub fn answer(&self, asked: &Asked) -> Answer {
        let Some(world) = self.worlds.first() else { return Answer::Lost };
        if asked.call.is_question() {
            return answers::answer(world, asked);
        }
        match calls::outcomes(world, asked).first() {
            Some((_, Ok(()))) => Answer::Done,
            Some((_, Err(refusal))) => Answer::Refused(*refusal),
            None => Answer::Lost,
        }
    }

    /// The possible decisions about a user at a level, with a token of the user or without.
    #[must_use]
    pub fn decided(&self, org: Org, level: Level, user: User, tok: Option<Tok>) -> Vec<Decided> {
        let decided = |world: &World| {
            let token = tok.and_then(|tok| world.token(tok)).filter(|token| token.user == user);
            match world.decide(org, level, user, token) {
                Decision::Absent => Decided::Absent,
                Decision::LockedOut(_) => Decided::LockedOut,
                Decision::Closed(_) => Decided::Closed,
                Decision::Open(open) => Decided::Open(open.role, open.by_public),
            }
        };
        let mut all: Vec<Decided> = self.worlds.iter().map(decided).collect();
        all.dedup();
        all
    }

    /// All workers have run, twice, and nothing waits any more: nothing fades.
    pub fn settle(&mut self) {
        for world in &mut self.worlds {
            world.orgs.iter_mut().for_each(crate::facts::Organization::settle);
        }
        let worlds = std::mem::take(&mut self.worlds);
        self.keep(worlds);
    }

    /// Each held call may count now.
    fn count_held(&mut self) {
        let mut next = 0;
        while next < self.worlds.len() {
            let mut world = self.worlds[next].clone();
            for n in 0..world.pending.len() {
                let Pending { asked, token: Some(token), allowed: None, .. } = &world.pending[n]
                else {
                    continue;
                };
                world.pending[n].allowed = world.allowed(&asked.call, token);
            }
            self.worlds[next] = world.clone();
            next += 1;
            for n in 0..world.pending.len() {
                if world.pending[n].verdict.is_some() {
                    continue;
                }
                for (mut after, verdict) in world.pending[n].outcomes(&world) {
                    after.pending[n].verdict = Some(verdict);
                    self.put(after);
                }
            }
        }
    }

    fn keep(&mut self, worlds: Vec<World>) {
        self.worlds.clear();
        for world in worlds {
            self.put(world);
        }
    }

    fn put(&mut self, world: World) {
        if self.worlds.contains(&world) {
            return;
        }
        if self.worlds.len() < MOST {
            self.worlds.push(world);
        } else {
            self.is_cut = true;
        }
    }
}

fn matches(verdict: Verdict, answer: &Answer) -> bool {
    match (verdict, answer) {
        (_, Answer::Lost) | (Ok(()), Answer::Done) => true,
        (Err(a), Answer::Refused(b)) => a == *b || a == Refusal::Failed || *b == Refusal::Failed,
        _ => false,
    }
}

/// The right answer, of rights only what differs.
fn explain(world: &World, asked: &Asked, answer: &Answer) -> String {
    match (answers::answer(world, asked), answer) {
        (Answer::Rights(right), Answer::Rights(shown)) => {
            let differ = right.iter().zip(shown).filter(|(right, shown)| right != shown);
            let pairs = differ.map(|(right, shown)| format!("{right:?}, not {shown:?}"));
            pairs.collect::<Vec<_>>().join("; ")
        }
        (right, _) => format!("{right:?}"),
    }
}

fn fault(asked: &Asked, answer: &Answer, expected: impl Iterator<Item = String>) -> Fault {
    let mut expected: Vec<String> = expected.collect();
    expected.sort();
    expected.dedup();
    let answer = match answer {
        Answer::Rights(_) => "what differs".to_owned(),
        answer => format!("{answer:?}"),
    };
    Fault(format!("{asked:?} answered {answer}; right: {}", expected.join(" or ")))
}

impl Call {
    /// Whether it ends something.
    pub(crate) fn is_end(&self) -> bool {
        matches!(
            self,
            Self::DeleteOrganization(_)
                | Self::DeleteFolder(..)
                | Self::DeleteDocument(_)
                | Self::DeleteGroup(_)
                | Self::RemoveUser(..)
                | Self::Revoke(..)
        )
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_question(&self) -> bool {
        matches!(
            self,
            Self::Read(..)
                | Self::Rights(_)
                | Self::Organizations
                | Self::Documents(_)
                | Self::Folders(_)
                | Self::Users(..)
                | Self::Group(_)
                | Self::Recordings(_)
                | Self::Activities(_)
                | Self::Export(..)
                | Self::Inbox(..)
                | Self::Outbox(..)
                | Self::Preferences(..)
        )
    }
}
