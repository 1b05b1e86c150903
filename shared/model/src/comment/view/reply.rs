//! Members that only replies have: they are computed when a call is answered, and are neither stored
//! nor in events.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{CommentView, ReactionView, ThreadView};
use crate::{
    GroupId, Metadata, Text, UserId,
    comment::{Context, Location, Thread},
    user_group::Group,
};

/// User groups that comments of a reply mention, by the id in the mention.
pub type MentionedGroups = BTreeMap<UserId, Group>;

/// Members that replies add to a thread.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadInReply {
    /// Position in the list of the reply, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    annotation_index: Option<usize>,
    /// A hash of `location`.
    #[serde(skip_serializing_if = "Option::is_none")]
    location_id: Option<u64>,
    /// Always false: there are no drafts.
    has_draft_comments: bool,
    /// Always empty.
    custom_list: Vec<Metadata>,
    /// Always empty.
    subscribed_groups: Metadata,
}

/// Members that replies add to a comment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentInReply {
    /// Always empty.
    custom_list: Vec<Metadata>,
    /// Always empty.
    recorders: Vec<Metadata>,
    /// Mentioned user groups of the organization.
    to_organization_user_group: Vec<GroupInReply>,
}

/// A mentioned user group.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MentionedUserGroup")]
struct GroupInReply {
    group_id: GroupId,
    organization_user_group_id: GroupId,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_name: Option<Text>,
}

/// Members of its thread that replies add to a reaction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReactionInReply {
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
    /// A hash of `location`.
    #[serde(skip_serializing_if = "Option::is_none")]
    location_id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Metadata>,
}

impl Thread {
    /// The members that reactions in replies have of their thread.
    fn of_reactions(&self) -> ReactionInReply {
        ReactionInReply {
            location: self.location.clone(),
            location_id: self.location.as_ref().map(Location::hash),
            context: self.context.clone().map(Context::shown),
        }
    }
}

impl ThreadView {
    /// The thread with the members that only replies have.
    #[must_use]
    pub fn in_reply(self, groups: &MentionedGroups) -> Self {
        let location_id = self.location.as_ref().map(Location::hash);
        let (location, context) = (self.location.clone(), self.context.clone());
        let of_reactions = ReactionInReply { location, location_id, context };
        let comments = self.comments.into_iter();
        let comments = comments.map(|comment| comment.completed(&of_reactions, groups));
        let in_reply = ThreadInReply {
            annotation_index: None,
            location_id,
            has_draft_comments: false,
            custom_list: vec![],
            subscribed_groups: Metadata::new(),
        };
        Self {
            status: self.status.with_icon(),
            comments: comments.collect(),
            in_reply: Some(in_reply),
            ..self
        }
    }

    /// Users and groups that its comments mention.
    pub fn mentioned(&self) -> &BTreeSet<UserId> {
        &self.mentioned_user_ids
    }

    /// The thread at a position in the list of the reply, from 1.
    #[must_use]
    pub fn at(mut self, position: usize) -> Self {
        if let Some(in_reply) = &mut self.in_reply {
            in_reply.annotation_index = Some(position);
        }
        self
    }
}

impl CommentView {
    /// The comment of a thread with the members that only replies have.
    #[must_use]
    pub fn in_reply(self, thread: &Thread, groups: &MentionedGroups) -> Self {
        self.completed(&thread.of_reactions(), groups)
    }

    fn completed(self, of_reactions: &ReactionInReply, groups: &MentionedGroups) -> Self {
        let mentioned = self.to.iter().filter_map(|person| groups.get(&person.user_id));
        let shown = |group: &Group| GroupInReply {
            group_id: group.group_id.clone(),
            organization_user_group_id: group.group_id.clone(),
            group_name: group.group_name.clone(),
        };
        let in_reply = CommentInReply {
            custom_list: vec![],
            recorders: vec![],
            to_organization_user_group: mentioned.map(shown).collect(),
        };
        let reactions = self.reaction_annotations.into_iter();
        let reactions = reactions.map(|reaction| reaction.completed(of_reactions));
        Self { reaction_annotations: reactions.collect(), in_reply: Some(in_reply), ..self }
    }
}

impl ReactionView {
    /// The reaction in a thread with the members that only replies have.
    #[must_use]
    pub fn in_reply(self, thread: &Thread) -> Self {
        self.completed(&thread.of_reactions())
    }

    fn completed(self, of_reactions: &ReactionInReply) -> Self {
        Self { in_reply: Some(of_reactions.clone()), ..self }
    }
}
