//! The rest of a mail when it is sent: its events once more checked, with their content (rules N4,
//! N13).

use std::collections::BTreeMap;

use model::notice::Contents;
use notification::{
    Activity, Channel, Eligibility, Mail, Reason, RowKey, SeenCheck, activities_of,
};
use service::{OrganizationStore, prelude::*, store::notifications::PublishedNotice};

/// Withheld events with their reasons.
pub(crate) type Withheld = BTreeMap<String, Reason>;

/// The rest of a mail when it is sent.
pub(crate) struct Remaining {
    /// The content with its recipient; none when no event is left.
    pub(crate) contents: Option<Contents>,
    /// The reasons for withholding the other events.
    pub(crate) withheld: Withheld,
}

/// Checks once more what a mail may tell.
pub(crate) async fn remaining_of(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<Remaining> {
    let RowKey::Mail { user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let Judged { kept, withheld } = judge(job, organization, key, mail).await?;
    let published = PublishedNotice { id: &mail.notification_id, at: mail.created_at };
    let contents = organization.notifications().contents(user_id, &kept, published).await?;
    Ok(Remaining { contents, withheld })
}

/// The activities of a mail after the last check.
struct Judged {
    /// Activities that may still be sent.
    kept: Vec<Activity>,
    /// The reasons for withholding the others.
    withheld: Withheld,
}

async fn judge(
    job: &Job,
    organization: &OrganizationStore,
    key: &RowKey,
    mail: &Mail,
) -> Result<Judged> {
    let RowKey::Mail { user_id, .. } = key else {
        return Err(Error::internal("not the key of a mail"));
    };
    let activities = activities_of(job, user_id, &mail.pages).await?;
    // A missing row means that its user or resource was deleted.
    let gone = |id: &String| (id.clone(), Reason::Deleted);
    let mut withheld: Withheld = mail.event_ids().map(gone).collect();
    let eligibility =
        organization.notifications().eligibility(&activities, SeenCheck::Ignored).await?;
    let mut kept = Vec::new();
    for (activity, eligibility) in activities.into_iter().zip(eligibility) {
        let reason = match eligibility {
            Eligibility::Ineligible(reason) => Some(reason),
            Eligibility::Eligible { withheld } => withheld.get(&Channel::Email).copied(),
        };
        match reason {
            Some(reason) => {
                withheld.insert(activity.event_id().to_owned(), reason);
            }
            None => {
                withheld.remove(activity.event_id());
                kept.push(activity);
            }
        }
    }
    Ok(Judged { kept, withheld })
}
