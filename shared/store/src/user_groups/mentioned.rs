//! The user groups that comments mention.

use std::collections::BTreeMap;

use error::Result;
use model::{GroupId, UserId, comment::MentionedGroups};

use crate::user_groups::UserGroups;

impl UserGroups<'_> {
    /// The groups among mentioned ids, by id.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn mentioned(
        self,
        ids: impl IntoIterator<Item = &UserId>,
    ) -> Result<MentionedGroups> {
        let ids = ids.into_iter().filter_map(|id| {
            let group = GroupId::try_from(id.as_str().to_owned()).ok()?;
            Some((group, id.clone()))
        });
        let mut ids: BTreeMap<GroupId, UserId> = ids.collect();
        if ids.is_empty() {
            return Ok(MentionedGroups::new());
        }
        let found = self.all().find_all(ids.keys().cloned().collect::<Vec<_>>()).await?;
        let by_user = found.into_iter().filter_map(|(id, group)| Some((ids.remove(&id)?, group)));
        Ok(by_user.collect())
    }
}
