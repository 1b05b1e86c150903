//! Mails of notifications, and their hourly limit.

use error::{Error, Result};
use model::{OrganizationId, UserId};

use crate::{
    ATTEMPTS, Change, Hint, Mail, Notice, PageRef, Quota, Recipient, RowKey, Rows,
    quota::CountedMail,
    typed::{TypedRow, load_one, put, read},
};

/// A published notification, as one recipient finds it.
#[derive(Clone, Copy)]
pub(crate) struct PublishedNotice<'a> {
    pub(crate) notice: &'a Notice,
    pub(crate) id: &'a str,
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
pub(crate) struct Mailbox<'a> {
    pub(crate) organization_id: &'a OrganizationId,
    pub(crate) user_id: &'a UserId,
}

impl Mailbox<'_> {
    /// Adds the mail of a notification, once.
    pub(crate) async fn add_mail(
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
                load_one::<Mail>(rows, &self.mail_key(open)).await?
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
