//! The guarantees of replacing, merging and reading, tested through the public interface.

mod bounds;
mod concurrent;
mod cursors;
mod equality;
mod foreign;
mod formats;
mod forms;
mod growth;
mod history;
mod hostile;
mod long_marks;
mod nested;
mod pending;
mod roots;
mod samples;
mod strange;
mod strangers;
mod xml;
