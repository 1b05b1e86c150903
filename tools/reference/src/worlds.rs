//! The worlds that are possible after what was answered so far.

use crate::{Answer, Asked, KeyKind, Mutant, Tok, User};

/// No world is possible any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

/// A call that has begun, and whose answer has not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held(u64);

/// The set of possible worlds.
#[derive(Clone, Debug)]
pub struct Worlds {
    kind: KeyKind,
}

impl Worlds {
    /// The empty world of a key whose clock shows `now` (epoch milliseconds). A mutant makes the
    /// model wrong.
    #[must_use]
    pub fn new(kind: KeyKind, now: u64, mutant: Option<Mutant>) -> Self {
        let _ = (now, mutant);
        Self { kind }
    }

    /// The key.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The clock goes on by so many milliseconds. Calls that follow each other begin at least a
    /// millisecond apart.
    pub fn advance(&mut self, _ms: u64) {}

    /// To whom the token of a slot was issued; a call by the holder of an empty slot is left out.
    #[must_use]
    pub fn holder(&self, _tok: Tok) -> Option<User> {
        None
    }

    /// Keeps the worlds in which this answer is right.
    ///
    /// # Errors
    ///
    /// There is none. The set stays as it was, so that a history may go on.
    pub fn judge(&mut self, _asked: &Asked, _answer: &Answer) -> Result<(), Fault> {
        Ok(())
    }

    /// A call begins, and counts at any moment until its answer.
    pub fn begin(&mut self, _asked: &Asked) -> Held {
        Held(0)
    }

    /// The answer of a call that began.
    ///
    /// # Errors
    ///
    /// In no world was this answer right at any moment since it began.
    pub fn release(&mut self, _held: Held, _answer: &Answer) -> Result<(), Fault> {
        Ok(())
    }

    /// All workers have run, twice, and nothing waits any more: nothing fades.
    pub fn settle(&mut self) {}
}
