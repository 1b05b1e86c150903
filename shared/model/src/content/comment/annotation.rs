use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Agent, Archive, Comment, Context, Location, NewComment, Priority, SentSuggestion,
    SentVisibility, Status, Subscription, Suggestion, people::People,
};
use crate::{
    AnnotationId, Batch, DocumentId, Metadata, Millis, UserId, time::Moment, user::Person,
    visibility::Visibility,
};

/// What a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnnotationType {
    /// A thread of comments.
    #[default]
    Comment,
    /// A thread about a change that somebody suggests.
    Suggestion,
}

/// How a thread came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommentType {
    /// By hand.
    #[default]
    Manual,
    /// On a chart.
    Chart,
    /// As older clients mark suggestions.
    Suggestion,
}

/// Who wrote a thread or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceType {
    /// A server of the caller's.
    RestApi,
    /// An agent.
    Agent,
}

/// Declares where on a screen a thread was made, as stored and as sent.
macro_rules! layout {
    ($($(#[$attribute:meta])* $member:ident: $kind:ty,)+) => {
        /// Where on a screen a thread was made.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Layout {
            $($(#[$attribute])* #[serde(default, skip_serializing_if = "Option::is_none")] $member: Option<$kind>,)+
        }

        /// A thread as callers send it.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct NewAnnotation {
            /// Generated when absent; without colons.
            pub annotation_id: Option<AnnotationId>,
            location: Option<Location>,
            /// The element it is pinned to.
            target_element: Option<Metadata>,
            /// Its comments, the first one first.
            #[serde(alias = "comments")]
            pub comment_data: Batch<NewComment>,
            /// `OPEN` when absent.
            status: Option<Status>,
            assigned_to: Option<Person>,
            priority: Option<Priority>,
            context: Option<Context>,
            visibility: Option<SentVisibility>,
            /// `comment` when absent.
            #[serde(rename = "type")]
            kind: Option<AnnotationType>,
            /// `manual` when absent.
            comment_type: Option<CommentType>,
            /// What is suggested; for the type `suggestion` only.
            suggestion: Option<SentSuggestion>,
            page_info: Option<Metadata>,
            /// Epoch milliseconds; now when absent.
            created_at: Option<Moment>,
            /// Epoch milliseconds; now when absent.
            last_updated: Option<Moment>,
            $($(#[$attribute])* $member: Option<$kind>,)+
        }

        impl NewAnnotation {
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

/// The latest comment of a thread, for those who count what is unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// Who wrote it.
    pub by: UserId,
    /// When.
    pub at: Millis,
}

/// A thread of comments, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotation {
    /// Its id, unique in the document.
    pub annotation_id: AnnotationId,
    /// Where it is.
    pub document_id: DocumentId,
    /// What it is.
    #[serde(rename = "type", default)]
    pub kind: AnnotationType,
    /// How it came about.
    #[serde(default)]
    pub comment_type: CommentType,
    /// Its author.
    pub from: Person,
    /// When it was created.
    pub created_at: Millis,
    /// When it last changed.
    pub last_updated: Millis,
    /// Where in the document it is pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// The element it is pinned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_element: Option<Metadata>,
    /// What the caller says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// The page it was made on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_info: Option<Metadata>,
    /// Where on a screen it was made.
    #[serde(default)]
    pub layout: Layout,
    /// Whether it is open, being worked on or resolved.
    pub status: Status,
    /// Who is to deal with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<Person>,
    /// How urgent it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Who sees it.
    #[serde(default)]
    pub visibility: Visibility,
    /// What is suggested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// The agent that began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// Who resolved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by_user_id: Option<UserId>,
    /// Who last changed its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_updated_by_user_id: Option<UserId>,
    /// Who subscribed to it.
    #[serde(default)]
    pub subscribed: BTreeMap<UserId, Subscription>,
    /// Who unsubscribed from it.
    #[serde(default)]
    pub unsubscribed: People,
    /// Its comments, the first one first; of a long thread the first and the newest.
    #[serde(default)]
    pub comments: Vec<Comment>,
    /// Those that lie beside it.
    #[serde(default, skip_serializing_if = "Archive::is_new")]
    pub archive: Archive,
    /// Archived comments that are in it for now.
    #[serde(skip)]
    pub(super) recalled: std::collections::BTreeSet<u64>,
    /// How many comments were ever added: the position of the next.
    #[serde(default)]
    pub positions: u64,
    /// The latest comment; follows from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<Latest>,
    /// Calls that add more comments than one write takes, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) begun: Vec<Begun>,
}

/// A call that has added some of its comments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Begun {
    call: String,
    ids: Vec<u64>,
}

/// Calls under way that a thread knows of at most.
const MAX_BEGUN: usize = 3;

impl NewAnnotation {
    /// The thread, and the comments that are yet to be added to it, of which the first is the
    /// author's.
    pub fn into_parts(
        self,
        document_id: DocumentId,
        annotation_id: AnnotationId,
        now: Millis,
    ) -> (Annotation, Option<Moment>, Vec<NewComment>) {
        let layout = self.layout();
        let comments: Vec<NewComment> = self.comment_data.into();
        let from = comments.first().map(|first| first.from.clone());
        // A batch is never empty.
        let from = from.unwrap_or_else(|| Person::of(UserId::unknown()));
        let kind = self.kind.unwrap_or_default();
        let is_suggestion = kind == AnnotationType::Suggestion;
        let annotation = Annotation {
            annotation_id,
            document_id,
            kind,
            comment_type: self.comment_type.unwrap_or_default(),
            created_at: self.created_at.map_or(now, Moment::get),
            last_updated: now,
            location: self.location,
            target_element: self.target_element,
            context: self.context,
            page_info: self.page_info,
            layout,
            status: self.status.unwrap_or_default(),
            assigned_to: self.assigned_to,
            priority: self.priority,
            visibility: self.visibility.unwrap_or_default().of(&from.user_id),
            suggestion: is_suggestion.then(|| Suggestion::new(self.suggestion)),
            agent: None,
            resolved_by_user_id: None,
            status_updated_by_user_id: None,
            subscribed: BTreeMap::new(),
            unsubscribed: People::new(),
            comments: vec![],
            archive: Archive::default(),
            recalled: std::collections::BTreeSet::new(),
            positions: 0,
            latest: None,
            begun: vec![],
            from,
        };
        (annotation.with_author_subscribed(), self.last_updated, comments)
    }
}

impl Annotation {
    /// The numbers of the comments that a call has added so far which is not finished.
    pub fn begun(&self, call: &str) -> Vec<u64> {
        let begun = self.begun.iter().find(|begun| begun.call == call);
        begun.map_or(vec![], |begun| begun.ids.clone())
    }

    /// Takes note of the comments that a call has added so far, until it has added all.
    pub fn note(&mut self, call: &str, ids: Vec<u64>, all: usize) {
        self.begun.retain(|begun| begun.call != call);
        if ids.len() < all {
            self.begun.push(Begun { call: call.to_owned(), ids });
        }
        self.begun.drain(..self.begun.len().saturating_sub(MAX_BEGUN));
    }

    fn with_author_subscribed(mut self) -> Self {
        self.subscribe_automatically(self.from.clone());
        self
    }

    /// Who wrote it.
    pub fn source_type(&self) -> SourceType {
        if self.agent.is_some() { SourceType::Agent } else { SourceType::RestApi }
    }

    /// Brings what follows from its comments in step with them.
    pub fn refresh(&mut self) {
        let latest = self.comments.iter().max_by_key(|comment| comment.created_at);
        let latest = latest
            .map(|comment| Latest { by: comment.from.user_id.clone(), at: comment.created_at });
        let archived = self.archive.latest().cloned();
        // Of two at the same time the later one is meant, which comes last.
        self.latest = archived.into_iter().chain(latest).max_by_key(|latest| latest.at);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, from_value, json};

    use super::Annotation;
    use crate::{UserId, comment::AgentType, user::Person};

    pub(in crate::content::comment) fn person(id: &str) -> Person {
        Person::of(id.to_owned().try_into().unwrap())
    }

    pub(in crate::content::comment) fn ids(users: &BTreeSet<UserId>) -> Vec<&str> {
        users.iter().map(UserId::as_str).collect()
    }

    /// A thread of comments, made at 1.
    pub(in crate::content::comment) fn thread(comments: Value) -> Annotation {
        made(json!({ "commentData": comments }))
    }

    pub(in crate::content::comment) fn made(sent: Value) -> Annotation {
        let new: super::NewAnnotation = from_value(sent).unwrap();
        let id = |text: &str| text.to_owned();
        let document = id("d").try_into().unwrap();
        let (mut thread, _, comments) = new.into_parts(document, id("a").try_into().unwrap(), 1);
        for (n, comment) in (0..).zip(comments) {
            thread.add_comment(comment, AgentType::Custom, (1 + n, 100 * n)).unwrap();
        }
        thread
    }

    #[test]
    fn a_thread_has_defaults() {
        let thread = thread(json!([{ "from": { "userId": "ada" } }]));
        assert_eq!(thread.status.id.as_str(), "OPEN");
        assert_eq!(thread.from.user_id.as_str(), "ada");
        assert_eq!(thread.latest.unwrap().at, 1);
        assert!(thread.visibility.user_ids.is_empty() && thread.suggestion.is_none());
    }

    #[test]
    fn comments_may_be_called_so_and_there_is_at_least_one() {
        let new = |json: Value| from_value::<super::NewAnnotation>(json);
        assert!(new(json!({ "comments": [{ "from": { "userId": "a" } }] })).is_ok());
        assert!(new(json!({ "commentData": [] })).is_err());
        assert!(new(json!({ "commentData": [{ "commentText": "x" }] })).is_err());
    }

    #[test]
    fn the_latest_comment_is_the_youngest() {
        let mut thread = thread(json!([
            { "commentId": 1, "from": { "userId": "ada" }, "createdAt": 50 },
            { "commentId": 2, "from": { "userId": "bob" }, "createdAt": 40 },
        ]));
        assert_eq!(thread.latest.as_ref().unwrap().by.as_str(), "ada");
        thread.remove_comment(1, 60);
        assert_eq!(thread.latest.as_ref().unwrap().at, 40);
        thread.remove_comment(2, 60);
        assert_eq!(thread.latest, None);
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let thread = made(json!({
            "type": "suggestion", "suggestion": { "newValue": [1] }, "positionX": 1.5,
            "visibility": { "type": "restricted", "userIds": ["bob"] },
            "location": { "id": 7 }, "context": { "access": { "a": 1 } },
            "commentData": [{ "from": { "userId": "ada" }, "attachments": [{ "size": 5 }] }],
        }));
        let stored = serde_json::to_value(&thread).unwrap();
        assert_eq!(from_value::<Annotation>(stored).unwrap(), thread);
    }
}
