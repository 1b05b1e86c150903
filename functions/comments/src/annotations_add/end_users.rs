//! Members that end users may send with new threads.

use service::prelude::*;

use super::Request;

impl EndUserRequest for Request {
    const RULES: EndUsers = EndUsers::commenting(
        "organizationId documentId commentAnnotations.annotationId \
         commentAnnotations.location commentAnnotations.anchor \
         commentAnnotations.targetElement \
         commentAnnotations.context commentAnnotations.visibility \
         commentAnnotations.pageInfo commentAnnotations.commentData.commentText \
         commentAnnotations.commentData.commentHtml \
         commentAnnotations.commentData.context commentAnnotations.commentData.from \
         commentAnnotations.commentData.taggedUserContacts \
         commentAnnotations.commentData.attachments \
         commentAnnotations.commentData.triggerNotification \
         commentAnnotations.commentData.triggerActivities",
    )
    .speaking_as(&[
        Own::Person("commentAnnotations.commentData.from"),
        Own::Ignored("commentAnnotations.commentData.taggedUserContacts.contact.email"),
    ]);

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}
