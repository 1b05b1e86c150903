//! What became of the mails that tell of events: their rows know it, not those of the events.

use std::collections::BTreeMap;

use delivery::{Body, Feedback, Mail, MailState, Reason, RowKey};
use error::Result;
use model::trace::{TraceRow, TraceState};

use crate::{scope::OrganizationStore, trace_list::name};

/// Rows read at a time.
const AT_ONCE: usize = 100;

impl OrganizationStore {
    /// Says of each event that went into a mail what became of that.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn trace_mails(&self, rows: &mut [TraceRow]) -> Result<()> {
        let keys = rows.iter().filter_map(|row| self.mail_of(row));
        let mut mails: BTreeMap<RowKey, (Option<Mail>, Option<Reason>)> =
            keys.map(|key| (key, (None, None))).collect();
        let keys: Vec<RowKey> = mails.keys().cloned().collect();
        for some in keys.chunks(AT_ONCE) {
            let feedback = |key| RowKey::Feedback { tag: self.tenant.row_tag(key) };
            let feedback: Vec<RowKey> = some.iter().map(feedback).collect();
            let found = self.tenant.load_rows(some).await?.into_iter();
            let told = self.tenant.load_rows(&feedback).await?;
            for ((key, mail), told) in some.iter().zip(found).zip(told) {
                let mail = mail.map(|it| Mail::from_row(it.row)).transpose()?;
                let told = told.map(|it| Feedback::from_row(it.row)).transpose()?;
                mails.insert(key.clone(), (mail, told.and_then(|told| told.returned)));
            }
        }
        for row in rows {
            let known = self.mail_of(row).and_then(|key| mails.get(&key));
            if let Some((Some(mail), returned)) = known {
                tell(row, mail, returned.as_ref());
            }
        }
        Ok(())
    }

    fn mail_of(&self, row: &TraceRow) -> Option<RowKey> {
        let (generation, _) = row.mailed.clone()?;
        let (organization_id, user_id) = (self.id.clone(), row.user_id.clone()?);
        Some(RowKey::Mail { organization_id, user_id, generation })
    }
}

fn tell(row: &mut TraceRow, mail: &Mail, returned: Option<&Reason>) {
    let event = row.mailed.as_ref().map_or("", |(_, event)| event.as_str());
    let withheld = mail.withheld.get(event).map(name);
    let (state, reason, due_at) = match &mail.state {
        MailState::Waiting { at } | MailState::Sending { until: at } => {
            (TraceState::Pending, None, Some(*at))
        }
        MailState::Dropped { reason, .. } => {
            (TraceState::Dropped, withheld.or_else(|| Some(reason.clone())), None)
        }
        MailState::Sent { .. } => match withheld.or_else(|| returned.map(name)) {
            Some(reason) => (TraceState::Dropped, Some(reason), None),
            None => return,
        },
    };
    (row.state, row.reason, row.due_at, row.notification_id) = (state, reason, due_at, None);
}
