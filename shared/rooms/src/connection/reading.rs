//! Earlier contents that a connection may have read in a place that is deleted and made anew under
//! the same name.

use error::Result;
use model::{Millis, live::LivePlace};
use tenancy::{prelude::*, scopes::TenantStore};

use super::Connection;
use crate::{LIFETIME, room::Room};

impl Connection {
    /// Whether it may have read a place up to that time, in epoch milliseconds. What it sent may be
    /// handled after it has left, and its row is gone: then it may have since it opened. No row is read
    /// for a time before which no connection has opened that is still there.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn may_have_read(
        &self,
        tenant: &TenantStore,
        place: &LivePlace,
        at: Millis,
    ) -> Result<bool> {
        let now = tenant.db().clock().real().millis();
        if self.opened_after(at) || now.saturating_sub(at) > LIFETIME {
            return Ok(false);
        }
        let member = Room::at(tenant, place).member(self.id()).await?;
        Ok(member.is_none_or(|member| member.unread || member.joined <= at))
    }
}
