//! `POST /v2/presence/update`: changes presence records.
//!
//! A member that is left out keeps its value. A user without a record is added. Changes of the same
//! user are merged in order. A record expires 24 hours after its last write.

use model::presence::SentPresence;
use service::prelude::*;

use crate::{add::Request, views::Done};

pub enum UpdatePresence {}

impl Operation for UpdatePresence {
    const PATHS: &'static [&'static str] = &["/v2/presence/update"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, users } = request;
        let mut changes: Items<UserId, SentPresence> = Items::new();
        for sent in users {
            match changes.get_mut(&sent.user_id) {
                Some(earlier) => earlier.merge(sent),
                None => drop(changes.insert(sent.user_id.clone(), sent)),
            }
        }
        let changes: Vec<SentPresence> = changes.into_values().collect();
        let organization = cx.organization(&organization_id);
        organization.own_record().record_if_missing().await?;
        organization.presence().update(&document_id, &changes, cx.now()).await?;
        Ok(success("Presence updated.", Data(Done::DONE)))
    }
}
