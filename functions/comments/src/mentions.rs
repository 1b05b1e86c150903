//! The limit of groups that one comment mentions: what decides whom a comment notifies reads the
//! members of each.

use std::collections::BTreeSet;

use model::{GroupId, comment::NewComment};
use service::{OrganizationStore, prelude::*};

/// Groups that one comment may mention.
const MAX_GROUPS: usize = 20;

/// Refuses comments of which one mentions too many groups.
///
/// # Errors
/// INVALID_ARGUMENT.
pub(crate) async fn check_groups_in(
    organization: &OrganizationStore,
    comments: impl IntoIterator<Item = &NewComment>,
) -> Result<()> {
    for comment in comments {
        check_groups(organization, comment.mentioned().collect()).await?;
    }
    Ok(())
}

/// Refuses a comment that mentions too many groups. Reads only for more mentions than that.
///
/// # Errors
/// INVALID_ARGUMENT.
pub(crate) async fn check_groups(
    organization: &OrganizationStore,
    mentioned: BTreeSet<&UserId>,
) -> Result<()> {
    if mentioned.len() <= MAX_GROUPS {
        return Ok(());
    }
    let ids = mentioned.iter().filter_map(|id| GroupId::try_from(id.as_str().to_owned()).ok());
    let groups = organization.user_groups().all().find_all(ids.collect::<Vec<_>>()).await?.len();
    if groups > MAX_GROUPS {
        return Err(Error::invalid(format!(
            "The comment mentions {groups} user groups; at most {MAX_GROUPS} are possible."
        )));
    }
    Ok(())
}
