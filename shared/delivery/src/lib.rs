//! When notifications are delivered: the delay, the batch windows, and each activity once.
//!
//! The rules N1 to N21 are those of the design note on notifications. What is to be done is a row
//! with a time ([`RowKey`]); rows change by compare-and-set through [`Rows`]; what they change to
//! is decided by functions without clock or I/O. [`intake`] accepts an event, [`wake`] does what a
//! row is due for. Both may be repeated, run twice at once, or stop anywhere:
//!
//! ```text
//! intake ── PendingEvent (+ Recipients) ──due── Windows ──closes── claim ── publish, Mail
//!                                   └──────── no window ────────────┘
//! ```
//!
//! An event and up to [`PAGE`] of its recipients are one row, further ones a row for each page; the
//! windows of many recipients are one row, too. So a step costs a row and not a recipient. What
//! became of the event for each recipient is in its page: there a delivery claims it, and no other
//! can.
//!
//! Nothing here knows of a database or a queue, so the simulator runs the very same code.

mod activity;
mod channel;
mod event;
mod feedback;
mod intake;
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
mod task;
mod topic;
mod typed;
mod wake;
mod window;
mod windows;
mod world;

pub use activity::{Activity, ActivityState};
pub use channel::{Channel, Channels, Reason};
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
pub use window::{CloseReason, Closed, Joined, Scope, Window, Windows};
pub use world::{Candidate, Candidates, Eligibility, Limits, SeenCheck, WindowLimits, World};

use model::Millis;

/// How long rows that are done are kept, so that an event offered again is a no-op (rule N5).
pub const TOMBSTONE: Millis = 14 * 24 * 60 * 60 * 1000;
/// Recipients of one page: they are decided on, and released, together.
pub const PAGE: usize = 120;
/// The most activities of a digest, whatever a configuration says (spec 4.24).
pub const MAX_ACTIVITIES: usize = 50;
/// After which time a step that was begun and not finished is taken up again.
pub const RETRY: Millis = 60_000;
/// How often a step is tried against concurrent ones before it makes room for them.
pub(crate) const ATTEMPTS: usize = 16;
