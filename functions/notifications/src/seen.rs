//! `POST /v2/notifications/seen`: sets the user's seen mark of a thread to now, or, without a thread,
//! that of the inbox.
//!
//! A mark never moves backwards. For the tenant's own server the thread need not exist. An end user
//! gets NOT_FOUND for a thread that does not exist, and for one that the user may not see.

use model::{
    AnnotationId,
    event::{Event, Read, Reading},
    seen::SeenMark,
};
use service::{Edit, OrganizationStore, prelude::*};

pub enum MarkSeen {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// The document of the thread.
    #[end_user]
    document_id: Option<DocumentId>,
    /// The thread; the inbox when absent, as for `documentId`.
    #[end_user]
    annotation_id: Option<AnnotationId>,
    #[end_user(own = Id)]
    user_id: UserId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Done")]
pub struct Seen {
    success: bool,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, &self.document_id).or_own_data()
    }
}

impl Operation for MarkSeen {
    const PATHS: &'static [&'static str] = &["/v2/notifications/seen"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Seen>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, user_id } = request;
        let organization = cx.organization(&organization_id);
        let (document_id, annotation_id) = match (document_id, annotation_id) {
            (Some(document), Some(annotation)) => (document, annotation),
            (Some(_), None) => return Err(issue(&["annotationId"], "is required with documentId")),
            (None, Some(_)) => return Err(issue(&["documentId"], "is required with annotationId")),
            (None, None) => {
                cx.tenant().end_users().check_member(&organization_id).await?;
                organization.notifications().see_inbox(&user_id).await?;
                return Ok(success("Inbox marked as seen.", Data(Seen { success: true })));
            }
        };
        match cx.tenant().end_user() {
            Some(_) => {
                let thread = (document_id.clone(), annotation_id.clone());
                organization.comments().all().get(&thread).await.map(drop)?;
            }
            None => organization.own_record().record_if_missing().await?,
        }
        let mark = SeenMark { document_id, annotation_id, user_id, seen_at: cx.now() };
        see(&organization, &mark).await?;
        Ok(success("Thread marked as seen.", Data(Seen { success: true })))
    }
}

/// Moves the mark of a user in a thread on, with an event; a mark that is there already stays.
async fn see(organization: &OrganizationStore, mark: &SeenMark) -> Result<()> {
    let SeenMark { document_id, annotation_id, user_id, seen_at } = mark.clone();
    let id = (document_id.clone(), user_id.clone(), annotation_id.clone());
    let read = Read::Thread { document_id, annotation_id, seen_at };
    let reading = Reading::by(&user_id, organization.id(), read);
    let move_on = |stored: Option<SeenMark>| {
        Ok(match stored {
            Some(stored) if stored.seen_at >= seen_at => Edit::keep(stored),
            _ => Edit::put(mark.clone()).emit(Event::Read(Box::new(reading.clone()))),
        })
    };
    organization.notifications().seen_marks().edit(&id, move_on).await?;
    Ok(())
}
