//! `POST /v2/users/delete`: replies with one entry per user.
//!
//! A user who leaves the organization leaves its documents, folders and groups, too, in the
//! background. A user who leaves a document or a folder leaves nothing else. Rights of the user in
//! tokens that were issued before end, too: all in the organization, or those in the document or
//! folder. They end at once for later calls, and within ten seconds on connections of the live
//! channel (contract `access.removal`).
//!
//! # Errors
//! - An entry fails when its user does not exist.

use std::collections::BTreeSet;

use model::FolderId;
use service::prelude::*;

use crate::level::level;

pub enum DeleteUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Removes them only from this document.
    document_id: Option<DocumentId>,
    /// Removes them only from this folder.
    folder_id: Option<FolderId>,
    user_ids: Batch<UserId>,
}

impl Operation for DeleteUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/delete", "/v1/users/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<UserId, Outcome>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let level = level(request.document_id, request.folder_id)?;
        let distinct: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let ids: Vec<UserId> = distinct.into_iter().collect();
        let organization = cx.organization(&request.organization_id);
        // The record of a departure names the user.
        organization.own_record().record_if_missing().await?;
        let results = organization.users().remove(&level, &ids).await;
        let entries = entries(ids.into_iter().zip(results), "User removed.");
        Ok(success("Users deleted.", Data(entries)))
    }
}
