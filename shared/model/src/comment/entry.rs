//! A comment of a thread, as stored and as sent.

mod edit;
mod names;

pub use edit::CommentChange;

use marks::EndUserMembers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Agent, Context, SentAgent};
use crate::{
    AnnotationId, AtMost, Bounded, Metadata, Millis, Patch, Text, UserId, time::Moment,
    user::Person,
};

/// The number of a comment or an attachment, within the integers of JavaScript.
pub type Number = Bounded<0, 9_007_199_254_740_991>;

/// A mention in a comment, as `{{userId}}` in its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentContact")]
pub struct Contact {
    /// The user.
    pub user_id: UserId,
    /// Profile of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Person>,
}

impl Contact {
    fn person(&self) -> Person {
        let known = self.contact.clone().filter(|contact| contact.user_id == self.user_id);
        known.unwrap_or_else(|| Person::from_id(self.user_id.clone()))
    }
}

/// Declares the members of an attachment, as stored and as sent.
macro_rules! attachment {
    ($($(#[$attribute:meta])* $member:ident: $kind:ty,)+) => {
        /// An attached file.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "CommentAttachment")]
pub struct Attachment {
            /// Number of the attachment, unique in the thread.
            pub attachment_id: u64,
            $($(#[$attribute])* #[serde(skip_serializing_if = "Option::is_none")] $member: Option<$kind>,)+
        }

        /// An attachment as sent.
        #[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "NewCommentAttachment")]
pub struct SentAttachment {
            /// Number of the attachment; generated when absent.
            attachment_id: Option<Number>,
            $($(#[$attribute])* $member: Option<$kind>,)+
        }

        impl SentAttachment {
            fn numbered(self, generated: impl FnOnce() -> u64) -> Attachment {
                let attachment_id = self.attachment_id.map_or_else(generated, Number::get);
                Attachment { attachment_id, $($member: self.$member,)+ }
            }
        }
    };
}

attachment! {
    name: String,
    bucket_path: String,
    /// In bytes.
    size: Number,
    /// Kind of file.
    #[serde(rename = "type")]
    kind: String,
    url: String,
    thumbnail: String,
    mime_type: String,
    metadata: Metadata,
}

/// A comment of a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Number of the comment, unique in the thread.
    pub comment_id: u64,
    /// Position of the comment: the number of comments added before it.
    #[serde(default)]
    pub position: u64,
    /// The author.
    pub from: Person,
    /// Time of the write.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// When it was added, if it is dated later than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_at: Option<Millis>,
    /// Plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_text: Option<String>,
    /// The text with markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_html: Option<String>,
    /// Custom context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Mentioned users.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tagged_user_contacts: Vec<Contact>,
    /// Files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Reactions, one for each icon.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reaction>,
    /// Whether the caller stores the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_comment_resolver_used: Option<bool>,
    /// Whether there is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_comment_text_available: Option<bool>,
    /// The agent that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// Time of the last edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Millis>,
}

impl Comment {
    /// Since when it is there: whoever sees the thread afterwards has seen it.
    pub fn there_since(&self) -> Millis {
        self.added_at.map_or(self.created_at, |added| added.min(self.created_at))
    }

    /// Dates it; `now` is when.
    pub(super) fn date(&mut self, created_at: Millis, now: Millis) {
        self.created_at = created_at;
        if created_at > now {
            self.added_at.get_or_insert(now);
        }
    }
}

/// The name of a reaction, such as `HEART_FACE`.
pub type Icon = Text;

/// One icon on one comment, with the users who chose it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// Id of the reaction.
    pub annotation_id: AnnotationId,
    /// The icon.
    pub icon: Icon,
    /// Users who chose it, in order of time.
    pub from_users: Vec<Reactor>,
}

/// A user's reaction with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reactor {
    /// The user.
    pub from: Person,
    /// Time.
    pub last_updated: Millis,
}

/// The latest comment of a thread, to count unread threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// The author.
    pub by: UserId,
    /// Time.
    pub at: Millis,
}

/// A new comment as sent.
#[derive(Clone, Debug, Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct NewComment {
    /// Number of the comment; generated when absent.
    pub comment_id: Option<Number>,
    /// The author.
    #[end_user(own = Person)]
    pub from: Person,
    #[end_user]
    comment_text: Option<String>,
    #[end_user]
    comment_html: Option<String>,
    #[end_user]
    context: Option<Context>,
    /// Epoch milliseconds; now when absent.
    created_at: Option<Moment>,
    /// Epoch milliseconds; now when absent.
    last_updated: Option<Moment>,
    /// Mentioned users.
    #[end_user(without = "contact.email")]
    tagged_user_contacts: Option<AtMost<Contact, 200>>,
    #[end_user]
    attachments: Option<AtMost<SentAttachment, 100>>,
    is_comment_resolver_used: Option<bool>,
    is_comment_text_available: Option<bool>,
    /// Whether to notify people; webhooks are always sent.
    #[serde(default)]
    #[end_user]
    pub trigger_notification: Option<bool>,
    /// Whether to write activity records.
    #[serde(default)]
    #[end_user]
    pub trigger_activities: Option<bool>,
    /// The agent that wrote it.
    pub agent: Option<SentAgent>,
}

impl CommentPatch {
    /// Users whom the comment mentions after the change, if mentions are sent.
    pub fn mentioned(&self) -> impl Iterator<Item = &UserId> {
        let all = self.tagged_user_contacts.value().into_iter();
        all.flat_map(|all| all.iter()).map(|one| &one.user_id)
    }
}

impl NewComment {
    /// About its size, in bytes: that of what may be large.
    pub fn bytes(&self) -> usize {
        let texts = [&self.comment_text, &self.comment_html].into_iter().flatten();
        let context = self.context.as_ref().and_then(|it| serde_json::to_string(it).ok());
        texts.map(String::len).sum::<usize>() + context.map_or(0, |text| text.len())
    }

    /// Users whom the comment mentions.
    pub fn mentioned(&self) -> impl Iterator<Item = &UserId> {
        self.tagged_user_contacts.iter().flat_map(|all| all.iter()).map(|one| &one.user_id)
    }
}

/// An update of comments: absent keeps, `null` clears.
#[derive(Clone, Debug, Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct CommentPatch {
    #[serde(default)]
    #[end_user]
    comment_text: Patch<String>,
    #[serde(default)]
    #[end_user]
    comment_html: Patch<String>,
    #[serde(default)]
    #[end_user]
    context: Patch<Context>,
    /// The author; cannot be cleared.
    #[end_user(own = Ignored)]
    pub from: Option<Person>,
    #[serde(default)]
    #[end_user(without = "contact.email")]
    pub(super) tagged_user_contacts: Patch<AtMost<Contact, 200>>,
    #[serde(default)]
    #[end_user]
    attachments: Patch<AtMost<SentAttachment, 100>>,
    #[serde(default)]
    is_comment_resolver_used: Patch<bool>,
    #[serde(default)]
    is_comment_text_available: Patch<bool>,
    /// Epoch milliseconds.
    created_at: Option<Moment>,
    /// Epoch milliseconds; now when absent.
    last_updated: Option<Moment>,
}

impl Comment {
    /// Ids of mentioned users and groups.
    pub fn mentioned_ids(&self) -> impl Iterator<Item = &UserId> {
        self.tagged_user_contacts.iter().map(|contact| &contact.user_id)
    }

    /// Mentioned users.
    pub fn mentioned(&self) -> impl Iterator<Item = Person> {
        self.tagged_user_contacts.iter().map(Contact::person)
    }
}
