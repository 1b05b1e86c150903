//! `POST /v2/notifications/seen`: sets the user's seen mark of a thread to now.
//!
//! A mark never moves backwards. For the tenant's own server the thread need not exist. An end user
//! gets NOT_FOUND for a thread that does not exist, and for one that the user may not see.

use model::{AnnotationId, seen::SeenMark};
use service::{Edit, prelude::*};

pub enum MarkSeen {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
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
        Concerns::new(&self.organization_id, [&self.document_id])
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
        let now = cx.now();
        let organization = cx.organization(&organization_id);
        match cx.tenant().end_user() {
            Some(_) => {
                let thread = (document_id.clone(), annotation_id.clone());
                organization.comments().all().get(&thread).await.map(drop)?;
            }
            None => organization.own_record().record_if_missing().await?,
        }
        let id = (document_id.clone(), user_id.clone(), annotation_id.clone());
        let mark = SeenMark { document_id, annotation_id, user_id, seen_at: now };
        let move_on = |stored: Option<SeenMark>| {
            Ok(match stored {
                Some(stored) if stored.seen_at >= now => Edit::keep(stored),
                _ => Edit::put(mark.clone()),
            })
        };
        organization.notifications().seen_marks().edit(&id, move_on).await?;
        Ok(success("Thread marked as seen.", Data(Seen { success: true })))
    }
}
