//! Variables for templates of a provider.

use model::{
    Metadata,
    comment::Comment,
    notice::{Contents, NoticeEntry},
    trigger,
};
use serde_json::json;
use service::{OrganizationStore, prelude::*};

/// Comments read from a thread: the newest, besides the first.
const SHOWN: usize = 3;

/// The variables for a mail about one thread (contract `emails.templates`).
pub(crate) async fn of(
    job: &Job,
    organization: &OrganizationStore,
    contents: &Contents,
) -> Result<Option<Metadata>> {
    let Some(newest) = contents.entries.last() else { return Ok(None) };
    let Some(annotation_id) = newest.annotation_id.clone() else { return Ok(None) };
    let is_same = |entry: &NoticeEntry| {
        entry.annotation_id == newest.annotation_id && entry.document_id == newest.document_id
    };
    if !contents.entries.iter().all(is_same) {
        return Ok(None);
    }
    let thread = (newest.document_id.clone(), annotation_id);
    let annotations = organization.comments();
    let Some(thread) = annotations.all().find(&thread).await? else { return Ok(None) };
    let found = annotations.with_newest(vec![Some(thread)], SHOWN).await?;
    let Some(mut thread) = found.into_iter().flatten().next() else { return Ok(None) };
    if !thread.is_page_vouched() {
        // Nothing else that an end user said of the page: the template may link to it.
        let link = thread.page_link(job.tenant().api_key()).map(str::to_owned);
        thread.page_info = link.map(|url| [("url".to_owned(), json!(url))].into_iter().collect());
    }
    let count = thread.comments_count();
    let document = organization.documents().all().find(&newest.document_id).await?;
    let texts =
        organization.notifications().texts_of(&newest.document_id, &thread.comments).await?;
    let brief = |(comment, comment_text): (&Comment, String)| mail::provider::BriefComment {
        comment_id: comment.comment_id,
        comment_text,
        from: json!(comment.from),
    };
    let comments: Vec<_> = thread.comments.iter().zip(texts).map(brief).collect();
    let mut properties = mail::provider::thread_properties(&comments, count);
    let mut shown = json!(thread.shown(&job.tenant().api_key().id, &contents.organization_id));
    if let Some(members) = shown.as_object_mut() {
        members.remove("comments");
    }
    let metadata = document.map(|document| document.metadata).unwrap_or_default();
    properties.insert("fromUser".to_owned(), json!(newest.actor));
    properties.insert("commentAnnotation".to_owned(), shown);
    let name = newest.kind.name();
    let (_, action) = trigger::camel(name).unwrap_or(("", name));
    properties.insert("actionType".to_owned(), action.into());
    properties.insert("documentMetadata".to_owned(), metadata.into());
    Ok(Some(properties))
}
