//! Scheduling of notifications: the delay, the batch windows, and exactly-once delivery of each
//! activity.
//!
//! The rules N1 to N21 are in the contract `notifications`. Pending work is a row with a due time
//! ([`RowKey`]); rows change by compare-and-set through [`Rows`]; functions without clock or I/O
//! decide about the changes. [`intake`] accepts an event, [`wake`] processes a due row. Both are
//! idempotent, may run concurrently, and may stop anywhere:
//!
//! ```text
//! intake ── PendingEvent (+ Recipients) ──due── Windows ──closes── claim ── publish, Mail
//!                                   └──────── no window ────────────┘
//! ```
//!
//! An event and up to [`PAGE`] of its recipients are one row, further recipients a row for each
//! page; the windows of many recipients are one row as well, as long as they are alike. A step
//! costs a row instead of a row per recipient. The state of each recipient is in its page: a
//! delivery claims it there, exclusively.
//!
//! The crate knows no database and no queue, so the simulator runs the same code.

#![warn(missing_docs)]

mod activity;
mod address;
mod channel;
mod closing;
mod digests;
mod event;
mod feedback;
mod intake;
mod joining;
pub mod mail;
mod notice;
mod outgoing;
mod page;
mod pages;
mod pending;
mod publish;
pub mod quota;
mod release;
mod rows;
mod stored;
mod task;
mod topic;
mod typed;
mod wake;
mod window;
mod windows;
mod world;

pub use activity::{Activity, ActivityState};
pub use address::{Slots, Unsubscribed};
pub use channel::Channels;
pub use event::{Event, Policy};
pub use feedback::{Feedback, Suppressed};
pub use intake::intake;
pub use mail::{Claim, Mail, MailState, Sent};
pub use notice::{Batch, Notice, Recipient};
pub use page::{Group, Page, PageRef, Recipients};
pub use pages::{Loaded, activities_of, load_pages};
pub use pending::{Gathering, PendingEvent};
pub use quota::Quota;
pub use rows::{Change, Row, RowKey, Rows, Stored};
pub use task::Task;
pub use topic::Topic;
pub use typed::{Body, pending_event};
pub use wake::wake;
pub use window::{CloseReason, Closed, Scope, Window};
pub use windows::{Apart, Joined, Windows};
pub use world::{Candidate, Candidates, Eligibility, Limits, SeenCheck, WindowLimits, World};

use model::Millis;
pub use model::trace::{Channel, Reason};

/// Retention of finished rows, so that offering an event again is a no-op (rule N5).
pub const TOMBSTONE: Millis = 14 * 24 * 60 * 60 * 1000;
/// Recipients per page: decided and released together.
pub const PAGE: usize = 120;
/// Maximum number of activities of a digest, whatever the configuration (rule N10).
pub const MAX_ACTIVITIES: usize = 50;
/// Lease of a step: after it, an unfinished step is repeated.
pub const RETRY: Millis = 60_000;
/// Rows read at a time.
pub(crate) const AT_ONCE: usize = 100;
/// Calls of a step made concurrently.
pub(crate) const PARALLEL: usize = 8;
/// Attempts of a step under contention.
pub(crate) const ATTEMPTS: usize = 16;
