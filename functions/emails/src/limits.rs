//! Limits of mails: by address, and by day. End users share a part of the mails of a day, so that
//! those of the tenant's server are sent (decision 85).

use std::collections::BTreeSet;

use model::{Email, Millis, UserId};
use notification::{RowKey, Rows, Slots};
use service::{Job, Result};

use crate::row;

/// Each end user may cause this part of the mails of a day, and this part is only for the server.
const PART: u64 = 10;
/// The counter of an account.
const MAILS: &str = "mails";

/// Takes a slot among the mails to an address; returns its time, none when those of a day are taken.
pub(crate) async fn slot(job: &Job, to: &Email) -> Result<Option<Millis>> {
    let key = RowKey::Slots { address: to.as_str().to_lowercase() };
    let (now, mut at) = (Rows::now(job), None);
    row::change(job, &key, |known: Option<Slots>| {
        let taken = Slots::take(known, now)?;
        at = Some(taken.at);
        Some(taken.slots)
    })
    .await?;
    Ok(at)
}

/// Counts a mail of today; false when the limit of its end users, or of all, is reached.
pub(crate) async fn count(job: &Job, end_users: BTreeSet<&UserId>) -> Result<bool> {
    let (account, max) = (job.tenant().account(), job.mails_per_day());
    let Some(limit) = max.filter(|_| !end_users.is_empty()) else {
        return account.try_count_today(MAILS, None, max).await;
    };
    for user in end_users {
        if account.try_count_today(MAILS, Some(user), Some((limit / PART).max(1))).await? {
            return account.try_count_today(MAILS, None, Some(limit - limit / PART)).await;
        }
    }
    Ok(false)
}
