//! Publication of claimed activities: the inbox first, then the mails, within their hourly limit
//! (rules N14, N16).

use std::collections::BTreeMap;

use error::{Error, Result};
use futures_util::future::join_all;
use model::{OrganizationId, UserId};

use crate::{
    ATTEMPTS, Change, Channel, Hint, Mail, Notice, PARALLEL, PageRef, Quota, Recipient, RowKey,
    Rows, TenantData,
    mail::quota::CountedMail,
    rows::typed::{TypedRow, load_row, put, read},
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

/// A published notification, as one recipient finds it.
#[derive(Clone, Copy)]
struct PublishedNotice<'a> {
    notice: &'a Notice,
    id: &'a str,
}

/// Rows to write together, and to wake afterwards.
struct OutgoingMail {
    changes: Vec<Change>,
    hints: Vec<Hint>,
}

/// The rest of an hour of mails.
struct RestOfHour {
    /// The generation of the mail that contains it.
    mail: String,
    outgoing: OutgoingMail,
}

/// The mails of a recipient.
struct Mailbox<'a> {
    organization_id: &'a OrganizationId,
    user_id: &'a UserId,
}

impl Mailbox<'_> {
    /// Adds the mail of a notification, once.
    async fn add_mail(
        &self,
        rows: &impl Rows,
        published: PublishedNotice<'_>,
        to: &Recipient,
    ) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let outgoing = self.outgoing(rows, published, to).await?;
            let Some(outgoing) = outgoing else { return Ok(()) };
            if rows.commit(outgoing.changes).await?.is_written() {
                if !outgoing.hints.is_empty() {
                    // The sweep finds the mail as well.
                    let _ = rows.wake(outgoing.hints).await;
                }
                return Ok(());
            }
        }
        Err(Error::aborted())
    }

    /// The rows of a mail; none when there is no mail to add.
    async fn outgoing(
        &self,
        rows: &impl Rows,
        PublishedNotice { notice, id }: PublishedNotice<'_>,
        to: &Recipient,
    ) -> Result<Option<OutgoingMail>> {
        let now = rows.now();
        let Some(mail) = notice.mail(to, id, now) else { return Ok(None) };
        let (key, quota_key) = (self.mail_key(&notice.generation), self.quota_key());
        let mut found = rows.load(&[key.clone(), quota_key.clone()]).await?.into_iter();
        if found.next().flatten().is_some() {
            return Ok(None);
        }
        let known = read::<Quota>(found.next().flatten())?.map(|row| (row.body, row.version));
        let (known, seen) = known.unzip();
        match Quota::count(known, now) {
            CountedMail::Direct(counted) => {
                let hints = vec![Hint { key: key.clone(), at: now }];
                let changes = vec![put(quota_key, &counted, seen)?, put(key, &mail, None)?];
                Ok(Some(OutgoingMail { changes, hints }))
            }
            CountedMail::Collapsed(hour) => {
                let mut rest = self.rest_of_hour(rows, &mail.pages, hour, seen).await?;
                let collapsed = mail.collapsed(rest.mail, now);
                rest.outgoing.changes.push(put(key, &collapsed, None)?);
                Ok(Some(rest.outgoing))
            }
        }
    }

    /// Adds events to the collapsed mail of the hour.
    async fn rest_of_hour(
        &self,
        rows: &impl Rows,
        pages: &[PageRef],
        hour: Quota,
        seen: Option<String>,
    ) -> Result<RestOfHour> {
        if let Some(open) = &hour.rest
            && let Some(TypedRow { body, version }) =
                load_row::<Mail>(rows, &self.mail_key(open)).await?
            && let Some(rest) = body.with_events(pages)
        {
            let changes = vec![put(self.mail_key(open), &rest, Some(version))?];
            let outgoing = OutgoingMail { changes, hints: Vec::new() };
            return Ok(RestOfHour { mail: open.clone(), outgoing });
        }
        let (mail, at) = (rows.new_id(), hour.closes_at());
        let rest = Mail::new(mail.clone(), pages.to_vec(), at);
        let hour = Quota { rest: Some(mail.clone()), ..hour };
        let key = self.mail_key(&mail);
        let changes = vec![put(self.quota_key(), &hour, seen)?, put(key.clone(), &rest, None)?];
        let outgoing = OutgoingMail { changes, hints: vec![Hint { key, at }] };
        Ok(RestOfHour { mail, outgoing })
    }

    fn mail_key(&self, generation: &str) -> RowKey {
        RowKey::Mail {
            organization_id: self.organization_id.clone(),
            user_id: self.user_id.clone(),
            generation: generation.to_owned(),
        }
    }

    fn quota_key(&self) -> RowKey {
        let (organization_id, user_id) = (self.organization_id.clone(), self.user_id.clone());
        RowKey::Quota { organization_id, user_id }
    }
}
