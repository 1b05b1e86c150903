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
mod channel;
mod event;
pub mod mail;
mod notice;
mod page;
mod page_ref;
mod pending;
mod publish;
mod release;
mod rows;
mod task;
mod tenant_data;
mod wake;
mod window;
mod windows;

pub use activity::{Activity, ActivityState};
pub use channel::Channels;
pub use event::{NotifiableEvent, Policy};
pub use mail::feedback::{Feedback, Suppressed, Unsubscribed};
pub use mail::quota;
pub use mail::quota::{CountedMail, Quota, Slots, TakenSlot};
pub use mail::topic::Topic;
pub use mail::{Mail, MailState, MailStep, SendOutcome};
pub use notice::{Batch, Notice, Recipient};
pub use page::{LoadedPage, RecipientGroup, RecipientPage, Recipients, activities_of, load_pages};
pub use page_ref::PageRef;
pub use pending::{Gathering, PendingEvent, pending_event};
pub use release::intake::intake;
pub use rows::typed::{RowBody, TypedRow, change_row, load_row};
pub use rows::{Change, Committed, Hint, Row, RowKey, Rows, StoredRow};
pub use task::NotificationTask;
pub use tenant_data::{Candidate, Candidates, Eligibility, SeenCheck, TenantData};
pub use wake::wake;
pub use window::{BatchLimits, CloseReason, Closed, Window, WindowLimits, WindowScope};
pub use windows::{Joined, SeparateWindow, WindowEnd, Windows};

use model::Millis;
pub use model::trace::{Channel, Reason};

/// The retention of finished rows, so that offering an event again is a no-op (rule N5).
pub const TOMBSTONE: Millis = 14 * 24 * 60 * 60 * 1000;
/// The maximum number of recipients on a page, who are decided on and released together.
pub const PAGE: usize = 120;
/// The maximum number of activities of a digest, whatever the configuration (rule N10).
pub const MAX_ACTIVITIES: usize = 50;
/// The lease of a step: after it, an unfinished step is repeated.
pub const RETRY: Millis = 60_000;
/// The number of rows read at a time.
pub(crate) const AT_ONCE: usize = 100;
/// The number of concurrent calls of a step.
pub(crate) const PARALLEL: usize = 8;
/// The number of attempts of a step under contention.
pub(crate) const ATTEMPTS: usize = 16;
