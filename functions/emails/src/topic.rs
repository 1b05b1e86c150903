//! The document name in the subject of a thread: the same in every mail to one recipient.

use model::notice::Contents;
use notification::{RowKey, Topic};
use service::{Job, Result};

use crate::row;

/// The document name for a mail about a single thread; none for other mails.
pub(crate) async fn of(job: &Job, contents: &Contents) -> Result<Option<String>> {
    let [only] = contents.entries.as_slice() else { return Ok(None) };
    let Some(annotation_id) = only.annotation_id.clone().filter(|_| only.own.is_none()) else {
        return Ok(None);
    };
    let key = RowKey::Topic {
        organization_id: contents.organization_id.clone(),
        user_id: contents.recipient.user_id.clone(),
        document_id: only.document_id.clone(),
        annotation_id,
    };
    let topic = Topic { document_name: only.document_name.clone(), at: contents.at };
    let mut name = None;
    row::change(job, &key, |known: Option<Topic>| {
        let is_new = known.is_none();
        name = Some(known.unwrap_or_else(|| topic.clone()).document_name);
        is_new.then(|| topic.clone())
    })
    .await?;
    Ok(name)
}
