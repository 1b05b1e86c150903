//! Publication of claimed activities (rules N14, N16).

use std::collections::BTreeMap;

use error::{Error, Result};
use futures_util::future::join_all;
use model::UserId;

use crate::{
    Channel, Notice, PARALLEL, Recipient, Rows, TenantData,
    outgoing::{Mailbox, PublishedNotice},
};

/// Publishes notifications; each mail becomes a row. Returns the ids under which the recipients
/// find them.
pub(crate) async fn publish(
    rows: &impl Rows,
    tenant: &impl TenantData,
    notices: &[Notice],
) -> Result<BTreeMap<UserId, String>> {
    let mut ids = BTreeMap::new();
    for notice in notices {
        let published = tenant.publish(notice).await?;
        if published.len() != notice.recipients.len() {
            return Err(Error::internal("not every recipient of a notification has it"));
        }
        ids.extend(notice.users().cloned().zip(published));
        let id = |user| ids.get(user).map_or(notice.id.as_str(), String::as_str);
        let with_mail = |to: &&Recipient| to.on(Channel::Email).next().is_some();
        let recipients: Vec<&Recipient> = notice.recipients.iter().filter(with_mail).collect();
        for some in recipients.chunks(PARALLEL) {
            let mails = some.iter().map(|to| {
                let mailbox =
                    Mailbox { organization_id: &notice.organization_id, user_id: &to.user_id };
                let published = PublishedNotice { notice, id: id(&to.user_id) };
                async move { mailbox.add_mail(rows, published, to).await }
            });
            join_all(mails).await.into_iter().collect::<Result<()>>()?;
        }
    }
    Ok(ids)
}
