//! Mails of notifications, and their hourly limit.

use error::{Error, Result};
use model::{OrganizationId, UserId};

use crate::{
    ATTEMPTS, Change, Mail, Notice, PageRef, Quota, Recipient, RowKey, Rows,
    typed::{Read, load_one, put, read},
};

/// Rows to write together, and to wake afterwards.
struct Outgoing {
    changes: Vec<Change>,
    hints: Vec<(RowKey, model::Millis)>,
}

/// The recipient.
pub(crate) struct Mailbox<'a> {
    pub(crate) organization_id: &'a OrganizationId,
    pub(crate) user_id: &'a UserId,
}

impl Mailbox<'_> {
    /// The mail of a notification, once.
    pub(crate) async fn take(
        &self,
        rows: &impl Rows,
        (notice, published): (&Notice, &str),
        to: &Recipient,
    ) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let outgoing = self.outgoing(rows, (notice, published), to).await?;
            let Some(outgoing) = outgoing else { return Ok(()) };
            if rows.commit(outgoing.changes).await?.is_some() {
                if !outgoing.hints.is_empty() {
                    // The sweep finds the mail as well.
                    let _ = rows.wake(outgoing.hints).await;
                }
                return Ok(());
            }
        }
        Err(Error::aborted())
    }

    async fn outgoing(
        &self,
        rows: &impl Rows,
        (notice, published): (&Notice, &str),
        to: &Recipient,
    ) -> Result<Option<Outgoing>> {
        let now = rows.now();
        let Some(mail) = notice.mail(to, published, now) else { return Ok(None) };
        let (key, quota_key) = (self.mail(&notice.generation), self.quota());
        let mut found = rows.load(&[key.clone(), quota_key.clone()]).await?.into_iter();
        if found.next().flatten().is_some() {
            return Ok(None);
        }
        let known = read::<Quota>(found.next().flatten())?.map(|it| (it.body, it.version));
        let (known, seen) = known.unzip();
        match Quota::count(known, now) {
            Ok(counted) => {
                let hints = vec![(key.clone(), now)];
                let changes = vec![put(quota_key, &counted, seen)?, put(key, &mail, None)?];
                Ok(Some(Outgoing { changes, hints }))
            }
            Err(hour) => {
                let (rest, mut outgoing) = self.rest(rows, &mail.pages, hour, seen).await?;
                outgoing.changes.push(put(key, &mail.collapsed(rest, now), None)?);
                Ok(Some(outgoing))
            }
        }
    }

    /// Adds events to the collapsed mail of the hour; returns that mail, and the rows to write.
    async fn rest(
        &self,
        rows: &impl Rows,
        pages: &[PageRef],
        hour: Quota,
        seen: Option<String>,
    ) -> Result<(String, Outgoing)> {
        if let Some(open) = &hour.rest
            && let Some(Read { body, version }) = load_one::<Mail>(rows, &self.mail(open)).await?
            && let Some(rest) = body.joined_by(pages)
        {
            let changes = vec![put(self.mail(open), &rest, Some(version))?];
            return Ok((open.clone(), Outgoing { changes, hints: Vec::new() }));
        }
        let (id, at) = (rows.new_id(), hour.closes_at());
        let rest = Mail::new(id.clone(), pages.to_vec(), at);
        let hour = Quota { rest: Some(id.clone()), ..hour };
        let changes = vec![put(self.quota(), &hour, seen)?, put(self.mail(&id), &rest, None)?];
        let hints = vec![(self.mail(&id), at)];
        Ok((id, Outgoing { changes, hints }))
    }

    fn mail(&self, generation: &str) -> RowKey {
        RowKey::Mail {
            organization_id: self.organization_id.clone(),
            user_id: self.user_id.clone(),
            generation: generation.to_owned(),
        }
    }

    fn quota(&self) -> RowKey {
        let (organization_id, user_id) = (self.organization_id.clone(), self.user_id.clone());
        RowKey::Quota { organization_id, user_id }
    }
}
