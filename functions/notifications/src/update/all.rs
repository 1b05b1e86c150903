//! Marks the notifications of a user as read.

use service::prelude::*;

use super::{Request, Response};

/// Marks the notifications of a user as read.
pub(super) async fn read(cx: &Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
    let Request { organization_id, user_id, notifications, document_id, location_id, .. } = request;
    // The rules for end users set it.
    let is_limited = request.verify_user_permissions == Some(true);
    let user = user_id.ok_or_else(|| issue(&["userId"], "is required with all"))?;
    let others = [
        ("notifications", notifications.is_some()),
        ("documentId", document_id.is_some()),
        ("locationId", location_id.is_some()),
        ("verifyUserPermissions", is_limited && cx.tenant().end_user().is_none()),
    ];
    if let Some((name, _)) = others.iter().find(|(_, is_sent)| *is_sent) {
        return Err(issue(&[*name], "cannot be sent together with all"));
    }
    cx.tenant().end_users().check_member(&organization_id).await?;
    let organization = cx.organization(&organization_id);
    let has_more = Some(organization.notifications().read_all(&user).await?);
    let response = Response { data: Items::new(), has_more };
    Ok(success("Notifications marked as read.", response))
}
