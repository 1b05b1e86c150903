//! Delivery states of mails: stored in the rows of mails, not of events.

use std::collections::{BTreeMap, BTreeSet};

use error::Result;
use model::trace::{TraceRow, TraceState};
use notification::{Feedback, Mail, MailState, Reason, RowBody, RowKey};

use crate::{notifications::Notifications, prelude::*};

/// Rows read at a time.
const AT_ONCE: usize = 100;

/// Mails by their keys, each with the reason of a bounce.
type Mails = BTreeMap<RowKey, (Mail, Option<Reason>)>;

impl Notifications<'_> {
    /// Sets the state of each event in a mail.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn trace_mails(self, rows: &mut [TraceRow]) -> Result<()> {
        let keys = rows.iter().filter_map(|row| self.mail_of(row));
        let mut mails = self.mails(keys.collect()).await?;
        // A mail above the hourly limit is part of another one.
        let collapsed: BTreeMap<RowKey, RowKey> = mails
            .iter()
            .filter_map(|(key, mail)| Some((key.clone(), replacement(key, mail)?)))
            .collect();
        let rest = self.mails(collapsed.values().cloned().collect()).await?;
        let emitted = |(key, into)| Some((key, rest.get(&into)?.clone()));
        mails.extend(collapsed.into_iter().filter_map(emitted));
        for row in rows {
            let known = self.mail_of(row).and_then(|key| mails.get(&key));
            if let Some((mail, returned)) = known {
                set_state(row, mail, *returned);
            }
        }
        Ok(())
    }

    /// Existing mails, each with the reason of a bounce.
    async fn mails(self, keys: BTreeSet<RowKey>) -> Result<Mails> {
        let keys: Vec<RowKey> = keys.into_iter().collect();
        let mut mails = Mails::new();
        for some in keys.chunks(AT_ONCE) {
            let feedback = |key| RowKey::Feedback { tag: self.0.tenant().schedule().row_tag(key) };
            let feedback: Vec<RowKey> = some.iter().map(feedback).collect();
            let found = self.0.tenant().schedule().load(some).await?.into_iter();
            let emitted = self.0.tenant().schedule().load(&feedback).await?;
            for ((key, mail), emitted) in some.iter().zip(found).zip(emitted) {
                let emitted = emitted.map(|stored| Feedback::from_row(stored.row)).transpose()?;
                if let Some(mail) = mail {
                    let mail = Mail::from_row(mail.row)?;
                    mails.insert(key.clone(), (mail, emitted.and_then(|emitted| emitted.returned)));
                }
            }
        }
        Ok(mails)
    }

    fn mail_of(self, row: &TraceRow) -> Option<RowKey> {
        let (generation, _) = row.mailed.clone()?;
        let (organization_id, user_id) = (self.0.id().clone(), row.user_id.clone()?);
        Some(RowKey::Mail { organization_id, user_id, generation })
    }
}

/// The mail that replaces this one.
fn replacement(key: &RowKey, (mail, _): &(Mail, Option<Reason>)) -> Option<RowKey> {
    let RowKey::Mail { organization_id, user_id, .. } = key.clone() else { return None };
    let MailState::Collapsed { into, .. } = &mail.state else { return None };
    Some(RowKey::Mail { organization_id, user_id, generation: into.clone() })
}

fn set_state(row: &mut TraceRow, mail: &Mail, returned: Option<Reason>) {
    let event = row.mailed.as_ref().map_or("", |(_, event)| event.as_str());
    let withheld = mail.withheld.get(event).copied();
    let (state, reason, due_at) = match &mail.state {
        MailState::Waiting { at } | MailState::Sending { until: at } => {
            (TraceState::Pending, None, Some(*at))
        }
        MailState::Dropped { reason, .. } => {
            (TraceState::Dropped, withheld.or(Some(*reason)), None)
        }
        MailState::Sent { .. } | MailState::Collapsed { .. } => match withheld.or(returned) {
            Some(reason) => (TraceState::Dropped, Some(reason), None),
            None => return,
        },
    };
    (row.state, row.reason, row.due_at, row.notification_id) = (state, reason, due_at, None);
}
