//! The mail that goes with a notification: one of its own, or a part of the one that tells of the
//! rest of an hour.

use error::Result;
use model::{Millis, OrganizationId, UserId};

use crate::{
    Change, Mail, Notice, Quota, RowKey, Rows,
    typed::{Read, load_one, put, read},
};

/// What is to be written together with the end of a digest, and woken after that.
#[derive(Default)]
pub(crate) struct Post {
    pub(crate) changes: Vec<Change>,
    pub(crate) hints: Vec<(RowKey, Millis)>,
}

/// Whose mails they are.
pub(crate) struct Mailbox<'a> {
    pub(crate) organization_id: &'a OrganizationId,
    pub(crate) user_id: &'a UserId,
}

impl Mailbox<'_> {
    /// The mail that goes with a notification, unless there is one: of an event that was offered
    /// again after two weeks during which no mail could be sent.
    pub(crate) async fn post(
        &self,
        rows: &impl Rows,
        generation: &str,
        notice: &Notice,
    ) -> Result<Post> {
        let now = rows.now();
        let Some(mail) = notice.mail(now) else { return Ok(Post::default()) };
        let (key, quota_key) = (self.mail(generation), self.quota());
        let mut found = rows.load(&[key.clone(), quota_key.clone()]).await?.into_iter();
        if found.next().flatten().is_some() {
            return Ok(Post::default());
        }
        let known = read::<Quota>(found.next().flatten())?.map(|it| (it.body, it.version));
        let (known, seen) = known.unzip();
        match Quota::count(known, now) {
            Ok(counted) => {
                let hints = vec![(key.clone(), now)];
                let changes = vec![put(quota_key, &counted, seen)?, put(key, &mail, None)?];
                Ok(Post { changes, hints })
            }
            Err(hour) => {
                let (rest, mut post) = self.rest(rows, &mail.event_ids, hour, seen).await?;
                post.changes.push(put(key, &mail.collapsed(rest, now), None)?);
                Ok(post)
            }
        }
    }

    /// Events join the mail of the rest; which one that is, and what is to be written.
    async fn rest(
        &self,
        rows: &impl Rows,
        event_ids: &[String],
        hour: Quota,
        seen: Option<String>,
    ) -> Result<(String, Post)> {
        if let Some(open) = &hour.rest
            && let Some(Read { body, version }) = load_one::<Mail>(rows, &self.mail(open)).await?
            && let Some(rest) = body.joined_by(event_ids)
        {
            let changes = vec![put(self.mail(open), &rest, Some(version))?];
            return Ok((open.clone(), Post { changes, hints: Vec::new() }));
        }
        let (id, at) = (rows.new_id(), hour.closes_at());
        let rest = Mail::new(id.clone(), event_ids.to_vec(), at);
        let hour = Quota { rest: Some(id.clone()), ..hour };
        let changes = vec![put(self.quota(), &hour, seen)?, put(self.mail(&id), &rest, None)?];
        let hints = vec![(self.mail(&id), at)];
        Ok((id, Post { changes, hints }))
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
