//! Notices for users: of notifications, and of what they have read elsewhere.

use std::collections::BTreeSet;

use model::event::Read;
use rooms::{Room, prelude::*};
use serde_json::{Value, json};
use service::{join_all, prelude::*};

use crate::{broadcast, place::notifications_place, posting::PARALLEL};

/// Sends subscribed users what concerns them, with how many notifications they have not read. They
/// read the content themselves.
pub(super) async fn tell(
    job: &Job,
    organization_id: OrganizationId,
    users: &BTreeSet<UserId>,
    notice: impl Fn(&UserId) -> Value,
) -> Result<()> {
    // Each user, and not all who listen: others cannot crowd anybody out.
    let organization = job.organization(&organization_id);
    let users: Vec<&UserId> = users.iter().collect();
    let mut found = vec![];
    for users in users.chunks(PARALLEL) {
        let live = organization.live();
        found.extend(join_all(users.iter().map(|id| live.listening_connections(id))).await);
    }
    for (user_id, members) in users.into_iter().zip(found) {
        let members = members?;
        if members.is_empty() {
            continue;
        }
        let mut message = notice(user_id);
        message["organizationId"] = json!(organization_id);
        // A message about a document is no notification.
        if message["documentId"].is_null() {
            message["count"] = json!(organization.notifications().count(user_id).await?);
        }
        let place = notifications_place(organization_id.clone(), user_id.clone());
        broadcast::send_event(job.live(), &Room::at(job.tenant(), &place), members, &message)
            .await?;
    }
    Ok(())
}

/// The view of a reading in messages of the channel.
pub(super) fn read_view(read: &Read) -> Value {
    match read {
        Read::Notification { notification_id } => {
            json!({ "type": "notificationsRead", "notificationIds": [notification_id] })
        }
        Read::Deleted { notification_id } => {
            json!({ "type": "notificationsDeleted", "notificationIds": [notification_id] })
        }
        Read::All => json!({ "type": "notificationsRead", "all": true }),
        Read::Inbox { seen_at } => json!({ "type": "notificationsSeen", "seenAt": seen_at }),
        Read::Thread { document_id, annotation_id, seen_at } => json!({
            "type": "seen", "documentId": document_id, "annotationId": annotation_id,
            "seenAt": seen_at,
        }),
    }
}
