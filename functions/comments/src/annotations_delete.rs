//! `POST /v2/commentannotations/delete`: replies with one entry per thread.
//!
//! Without `annotationIds`, the call deletes every thread of the document that the other filters
//! match.
//!
//! An end user names threads, and deletes those that the user began and in which nobody else
//! commented.
//!
//! Without `organizationId`, it is the only organization that has the document.
//!
//! # Errors
//! - NOT_FOUND: no organization is named, and none has the document.
//! - INVALID_ARGUMENT: no organization is named, and several have the document.
//! - NOT_FOUND: threads are selected by agent while advanced queries are switched off.
//! - An entry fails when its thread does not exist, or an end user may not delete it.

use model::{
    AnnotationId, Text, UpTo,
    comment::{AgentFilter, Thread, ThreadEvent, ThreadFilter},
    event::EventType,
    user::Person,
};
use service::{Edit, prelude::*};

use crate::{
    permissions::refuse_thread_with_others,
    publish::{Publisher, Triggers},
    selection::Selection,
};

pub enum DeleteAnnotations {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The organization; not required of a server if only one has the document.
    #[end_user]
    organization_id: Option<OrganizationId>,
    #[end_user]
    document_id: DocumentId,
    #[end_user(one_of)]
    annotation_ids: Option<UpTo<AnnotationId, 30>>,
    location_ids: Option<UpTo<Text, 30>>,
    /// Only threads of these authors.
    user_ids: Option<UpTo<UserId, 30>>,
    /// Only threads of this agent.
    agent_id: Option<Text>,
    /// Only suggestions of agents.
    agent_suggestions: Option<bool>,
    /// Only threads of agents that visited one of these pages.
    agent_urls: Option<UpTo<String, 30>>,
    /// The user who deletes them.
    #[end_user(own = Person)]
    from: Option<Person>,
    /// Whether to notify people; webhooks are always sent.
    #[end_user]
    trigger_notification: Option<bool>,
    /// Whether to write activity records.
    #[end_user]
    trigger_activities: Option<bool>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(self.organization_id.as_ref(), [&self.document_id])
    }
}

impl Operation for DeleteAnnotations {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/delete", "/v1/commentannotations/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<AnnotationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let filter = request.filter();
        if !filter.agent.is_empty() && !cx.tenant().api_key().settings.features.advanced_queries {
            let message =
                "Filters by agent need advanced queries, which are switched off for this API key.";
            return Err(Error::not_found(message));
        }
        let Request { organization_id, document_id, from, .. } = request;
        let organization_id = match organization_id {
            Some(id) => id,
            None => cx.tenant().organizations().having(&document_id).await?,
        };
        let organization = cx.organization(&organization_id);
        let annotations = organization.comments();
        let ids = request.annotation_ids.map(Vec::from);
        let selection = Selection::of(&annotations, document_id, ids, filter).await?;
        let triggers = Triggers::new(request.trigger_notification, request.trigger_activities);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let remove = |thread: Thread| {
            refuse_thread_with_others(&cx, &thread)?;
            let happening = ThreadEvent::new(EventType::AnnotationDelete).by(from.clone());
            Ok(publisher.publish(
                Edit::remove(thread.clone()),
                &thread,
                vec![(happening, triggers)],
            ))
        };
        let results = selection.edit(&annotations, remove).await?;
        let entries = entries(results, "Deleted Successfully");
        Ok(success("Comment annotations deleted.", Data(entries)))
    }
}

impl Request {
    fn filter(&self) -> ThreadFilter {
        let urls = self.agent_urls.clone().map(|urls| urls.into_iter().collect());
        let suggestions = self.agent_suggestions == Some(true);
        let agent = [
            self.agent_id.clone().map(AgentFilter::Id),
            suggestions.then_some(AgentFilter::Suggestions),
            urls.map(AgentFilter::Urls),
        ];
        let locations = self.location_ids.as_ref();
        ThreadFilter {
            locations: locations.map(|ids| ids.iter().map(ToString::to_string)).into(),
            authors: self.user_ids.clone().into(),
            agent: agent.into_iter().flatten().collect(),
            ..ThreadFilter::default()
        }
    }
}
