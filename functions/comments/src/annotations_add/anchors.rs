//! Anchors of new threads: checked before a thread is stored, and marked after it.

use model::{
    comment::{Anchor, Thread},
    visibility::Visibility,
};
use service::{
    OrganizationStore, Status,
    prelude::*,
    store::{comments::Comments, editors::EditorStore},
};

use crate::{one_write::in_one_write, thread::Draft};

/// Maximum number of anchors of a call: each reads an editor as a whole.
const MAX_ANCHORS: usize = 4;

/// The shared editors of the document, and what the API key says about marks.
pub(super) struct Anchors<'a> {
    cx: &'a Cx<ApiKey>,
    editors: EditorStore,
}

/// Refuses requests with positions that say nothing, or with too many anchors.
///
/// # Errors
/// INVALID_ARGUMENT with the member named.
pub(super) fn check_sent(drafts: &[Draft]) -> Result<()> {
    let mut count = 0;
    for draft in drafts {
        let Some(anchor) = draft.anchor() else { continue };
        let position = draft.position().to_string();
        let refused = |member: &str, refusal: &str| {
            issue(&["commentAnnotations", &position, "anchor", member], refusal)
        };
        anchor.from.check().map_err(|refusal| refused("from", refusal))?;
        anchor.to.check().map_err(|refusal| refused("to", refusal))?;
        count += 1;
        if count > MAX_ANCHORS {
            return Err(Error::invalid("A call has at most 4 anchors."));
        }
    }
    Ok(())
}

impl<'a> Anchors<'a> {
    pub(super) fn new(
        cx: &'a Cx<ApiKey>,
        organization: &OrganizationStore,
        document: &DocumentId,
    ) -> Self {
        Self { cx, editors: organization.editors().of(document) }
    }

    /// Checks that the mark of a thread may and can be written.
    ///
    /// # Errors
    /// PERMISSION_DENIED when the API key does not name the mark; INVALID_ARGUMENT when the thread
    /// is private, or the range is not there.
    pub(super) async fn check(&self, draft: &Draft) -> Result<()> {
        let Some(anchor) = draft.anchor() else { return Ok(()) };
        let named = &self.cx.tenant().api_key().settings.anchor_mark;
        if named.is_none() || anchor.mark != *named {
            return Err(Error::denied("The API key does not name this mark (anchorMark)."));
        }
        if draft.is_private() {
            // Everybody who sees the document would see where the thread is.
            return Err(Error::invalid("A private thread has no anchor."));
        }
        editing::check_mark(&self.editors, anchor, &draft.id).await
    }

    /// Writes the mark of a thread that was added, and returns the numbers of its comments. A thread
    /// that was there already may be that of a call that was interrupted before it wrote the mark.
    ///
    /// # Errors
    /// `added`, unless it is completed; UNAVAILABLE, ABORTED, RESOURCE_EXHAUSTED when the mark is not
    /// written: the thread is put_if_document_exists, and a repetition of the call writes the mark.
    pub(super) async fn finish(
        &self,
        annotations: &Comments<'_>,
        document: &DocumentId,
        draft: &Draft,
        added: Result<Vec<u64>>,
    ) -> Result<Vec<u64>> {
        let Some(anchor) = draft.anchor() else { return added };
        let numbers = match added {
            Err(error) if error.status == Status::AlreadyExists => {
                let own = self.interrupted(annotations, document, draft, anchor).await?;
                let Some(numbers) = own else { return Err(error) };
                return match editing::write_mark(&self.editors, anchor, &draft.id).await {
                    Ok(true) => Ok(numbers),
                    Err(other) if other.status != Status::InvalidArgument => Err(other),
                    _ => Err(error),
                };
            }
            added => added?,
        };
        match editing::write_mark(&self.editors, anchor, &draft.id).await {
            // The text was deleted meanwhile, as it may be at any time.
            Err(error) if error.status == Status::InvalidArgument => Ok(numbers),
            Err(error) => Err(error),
            Ok(_) => Ok(numbers),
        }
    }

    /// The numbers of comments of a stored thread that the same call may have added.
    async fn interrupted(
        &self,
        annotations: &Comments<'_>,
        document: &DocumentId,
        draft: &Draft,
        anchor: &Anchor,
    ) -> Result<Option<Vec<u64>>> {
        let thread = annotations.all().find(&(document.clone(), draft.id.clone())).await?;
        let author = draft.comments().next().map(|first| &first.from.user_id);
        let is_same = |it: &Thread| {
            it.anchor.as_ref() == Some(anchor)
                && author == Some(&it.from.user_id)
                && it.visibility == Visibility::default()
                // More comments are completed by the thread itself.
                && draft.comments().count() == in_one_write(draft.comments())
        };
        let numbers = |it: Thread| it.comments.iter().map(|one| one.comment_id).collect();
        Ok(thread.filter(is_same).map(numbers))
    }
}
