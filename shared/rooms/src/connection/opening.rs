//! Registration of connections.

use aws::Value;
use error::{Error, Result, Status};
use tenancy::{
    layout::{EXPIRES, Table},
    prelude::*,
    scopes::{Issued, Store, TenantStore, report},
};

use super::{
    Connection,
    row::{ConnectionRow, NewConnection, key},
    unauthenticated,
};
use crate::LIFETIME;

impl Connection {
    /// Records a connection; one without a token is listed for the timer.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is invalid: it is listed, and not recorded. The error of
    /// `admits` for its tenant. UNAVAILABLE.
    pub(crate) async fn open(
        store: &Store,
        connected: &NewConnection<'_>,
        admits: impl FnOnce(&TenantStore) -> Result<()>,
    ) -> Result<()> {
        let issued = match connected.token {
            Some(token) => admitted(store, token, connected.origin, admits).await.map(Some),
            None => Ok(None),
        };
        let is_refused = |error: &Error| error.status == Status::PermissionDenied;
        if issued.as_ref().map_or_else(is_refused, Option::is_none) {
            unauthenticated::list(store, connected.id).await?;
        }
        let (issued, now) = (issued?, store.db().clock().real().millis());
        let mut row = key(connected.id);
        row.extend(ConnectionRow::written(connected, issued.as_ref(), now)?);
        let expires = now.saturating_add(LIFETIME).div_ceil(1000);
        row.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        store.db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }
}

async fn admitted(
    store: &Store,
    token: &str,
    origin: Option<&str>,
    admits: impl FnOnce(&TenantStore) -> Result<()>,
) -> Result<Issued> {
    let issued = store.readmit().issued(token)?;
    admits(&store.readmit().end_user(&issued, origin).await?)?;
    Ok(issued)
}
