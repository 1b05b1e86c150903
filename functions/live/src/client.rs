//! A connection of the events protocol.

use dialects::control;
use model::{
    OrganizationId,
    live::{LivePart, LivePlace},
};
use rooms::{Connection, Live, Room};
use serde_json::Value;
use service::{EndUser, Error, Result, TenantStore};

use crate::{gone, posting};

/// A connection of the events protocol.
pub(crate) struct Client<'a> {
    pub(crate) live: &'a Live,
    pub(crate) tenant: TenantStore,
    pub(crate) connection: Connection,
}

impl Client<'_> {
    pub(crate) fn user(&self) -> Result<&EndUser> {
        self.tenant.end_user().ok_or_else(|| Error::internal("a client is an end user"))
    }

    pub(crate) async fn send(&self, said: &Value) -> Result<()> {
        self.send_all(std::slice::from_ref(said)).await
    }

    /// Sends messages in order.
    pub(crate) async fn send_all(&self, said: &[Value]) -> Result<()> {
        let frames = vec![(self.connection.id(), said.iter().map(control).collect())];
        gone::forget(self.live, posting::post_or_close(self.live, frames, true).await).await
    }

    /// Subscribes the client, if its user has the right.
    pub(crate) async fn join(&self, place: &LivePlace) -> Result<()> {
        self.connection.role_at(&self.tenant, place).await?;
        let user = &self.user()?.user_id;
        if !self.live.may_join(&self.tenant, user, place) {
            return Err(Error::exhausted("The user subscribes too often."));
        }
        let joined = self.connection.clone().join(&self.tenant, place).await?;
        let admitted = Room::at(&self.tenant, place).admit(joined.id(), user).await;
        if admitted.is_err() {
            joined.leave(place).await?;
        }
        admitted.map(drop)
    }

    /// The notifications of the user.
    pub(crate) fn own(&self, organization_id: OrganizationId) -> Result<LivePlace> {
        let part = LivePart::User { user_id: self.user()?.user_id.clone() };
        Ok(LivePlace { organization_id, part })
    }
}
