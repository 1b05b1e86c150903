//! Versions, authors, and taking changes back, in generated histories.

mod authors;
mod edits;
mod erase;
mod keys;
mod revert;
mod strangers;
mod versions;
mod world;
