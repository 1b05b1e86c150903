//! Threads of comments: annotations, their comments, and reactions (contract `comments`).
//!
//! A thread is one value: every change is a method of [`Thread`], which maintains derived
//! members (subscriptions, the latest comment). Older comments of a long thread are in its archive
//! ([`Archive`]).

mod agent;
mod anchor;
mod archive;
mod change;
mod context;
mod entry;
mod events;
mod filter;
mod names;
mod numbers;
mod people;
mod reaction;
mod status;
mod suggestion;
mod thread;
mod unfinished;
mod view;
mod visible;
mod vouched;

pub use agent::{Agent, AgentSource, AgentType, Reason, SentAgent};
pub use anchor::{Anchor, ItemId, RelativePosition};
pub use archive::{Archive, ArchiveVersion, ArchivedComment, PutBack};
pub use change::ThreadPatch;
pub use context::{Context, Location, location_id};
pub use entry::{
    Attachment, Comment, CommentChange, CommentPatch, Contact, Icon, Latest, NewComment, Number,
    Reaction, Reactor, SentAttachment,
};
pub use events::{ThreadEvent, complete};
pub use filter::{AgentFilter, ThreadFilter};
pub use people::{Subscription, SubscriptionType};
pub use reaction::Reacted;
pub use status::{Priority, Status, StatusType};
pub use suggestion::{SentSuggestion, Suggestion, SuggestionStatus};
pub use thread::{CommentType, Layout, NewThread, SentThread, SourceType, Thread, ThreadType};
pub use view::{CommentView, MentionedGroups, ReactionView, ThreadView};
pub use visible::SentVisibility;
pub use vouched::is_page;

/// The reason for refusing a change of a thread, as a sentence for the caller.
pub type Refusal = &'static str;
