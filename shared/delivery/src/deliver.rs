//! The last check of a digest, and its way out (rules N13, N14, N16).

use error::{Error, Result};
use model::{OrganizationId, UserId};

use crate::{
    ATTEMPTS, Activity, ActivityState, Digest, DigestState, RowKey, Rows, SeenCheck, World,
    post::{Mailbox, Post},
    typed::{Read, load_one, put, read},
};

/// Wakes a digest.
pub(crate) async fn deliver(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    let RowKey::Digest { organization_id, user_id, .. } = key else {
        return Err(Error::internal("not the key of a digest"));
    };
    let to = Recipient { key, organization_id, user_id };
    for _ in 0..ATTEMPTS {
        let Some(digest) = load_one::<Digest>(rows, key).await? else { return Ok(()) };
        match digest.body.state {
            DigestState::Ready { .. } => {
                // Claimed or not: what is there now says how to go on.
                to.claim(rows, world, digest).await?;
            }
            DigestState::Claimed { .. } => {
                if to.publish(rows, world, digest).await? {
                    return Ok(());
                }
            }
            DigestState::Done { .. } => return Ok(()),
        }
    }
    Err(Error::aborted())
}

struct Recipient<'a> {
    key: &'a RowKey,
    organization_id: &'a OrganizationId,
    user_id: &'a UserId,
}

impl Recipient<'_> {
    /// Makes the activities whose fate is open those of this digest, and of no other. One commit:
    /// another scope that holds some of them either sees all of that or has been faster.
    async fn claim(
        &self,
        rows: &impl Rows,
        world: &impl World,
        digest: Read<Digest>,
    ) -> Result<bool> {
        let mut activities = self.activities(rows, &digest.body.ids).await?;
        activities.retain(|activity| activity.body.is_pending());
        let (bodies, versions): (Vec<Activity>, Vec<(RowKey, String)>) = activities
            .into_iter()
            .map(|Read { body, version }| (body.key(), body, version))
            .map(|(key, body, version)| (body, (key, version)))
            .unzip();
        let verdicts = match bodies.as_slice() {
            [] => Vec::new(),
            some => {
                let (organization, user) = (self.organization_id, self.user_id);
                world.verdicts(organization, user, some, SeenCheck::Counts).await?
            }
        };
        if verdicts.len() != bodies.len() {
            return Err(Error::internal("another number of verdicts than of activities"));
        }
        let judged = bodies.into_iter().zip(verdicts).collect();
        let (claimed, decided) = digest.body.claim(judged, rows.now());
        let mut changes = vec![put(self.key.clone(), &claimed, Some(digest.version))?];
        for activity in decided {
            let key = activity.key();
            let seen = versions.iter().find(|(it, _)| *it == key).map(|(_, seen)| seen.clone());
            changes.push(put(key, &activity, seen)?);
        }
        rows.commit(changes).await
    }

    /// Publishes what is claimed; the mail becomes a row with a life of its own.
    async fn publish(
        &self,
        rows: &impl Rows,
        world: &impl World,
        digest: Read<Digest>,
    ) -> Result<bool> {
        let DigestState::Claimed { keep, .. } = &digest.body.state else { return Ok(false) };
        let activities = self.activities(rows, keep).await?;
        let own = |activity: &Activity| match &activity.state {
            ActivityState::Delivered { generation, .. } => *generation == digest.body.generation,
            _ => false,
        };
        let own: Vec<Activity> = activities.into_iter().map(|it| it.body).filter(own).collect();
        let notice = digest.body.notice(self.organization_id, self.user_id, own);
        let mut post = Post::default();
        if let Some(notice) = &notice {
            world.publish(notice).await?;
            let mailbox = Mailbox { organization_id: self.organization_id, user_id: self.user_id };
            post = mailbox.post(rows, &digest.body.generation, notice).await?;
        }
        let done = digest.body.done(rows.now());
        let mut changes = vec![put(self.key.clone(), &done, Some(digest.version))?];
        changes.extend(post.changes);
        let is_done = rows.commit(changes).await?;
        if is_done && !post.hints.is_empty() {
            // The sweep finds the mail, too.
            let _ = rows.wake(post.hints).await;
        }
        Ok(is_done)
    }

    /// Those of its activities that are there, in that order.
    async fn activities(&self, rows: &impl Rows, ids: &[String]) -> Result<Vec<Read<Activity>>> {
        let key = |id: &String| RowKey::Activity {
            organization_id: self.organization_id.clone(),
            user_id: self.user_id.clone(),
            event_id: id.clone(),
        };
        let keys: Vec<RowKey> = ids.iter().map(key).collect();
        let mut activities = Vec::new();
        if !keys.is_empty() {
            for stored in rows.load(&keys).await? {
                activities.extend(read::<Activity>(stored)?);
            }
        }
        Ok(activities)
    }
}
