//! The contract as a model: which answers are right, after any history of calls.
//!
//! Written from `docs/contract` and not from the code of the service, so that the two are wrong in
//! different places. Anything that the contract leaves open (a lost reply, a call in flight, what
//! the tenant's server sees of a deleted container until the clean-up has been there) is several
//! possible worlds; an answer that is right in none of them is a fault.

mod answers;
mod call;
mod calls;
mod containers;
mod contents;
mod decide;
mod facts;
mod fading;
mod generator;
mod ids;
mod mutant;
mod notices;
mod pending;
mod people;
mod questions;
mod reached;
mod themes;
mod world;
mod worlds;

pub use call::{Answer, Asked, By, Call, Entry, Listed, Refusal, Want, What};
pub use generator::{Generator, KINDS};
pub use ids::{
    Access, Actor, At, Doc, Folder, Holder, KeyKind, Level, Mark, Org, Role, ThreadNo, Tok, User,
    Visibility,
};
pub use mutant::Mutant;
pub use themes::Pace;
pub use worlds::{Decided, Fault, Held, Worlds};
