//! Visitors of the people in a value.

use crate::user::Person;

/// How a value names a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The author of a thread.
    Author,
    /// The author of a comment.
    Commenter,
    /// Mentioned in a comment.
    Mentioned,
    /// Assigned to a thread.
    Assignee,
    /// Subscribed to a thread.
    Subscriber,
    /// Reacted to a comment.
    Reactor,
    /// A named recipient.
    Recipient,
    /// The owner of the whole value, such as of a preference or a recording.
    Owner,
    /// Anything else: an actor, a reader, a person in free JSON, an id in a text.
    Beside,
}

impl Part {
    /// Whether a thread concerns the person.
    pub const fn is_involved(self) -> bool {
        match self {
            Self::Author
            | Self::Commenter
            | Self::Mentioned
            | Self::Assignee
            | Self::Subscriber => true,
            Self::Reactor | Self::Recipient | Self::Owner | Self::Beside => false,
        }
    }
}

/// Fate of a person in a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate<'a> {
    /// Stays as is.
    Stays,
    /// Leaves: where somebody is required, a deleted user takes the place.
    Leaves,
    /// Becomes another.
    Becomes(&'a Person),
}

/// A visitor of the people in a value.
pub trait People {
    /// A user is named, by this id.
    fn named(&mut self, part: Part, user: &str) -> Fate<'_>;
    /// A text that may mention users, as `{{userId}}`.
    fn text(&mut self, text: &mut String);
    /// Whether it has changed anything yet.
    fn has_changed(&self) -> bool;
}
