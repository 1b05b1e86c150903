//! Registration of connections.

use aws::Value;
use error::{Error, Result, Status};
use tenancy::{
    layout::{EXPIRES, Table},
    prelude::*,
    scopes::{Issued, TenantStore, report},
};

use super::{
    LIFETIME,
    connection::key,
    row::{Protocol, Row},
};
use crate::features::AllConnections;

/// A connection at `$connect`.
pub struct Connected<'a> {
    /// Its id at API Gateway.
    pub id: &'a str,
    /// Its protocol.
    pub protocol: Protocol,
    /// The requested room.
    pub room: Option<&'a str>,
    /// The origin of the web page.
    pub origin: Option<&'a str>,
    /// The token of its user.
    pub token: Option<&'a str>,
}

impl AllConnections<'_> {
    /// Records a connection; one without a token is listed for the timer.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is invalid: it is listed, and not recorded. The error of
    /// `admits` for its tenant. UNAVAILABLE.
    pub async fn connect(
        self,
        connected: &Connected<'_>,
        admits: impl FnOnce(&TenantStore) -> Result<()>,
    ) -> Result<()> {
        let issued = match connected.token {
            Some(token) => self.admitted(token, connected.origin, admits).await.map(Some),
            None => Ok(None),
        };
        let is_refused = |error: &Error| error.status == Status::PermissionDenied;
        if issued.as_ref().map_or_else(is_refused, Option::is_none) {
            self.note_unauthenticated(connected.id).await?;
        }
        let (issued, now) = (issued?, self.0.db().clock().real().millis());
        let mut row = key(connected.id);
        row.extend(Row::written(connected, issued.as_ref(), now)?);
        let expires = now.saturating_add(LIFETIME).div_ceil(1000);
        row.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        self.0.db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }

    async fn admitted(
        self,
        token: &str,
        origin: Option<&str>,
        admits: impl FnOnce(&TenantStore) -> Result<()>,
    ) -> Result<Issued> {
        let issued = self.0.readmit().issued(token)?;
        admits(&self.0.readmit().end_user(&issued, origin).await?)?;
        Ok(issued)
    }
}
