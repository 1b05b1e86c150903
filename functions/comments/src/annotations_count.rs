//! `POST /v2/commentannotations/count/get`: counts by document.
//!
//! Only threads that the user may see are counted. A thread is unread when its latest comment is by
//! another user and newer than the user's seen mark.

use model::{Text, UpTo};
use service::{each, prelude::*};

pub enum CountAnnotations {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_ids: UpTo<DocumentId, 30>,
    #[end_user(own = Id)]
    user_id: UserId,
    /// Only threads with these statuses.
    #[end_user]
    status_ids: Option<model::AtMost<Text, 30>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CommentAnnotationCount")]
pub struct Count {
    total: u64,
    unread: u64,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, self.document_ids.iter())
    }
}

impl Operation for CountAnnotations {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/count/get", "/v1/commentannotations/count/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<DocumentId, Count>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let documents: std::collections::BTreeSet<DocumentId> =
            request.document_ids.into_iter().collect();
        let statuses = request.status_ids.into();
        organization.comments().look_at(&documents).await?;
        let (organization, statuses, user) = (&organization, &statuses, &request.user_id);
        let counted = each(documents, |document| async move {
            let counted = organization.comments().count(&document, user, statuses).await?;
            Ok((document, Count { total: counted.total, unread: counted.unread }))
        });
        let counts = counted.await.into_iter().collect::<Result<_>>()?;
        Ok(success("Comment annotations counted.", Data(counts)))
    }
}
