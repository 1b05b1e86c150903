//! Rights of users: the facts that decide, and the decision (contract `access.decision`).
//!
//! The decision is a function of facts. Every reader of the facts, from keys, from lists or from a
//! token, gets the same answer: calls of end users, the live channel, notifications, mails and
//! `permissions.get`.

mod decide;
mod facts;
#[cfg(test)]
mod tests;

pub use super::Given;
pub use decide::{By, Decision, Locked, Past, Right, Via, decide};
pub use facts::{
    Access, DocumentFacts, FolderFacts, GroupRight, Holders, Joined, LevelRights,
    OrganizationFacts, Person, Rules, Setting, Source, Subject, Target, Token, Top, Way, nearest,
};
