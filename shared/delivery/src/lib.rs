//! When notifications are delivered: the delay, the batch windows, and each activity once.
//!
//! The rules N1 to N21 are those of the design note on notifications. What is to be done is a row
//! with a time ([`RowKey`]); rows change by compare-and-set through [`Rows`]; what they change to
//! is decided by functions without clock or I/O. [`intake`] accepts an event, [`wake`] does what a
//! row is due for. Both may be repeated, run twice at once, or stop anywhere:
//!
//! ```text
//! intake ── Held (+ Audience) ──due── Activity ── Window ──closes── Digest ── publish, Mail
//!                                        └─────── no window ──────────┘
//! ```
//!
//! Nothing here knows of a database or a queue, so the simulator runs the very same code.

mod activity;
mod channel;
mod close;
mod deliver;
mod digest;
mod event;
mod feedback;
mod held;
mod intake;
pub mod mail;
mod post;
pub mod quota;
mod release;
mod rows;
mod task;
mod topic;
mod typed;
mod wake;
mod window;
mod world;

pub use activity::{Activity, ActivityState};
pub use channel::{Channel, Channels, Reason};
pub use digest::{CloseReason, Digest, DigestState};
pub use event::{Event, Policy};
pub use feedback::{Feedback, Suppressed};
pub use held::{Audience, Held, HeldState};
pub use intake::intake;
pub use mail::{Claim, Mail, MailState, Sent};
pub use quota::Quota;
pub use rows::{Change, Row, RowKey, Rows, Stored};
pub use task::Task;
pub use topic::Topic;
pub use typed::{Body, held_event};
pub use wake::wake;
pub use window::{Joined, Scope, Window, join};
pub use world::{
    Batch, Candidate, Candidates, Limits, Notice, SeenCheck, Verdict, WindowLimits, World,
};

use model::Millis;

/// How long rows that are done are kept, so that an event offered again is a no-op (rule N5).
pub const TOMBSTONE: Millis = 14 * 24 * 60 * 60 * 1000;
/// Recipients of one page: they are decided on, and released, together.
pub const PAGE: usize = 48;
/// The most activities of a digest, whatever a configuration says (spec 4.24).
pub const MAX_ACTIVITIES: usize = 50;
/// After which time a step that was begun and not finished is taken up again.
pub const RETRY: Millis = 60_000;
/// How often a step is tried against concurrent ones before it makes room for them.
pub(crate) const ATTEMPTS: usize = 16;
