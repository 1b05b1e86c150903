//! `POST /v2/notifications/add`: stores a custom notification.
//!
//! An existing id adds nothing. The notification is stored even if the notification service is off,
//! and may also be sent by mail.
//!
//! # Errors
//! - NOT_FOUND: the organization or the document does not exist.
//!
//! # Events
//! `notification.add`

mod content;

use std::collections::{BTreeMap, BTreeSet};

use model::{
    AnnotationId, Metadata, NotificationId, Text,
    notification::{AccessContext, NotificationSource},
    user::Person,
};
use service::{OrganizationStore, prelude::*, random_text, store::notifications::Create};

pub enum AddNotification {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    document_id: DocumentId,
    /// Whether to create a missing document.
    create_document: Option<bool>,
    /// Generated when absent.
    notification_id: Option<NotificationId>,
    action_user: Person,
    /// Recipients by name.
    notify_users: Batch<Person>,
    /// Whether all users with access to the document are recipients; true unless sent.
    notify_all: Option<bool>,
    /// Whether to omit users without access to the document.
    verify_user_permissions: Option<bool>,
    /// Headline with variables in curly brackets; required unless a resolver is used.
    display_headline_message_template: Option<String>,
    display_headline_message_template_data: Option<Metadata>,
    /// Secondary message; required unless a resolver is used.
    display_body_message: Option<String>,
    display_body_message_template: Option<String>,
    display_body_message_template_data: Option<Metadata>,
    /// Whether the caller's client renders the messages.
    is_notification_resolver_used: Option<bool>,
    notification_source: Option<NotificationSource>,
    notification_source_data: Option<Metadata>,
    target_annotation_id: Option<AnnotationId>,
    metadata: Option<Metadata>,
    location: Option<Metadata>,
    /// The `id` of the location unless sent.
    location_id: Option<Text>,
    context: Option<AccessContext>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NotificationAdded")]
pub struct Added {
    success: bool,
    id: NotificationId,
    message: &'static str,
}

impl Operation for AddNotification {
    const PATHS: &'static [&'static str] = &["/v2/notifications/add", "/v1/notifications/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Added>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        request.check()?;
        let organization = cx.organization(&request.organization_id);
        let create = Create {
            organization: request.create_organization == Some(true),
            document: request.create_document == Some(true),
        };
        let mut users: BTreeMap<UserId, Person> = BTreeMap::new();
        for user in request.notify_users.iter().cloned() {
            users.entry(user.user_id.clone()).or_insert(user);
        }
        if request.verify_user_permissions == Some(true) {
            leave_out(&organization, &mut users, &request.document_id, create.document).await?;
        }
        let id = match &request.notification_id {
            Some(id) => id.clone(),
            None => random_text::<15>()?.try_into().map_err(Error::internal)?,
        };
        let notification = request.notification(id, &users, cx.now());
        let id = notification.id.clone();
        if users.is_empty() && !notification.notify_all {
            let message = "None of the named users has access to the document.";
            return Ok(success(message, Data(Added { success: false, id, message })));
        }
        let event =
            content::event(&notification, organization.id(), users.into_values().collect())?;
        organization.notifications().add(&notification, event, create).await?;
        let message = "Notification added.";
        Ok(success(message, Data(Added { success: true, id, message })))
    }
}

/// Removes users without access to the document, or to one that is missing and is created. A call
/// that creates none is refused.
async fn leave_out(
    organization: &OrganizationStore,
    users: &mut BTreeMap<UserId, Person>,
    document: &DocumentId,
    creates: bool,
) -> Result<()> {
    let (ids, documents) = (users.keys().cloned().collect(), [document.clone()].into());
    let facts = organization.permissions().facts(&ids, &BTreeSet::new(), &documents).await?;
    if creates || facts.document(document).is_some() {
        users.retain(|id, _| facts.opens(id, document));
    }
    Ok(())
}
