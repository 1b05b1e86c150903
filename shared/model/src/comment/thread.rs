use std::collections::{BTreeMap, BTreeSet};

use marks::EndUserMembers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Agent, Anchor, Archive, Comment, Context, Latest, Location, NewComment, Priority,
    SentSuggestion, SentVisibility, Status, Subscription, Suggestion, people::People,
    unfinished::UnfinishedCall,
};
use crate::{
    AnnotationId, Batch, DocumentId, Metadata, Millis, UserId, life::Life, time::Moment,
    user::Person, visibility::Visibility,
};

/// Type of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "AnnotationType")]
pub enum ThreadType {
    /// A comment thread.
    #[default]
    Comment,
    /// A thread about a suggested change.
    Suggestion,
}

/// Origin of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommentType {
    /// Added manually.
    #[default]
    Manual,
    /// On a chart.
    Chart,
    /// Suggestions of older clients.
    Suggestion,
}

/// Kind of author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceType {
    /// A server of the caller's.
    RestApi,
    /// An agent.
    Agent,
}

/// Declares the screen layout of a thread's origin, as stored and as sent.
macro_rules! layout {
    ($($(#[$attribute:meta])* $member:ident: $kind:ty,)+) => {
        /// Screen layout of a thread's origin.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "AnnotationLayout")]
pub struct Layout {
            $($(#[$attribute])* #[serde(default, skip_serializing_if = "Option::is_none")] $member: Option<$kind>,)+
        }

        /// A thread as sent.
        #[derive(Clone, Debug, Deserialize, JsonSchema, EndUserMembers)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "NewCommentAnnotation")]
pub struct SentThread {
            /// Generated when absent; without colons.
            #[end_user]
            pub annotation_id: Option<AnnotationId>,
            #[end_user]
            location: Option<Location>,
            /// The range of a rich text that the service marks with the id of the thread.
            #[end_user]
            pub anchor: Option<Anchor>,
            /// The element the thread is pinned to.
            #[end_user]
            target_element: Option<Metadata>,
            /// Comments of the thread, the first one first.
            #[serde(alias = "comments")]
            #[end_user(members)]
            pub comment_data: Batch<NewComment>,
            /// `OPEN` when absent.
            status: Option<Status>,
            assigned_to: Option<Person>,
            priority: Option<Priority>,
            #[end_user]
            context: Option<Context>,
            #[end_user]
            visibility: Option<SentVisibility>,
            /// `comment` when absent.
            #[serde(rename = "type")]
            kind: Option<ThreadType>,
            /// `manual` when absent.
            comment_type: Option<CommentType>,
            /// The suggestion; only for the type `suggestion`.
            suggestion: Option<SentSuggestion>,
            #[end_user]
            page_info: Option<Metadata>,
            /// Epoch milliseconds; now when absent.
            created_at: Option<Moment>,
            /// Epoch milliseconds; now when absent.
            last_updated: Option<Moment>,
            $($(#[$attribute])* $member: Option<$kind>,)+
        }

        impl SentThread {
            fn layout(&self) -> Layout {
                Layout { $($member: self.$member,)+ }
            }
        }
    };
}

layout! {
    /// Whether it is about the page as a whole.
    is_page_annotation: bool,
    position_x: f64,
    position_y: f64,
    screen_width: f64,
    screen_height: f64,
    screen_scroll_height: f64,
    screen_scroll_top: f64,
}

/// A thread of comments as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Id of the thread, unique in the document.
    pub annotation_id: AnnotationId,
    /// The document.
    pub document_id: DocumentId,
    /// Type of the thread.
    #[serde(rename = "type", default)]
    pub kind: ThreadType,
    /// Origin of the thread.
    #[serde(default)]
    pub comment_type: CommentType,
    /// Author of the thread.
    pub from: Person,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub last_updated: Millis,
    /// Location in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The range of a rich text that the service marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The element the thread is pinned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_element: Option<Metadata>,
    /// Custom context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// The page on which the thread was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_info: Option<Metadata>,
    /// Screen layout of its origin.
    #[serde(default)]
    pub layout: Layout,
    /// Status: open, in progress or resolved.
    pub status: Status,
    /// The assignee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<Person>,
    /// Priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Visibility.
    #[serde(default)]
    pub visibility: Visibility,
    /// The suggestion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// The agent that added it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The user who resolved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by_user_id: Option<UserId>,
    /// The user who last changed its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_updated_by_user_id: Option<UserId>,
    /// Subscribed users.
    #[serde(default)]
    pub subscribed: BTreeMap<UserId, Subscription>,
    /// Unsubscribed users.
    #[serde(default)]
    pub unsubscribed: People,
    /// Mentioned users whom the tenant's server named, and not only end users.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) vouched: BTreeSet<UserId>,
    /// Whether the tenant's server named the page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_page_vouched: bool,
    /// Comments, the first one first; for a long thread the first and the newest ones.
    #[serde(default)]
    pub comments: Vec<Comment>,
    /// Archived comments.
    #[serde(default, skip_serializing_if = "Archive::is_new")]
    pub archive: Archive,
    /// Archived comments that are loaded at present.
    #[serde(skip)]
    pub(super) recalled: BTreeSet<u64>,
    /// Number of comments ever added: the position of the next one.
    #[serde(default)]
    pub positions: u64,
    /// The latest comment; derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<Latest>,
    /// Unfinished calls that add more comments than one write holds, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) begun: Vec<UnfinishedCall>,
    /// The life of the document in which it was added.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub life: Life,
}

/// A thread to be added.
pub struct NewThread {
    /// The thread, without comments.
    pub thread: Thread,
    /// The time of its last change, if it was sent.
    pub last_updated: Option<Moment>,
    /// Comments of the thread.
    pub comments: Vec<NewComment>,
}

impl SentThread {
    /// Whether not everybody with access to the document sees it.
    pub fn is_private(&self) -> bool {
        self.visibility.as_ref().is_some_and(SentVisibility::is_private)
    }

    /// The thread, without its comments. The first comment is its author's.
    pub fn into_thread(
        self,
        document_id: DocumentId,
        annotation_id: AnnotationId,
        now: Millis,
    ) -> NewThread {
        let layout = self.layout();
        let comments: Vec<NewComment> = self.comment_data.into();
        let from = comments.first().map(|first| first.from.clone());
        // A batch is never empty.
        let from = from.unwrap_or_else(|| Person::from_id(UserId::unknown()));
        let kind = self.kind.unwrap_or_default();
        let is_suggestion = kind == ThreadType::Suggestion;
        let annotation = Thread {
            annotation_id,
            document_id,
            kind,
            comment_type: self.comment_type.unwrap_or_default(),
            created_at: self.created_at.map_or(now, Moment::get),
            last_updated: now,
            location: self.location,
            anchor: self.anchor,
            target_element: self.target_element,
            context: self.context,
            page_info: self.page_info,
            layout,
            status: self.status.unwrap_or_default(),
            assigned_to: self.assigned_to,
            priority: self.priority,
            visibility: self.visibility.unwrap_or_default().for_author(&from.user_id),
            suggestion: is_suggestion.then(|| Suggestion::new(self.suggestion)),
            agent: None,
            resolved_by_user_id: None,
            status_updated_by_user_id: None,
            subscribed: BTreeMap::new(),
            unsubscribed: People::new(),
            vouched: BTreeSet::new(),
            is_page_vouched: false,
            comments: vec![],
            archive: Archive::default(),
            recalled: BTreeSet::new(),
            positions: 0,
            latest: None,
            begun: vec![],
            life: Life::FIRST,
            from,
        };
        let thread = annotation.with_author_subscribed();
        NewThread { thread, last_updated: self.last_updated, comments }
    }
}

impl Thread {
    /// The number, if it is free in the thread.
    ///
    /// # Errors
    /// When a comment with this number exists.
    pub fn free_number(&self, id: u64) -> Result<u64, &'static str> {
        match self.comment(id) {
            Some(_) => Err("There is already a comment with this commentId."),
            None => Ok(id),
        }
    }

    fn with_author_subscribed(mut self) -> Self {
        self.subscribe_automatically(self.from.clone());
        self
    }

    /// Updates the derived members.
    pub fn refresh(&mut self) {
        let latest = self.comments.iter().max_by_key(|comment| comment.there_since());
        let latest = latest
            .map(|comment| Latest { by: comment.from.user_id.clone(), at: comment.there_since() });
        let archived = self.archive.latest().cloned();
        // If two comments have the same time, the last one is the latest.
        self.latest = archived.into_iter().chain(latest).max_by_key(|latest| latest.at);
        self.vouch_only_for_mentioned();
    }
}

#[cfg(test)]
pub(super) mod tests;
