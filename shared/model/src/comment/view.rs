//! Threads, comments and reactions in replies (contract `types.comment-annotation`).

mod reply;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Agent, Anchor, Attachment, Comment, CommentType, Contact, Layout, Location, Priority, Reaction,
    Reactor, SourceType, Status, Subscription, Suggestion, Thread, ThreadType,
};
use crate::{
    AnnotationId, ApiKeyId, Metadata, Millis, OrganizationId, Timestamp, UserId,
    document::ScopeIds, user::Person, visibility::Visibility,
};

pub use reply::MentionedGroups;
use reply::{CommentInReply, ReactionInReply, ThreadInReply};

/// A user who unsubscribed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Unsubscribed {
    user: Person,
}

/// A thread in replies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentAnnotation")]
pub struct ThreadView {
    annotation_id: AnnotationId,
    #[serde(rename = "type")]
    kind: ThreadType,
    source_type: SourceType,
    comment_type: CommentType,
    from: Person,
    /// Epoch milliseconds.
    created_at: Millis,
    /// Epoch milliseconds.
    last_updated: Millis,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<Priority>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assigned_to: Option<Person>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_by_user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_updated_by_user_id: Option<UserId>,
    visibility_config: Visibility,
    /// Custom context, with `accessFields` derived from its `access`.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
    /// The range of a rich text that the service marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<Anchor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_element: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_info: Option<Metadata>,
    #[serde(flatten)]
    layout: Layout,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Agent>,
    subscribed_users: BTreeMap<UserId, Subscription>,
    unsubscribed_users: BTreeMap<UserId, Unsubscribed>,
    involved_user_ids: BTreeSet<UserId>,
    mentioned_user_ids: BTreeSet<UserId>,
    comments: Vec<CommentView>,
    /// Number of all comments, if these are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    comments_count: Option<u64>,
    /// Whether there are more comments: `comments/get` lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    has_more_comments: Option<bool>,
    /// For end users: whether the latest comment is another user's and newer than `seenAt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<bool>,
    /// For end users, of a thread whose latest comment is another user's: when the reader saw it last,
    /// in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_at: Option<Millis>,
    metadata: ScopeIds,
    #[serde(flatten)]
    in_reply: Option<ThreadInReply>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CommentKind {
    Text,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CommentStatus {
    Added,
    Updated,
}

/// A comment in replies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Comment")]
pub struct CommentView {
    comment_id: u64,
    #[serde(rename = "type")]
    kind: CommentKind,
    status: CommentStatus,
    source_type: SourceType,
    from: Person,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment_html: Option<String>,
    is_draft: bool,
    is_comment_text_available: bool,
    is_comment_resolver_used: bool,
    /// Epoch milliseconds.
    created_at: Millis,
    /// ISO 8601 with milliseconds, UTC.
    last_updated: Timestamp,
    is_edited: bool,
    /// Epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    edited_at: Option<Millis>,
    /// Mentioned users.
    to: Vec<Person>,
    tagged_user_contacts: Vec<Contact>,
    attachments: Vec<Attachment>,
    reaction_annotation_ids: Vec<AnnotationId>,
    reaction_annotations: Vec<ReactionView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Agent>,
    #[serde(flatten)]
    in_reply: Option<CommentInReply>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ReactionKind {
    Reaction,
}

/// A reaction in replies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reaction")]
pub struct ReactionView {
    annotation_id: AnnotationId,
    #[serde(rename = "type")]
    kind: ReactionKind,
    icon: String,
    comment_annotation_id: AnnotationId,
    comment_id: u64,
    /// Time of the latest choice, in epoch milliseconds.
    last_updated: Millis,
    from_users: Vec<Reactor>,
    involved_user_ids: BTreeSet<UserId>,
    metadata: ScopeIds,
    #[serde(flatten)]
    in_reply: Option<ReactionInReply>,
}

impl Thread {
    /// Kind of its author.
    fn source_type(&self) -> SourceType {
        if self.agent.is_some() { SourceType::Agent } else { SourceType::RestApi }
    }

    pub(super) fn scope_ids(
        &self,
        api_key: &ApiKeyId,
        organization_id: &OrganizationId,
    ) -> ScopeIds {
        let (api_key, organization_id) = (Some(api_key.clone()), organization_id.clone());
        ScopeIds { api_key, organization_id, document_id: self.document_id.clone() }
    }

    /// The thread for a reply.
    pub fn shown(self, api_key: &ApiKeyId, organization: &OrganizationId) -> ThreadView {
        let metadata = self.scope_ids(api_key, organization);
        let (involved_user_ids, mentioned_user_ids) = (self.involved(), self.mentioned());
        let (all, has_more) = (self.comments_count(), self.archive.count > 0);
        let source_type = self.source_type();
        let unsubscribed = self.unsubscribed.into_iter();
        let id = self.annotation_id.clone();
        let shown = |comment: Comment| comment.shown(&id, &metadata);
        ThreadView {
            kind: self.kind,
            source_type,
            comment_type: self.comment_type,
            from: self.from,
            created_at: self.created_at,
            last_updated: self.last_updated,
            status: self.status,
            priority: self.priority,
            assigned_to: self.assigned_to,
            resolved_by_user_id: self.resolved_by_user_id,
            status_updated_by_user_id: self.status_updated_by_user_id,
            visibility_config: self.visibility,
            context: self.context.map(super::Context::shown),
            location: self.location,
            anchor: self.anchor,
            target_element: self.target_element,
            page_info: self.page_info,
            layout: self.layout,
            suggestion: self.suggestion,
            agent: self.agent,
            subscribed_users: self.subscribed,
            unsubscribed_users: unsubscribed
                .map(|(id, user)| (id, Unsubscribed { user }))
                .collect(),
            involved_user_ids,
            mentioned_user_ids,
            comments: self.comments.into_iter().map(shown).collect(),
            comments_count: has_more.then_some(all),
            has_more_comments: has_more.then_some(true),
            unread: None,
            seen_at: None,
            annotation_id: self.annotation_id,
            metadata,
            in_reply: None,
        }
    }

    /// The thread for a reply, with these of its comments alone.
    pub fn shown_with(
        self,
        comments: Vec<Comment>,
        api_key: &ApiKeyId,
        organization: &OrganizationId,
    ) -> ThreadView {
        let (id, metadata) = (self.annotation_id.clone(), self.scope_ids(api_key, organization));
        let comments = comments.into_iter().map(|comment| comment.shown(&id, &metadata));
        let comments = comments.collect();
        ThreadView { comments, ..self.shown(api_key, organization) }
    }

    /// A comment of the thread for a reply.
    pub fn shown_comment(
        &self,
        comment: Comment,
        api_key: &ApiKeyId,
        organization: &OrganizationId,
    ) -> CommentView {
        comment.shown(&self.annotation_id, &self.scope_ids(api_key, organization))
    }

    /// The reactions of a user to a comment, for a reply.
    pub fn shown_reactions(
        &self,
        comment: &Comment,
        user: &UserId,
        api_key: &ApiKeyId,
        organization: &OrganizationId,
    ) -> Vec<ReactionView> {
        let metadata = self.scope_ids(api_key, organization);
        let is_theirs = |one: &&Reaction| one.from_users.iter().any(|by| by.from.user_id == *user);
        let theirs = comment.reactions.iter().filter(is_theirs).cloned();
        let thread = &self.annotation_id;
        theirs.map(|reaction| reaction.shown(thread, comment.comment_id, &metadata)).collect()
    }
}

impl ThreadView {
    /// The thread for a reader who saw it last at this time.
    #[must_use]
    pub fn read_by(mut self, is_unread: bool, seen_at: Option<Millis>) -> Self {
        (self.unread, self.seen_at) = (Some(is_unread), seen_at);
        self
    }

    /// The thread for an end user: without the API key.
    #[must_use]
    pub fn for_end_user(mut self) -> Self {
        self.metadata.api_key = None;
        self.comments = self.comments.into_iter().map(CommentView::for_end_user).collect();
        self
    }
}

impl CommentView {
    /// The comment for an end user: without the API key.
    #[must_use]
    pub fn for_end_user(mut self) -> Self {
        for reaction in &mut self.reaction_annotations {
            reaction.metadata.api_key = None;
        }
        self
    }
}

impl Comment {
    /// The comment for a reply.
    pub fn shown(self, thread: &AnnotationId, metadata: &ScopeIds) -> CommentView {
        let status = match self.edited_at {
            Some(_) => CommentStatus::Updated,
            None => CommentStatus::Added,
        };
        let has_text = self.comment_text.is_some() || self.comment_html.is_some();
        let to = self.mentioned().collect();
        let source_type =
            if self.agent.is_some() { SourceType::Agent } else { SourceType::RestApi };
        let id = self.comment_id;
        let ids = self.reactions.iter().map(|reaction| reaction.annotation_id.clone()).collect();
        let reactions = self.reactions.into_iter();
        CommentView {
            comment_id: id,
            kind: CommentKind::Text,
            status,
            source_type,
            from: self.from,
            comment_text: self.comment_text,
            comment_html: self.comment_html,
            is_draft: false,
            is_comment_text_available: self.is_comment_text_available.unwrap_or(has_text),
            is_comment_resolver_used: self.is_comment_resolver_used.unwrap_or(false),
            created_at: self.created_at,
            last_updated: Timestamp(self.last_updated),
            is_edited: self.edited_at.is_some(),
            edited_at: self.edited_at,
            to,
            tagged_user_contacts: self.tagged_user_contacts,
            attachments: self.attachments,
            reaction_annotation_ids: ids,
            reaction_annotations: reactions
                .map(|reaction| reaction.shown(thread, id, metadata))
                .collect(),
            context: self.context.map(super::Context::shown),
            agent: self.agent,
            in_reply: None,
        }
    }
}

impl Reaction {
    fn shown(self, thread: &AnnotationId, comment_id: u64, metadata: &ScopeIds) -> ReactionView {
        let users = self.from_users.iter();
        ReactionView {
            annotation_id: self.annotation_id,
            kind: ReactionKind::Reaction,
            icon: self.icon.into(),
            comment_annotation_id: thread.clone(),
            comment_id,
            last_updated: users.clone().map(|by| by.last_updated).max().unwrap_or_default(),
            involved_user_ids: users.map(|by| by.from.user_id.clone()).collect(),
            from_users: self.from_users,
            metadata: metadata.clone(),
            in_reply: None,
        }
    }
}
