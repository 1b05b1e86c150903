//! A connection of the events protocol.

use dialects::control;
use model::live::LivePlace;
use rooms::{Connection, Live, Room};
use serde_json::Value;
use service::{EndUser, TenantStore, prelude::*};

use crate::{
    departures,
    frames::{self, AddressedFrames},
    place::notifications_place,
    posting,
};

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

    pub(crate) async fn send(&self, message: &Value) -> Result<()> {
        self.send_all(std::slice::from_ref(message)).await
    }

    /// Sends messages in order.
    pub(crate) async fn send_all(&self, messages: &[Value]) -> Result<()> {
        let frames = frames::shared(messages.iter().map(control).collect());
        let addressed = vec![AddressedFrames { connection_id: self.connection.id(), frames }];
        departures::forget(self.live, posting::post_or_close(self.live, addressed).await).await
    }

    /// Subscribes the client, if its user has the right.
    pub(crate) async fn subscribe(&self, place: &LivePlace) -> Result<()> {
        self.connection.role_at(&self.tenant, place).await?;
        let user = &self.user()?.user_id;
        if !self.live.may_join(&self.tenant, user, place) {
            return Err(Error::exhausted("The user subscribes too often."));
        }
        let (joined, _) = self.connection.clone().join(&self.tenant, place, false).await?;
        let admitted = Room::at(&self.tenant, place).admit(joined.id(), user).await;
        if admitted.is_err() {
            joined.leave(place).await?;
        }
        admitted.map(drop)
    }

    /// The place of the user's notifications.
    pub(crate) fn notifications(&self, organization_id: OrganizationId) -> Result<LivePlace> {
        Ok(notifications_place(organization_id, self.user()?.user_id.clone()))
    }
}
