//! Changes of an endpoint, by its owner or by the outcome of a delivery.

use error::{Error, Result};
use model::{
    EndpointId,
    event::{EndpointChange, Event},
    revision::Revision,
    webhook_endpoint::DisableReason,
};
use tenancy::{
    layout::{Entity, item},
    prelude::*,
    scopes::{ATTEMPTS, back_off},
    writing::Unit,
};

use super::Webhooks;
use crate::types::WebhookEndpoint;

impl Webhooks<'_> {
    /// Changes an endpoint; retries after a concurrent change.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND; ABORTED; the errors of `change`.
    pub async fn change_endpoint(
        self,
        id: &EndpointId,
        mut change: impl FnMut(&mut WebhookEndpoint) -> Result<()> + Send,
    ) -> Result<WebhookEndpoint> {
        let endpoints = self.endpoints();
        for attempt in 0..ATTEMPTS {
            let item = self.endpoint_item(id).await?;
            let seen = item::version(&item)?;
            let was = endpoints.rows().decode(item)?;
            let mut endpoint = was.clone();
            change(&mut endpoint)?;
            if self
                .0
                .db()
                .commit(self.changed_endpoint(&mut endpoint, &was, &seen)?)
                .await
                .was_executed()?
            {
                return Ok(endpoint);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The write of a changed endpoint with its event. An enabled endpoint and a new URL start with
    /// a clean state, because the old failures would disable them at once.
    fn changed_endpoint(
        self,
        endpoint: &mut WebhookEndpoint,
        was: &WebhookEndpoint,
        seen: &str,
    ) -> Result<Unit> {
        endpoint.remember(was, self.0.now());
        let mut reason = None;
        if !endpoint.disabled {
            (endpoint.disabled_reason, endpoint.disabled_at) = (None, None);
        } else if !was.disabled {
            endpoint.disabled_at = Some(self.0.now());
            reason = Some(*endpoint.disabled_reason.get_or_insert(DisableReason::Manual));
        }
        let change = reason.map_or(EndpointChange::Updated, |_| EndpointChange::Disabled);
        let (is_revised, is_moved) =
            (endpoint.revision != was.revision, endpoint.revision.url != was.revision.url);
        let is_enabled = was.disabled && !endpoint.disabled;
        let emitted = Event::EndpointChanged {
            endpoint_id: endpoint.id.clone(),
            change,
            reason,
            percent: None,
            // Changes made while it was disabled have not reached the deliveries.
            revision: (is_revised || is_enabled).then_some(endpoint.revision),
        };
        let mut unit = self.endpoints().rows().changed(endpoint, seen, Some(emitted))?;
        if is_moved || is_enabled {
            unit.writes_mut().push(self.reset_state(&endpoint.id, endpoint.revision)?);
        }
        Ok(unit)
    }

    /// Disables an endpoint, unless it is missing or disabled. False, without a change, when its
    /// URL is not the one of the revision.
    ///
    /// # Errors
    /// ABORTED.
    pub async fn disable_endpoint(
        self,
        id: &EndpointId,
        reason: DisableReason,
        revision: Revision,
    ) -> Result<bool> {
        let endpoints = self.endpoints();
        for attempt in 0..ATTEMPTS {
            let place = WebhookEndpoint::place(id).into_key();
            let found = self.0.db().get(WebhookEndpoint::TABLE, self.0.partition(), &place).await?;
            let Some(item) = found else { return Ok(true) };
            let seen = item::version(&item)?;
            let was = endpoints.rows().decode(item)?;
            if was.revision.url != revision.url {
                return Ok(false);
            }
            if was.disabled {
                return Ok(true);
            }
            let mut endpoint = was.clone();
            (endpoint.disabled, endpoint.disabled_reason) = (true, Some(reason));
            endpoint.updated_at = self.0.now();
            if self
                .0
                .db()
                .commit(self.changed_endpoint(&mut endpoint, &was, &seen)?)
                .await
                .was_executed()?
            {
                return Ok(true);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }
}
