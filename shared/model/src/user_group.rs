//! User groups of an organization.

use serde::{Deserialize, Serialize};

use crate::{
    GroupId, Millis, Text, UserId,
    life::Life,
    people::{self, Names, People, Rest},
};

/// A user group.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The caller's id.
    pub group_id: GroupId,
    /// Display name.
    pub group_name: Option<Text>,
    /// Creation time.
    pub created_at: Millis,
    /// Life of the group; the first is not stored.
    #[serde(rename = "_since", default, skip_serializing_if = "Life::is_first")]
    pub since: Life,
}

/// A membership in a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupMember {
    /// The group.
    pub group_id: GroupId,
    /// The user.
    pub user_id: UserId,
    /// When the user joined, in epoch milliseconds, as in the membership in the organization. 0 in
    /// rows of earlier versions: the time of the write.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub given: Millis,
    /// The life of the group in which it was added.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub life: Life,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
const fn is_unknown(at: &Millis) -> bool {
    *at == 0
}

impl Names for GroupMember {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { group_id: _, user_id, given: _, life: _ } = self;
        people::owned(walk, user_id)
    }
}
