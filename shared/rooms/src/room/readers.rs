//! What connections may have read in a place that is deleted and made anew under the same name.

use aws::{Update, Value};
use error::Result;
use model::Millis;
use tenancy::{layout::item, prelude::*};

use super::Room;
use crate::{LIFETIME, connection::Connection, member::Member};

impl Room {
    /// Whether a connection may have read the place up to that time, in epoch milliseconds. What it sent
    /// may be handled after it has left, and its row is gone: then it may have since it opened. No row is
    /// read for a time before which none has opened that is still there.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn may_have_been_read(&self, connection: &Connection, at: Millis) -> Result<bool> {
        let now = self.organization.tenant().db().clock().real().millis();
        if connection.opened_after(at) || now.saturating_sub(at) > LIFETIME {
            return Ok(false);
        }
        let member = self.member(connection.id()).await?;
        Ok(member.is_none_or(|member| member.unread || member.joined <= at))
    }

    /// Notes that a member reads the place, and goes on from that.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn note_read(&self, member: &Member) -> Result<()> {
        let update = Update {
            expression: "SET #unread = :false".to_owned(),
            condition: Some(format!("attribute_exists({})", item::PK)),
            names: [("#unread".to_owned(), "unread".to_owned())].into(),
            values: [(":false".to_owned(), Value::Bool(false))].into(),
        };
        self.update(member, update).await.map(drop)
    }
}
