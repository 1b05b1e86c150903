//! Histories: a deployment whose workers, faults and clock are driven step by step, judged by the
//! model of the contract.
//!
//! A history is a list of steps: calls and questions, single messages of workers, faults, and the
//! clock. Every answer has to be right in a possible world of [`reference::Worlds`]; once all work
//! is done, no table may hold what nothing leads to. A history that shows a fault is shrunk, and
//! printed as the literal of a test.

mod deployment;
mod drive;
mod history;
mod images;
mod literal;
mod mails;
mod names;
mod ports;
mod process;
mod replies;
mod requests;
mod scene;
mod shrink;
mod sweep;
mod workers;

pub use drive::Found;
pub use history::{DELETIONS, Fails, History, Step};
pub use ports::Broken;
pub use process::{Cuts, Tried};
pub use shrink::{GROUPS, Judge, Judged, Wrong};
pub use sweep::sweep;
pub use workers::Source;
