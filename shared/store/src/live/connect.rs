//! Registration of connections.

use aws::Value;
use error::Result;

use super::{
    LIFETIME,
    connection::key,
    row::{Protocol, Row},
};
use crate::{
    layout::{EXPIRES, Table},
    scopes::{Store, report},
};

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

impl Store {
    /// Records a connection.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is invalid; UNAVAILABLE.
    pub async fn connect(&self, connected: &Connected<'_>) -> Result<()> {
        let issued = match connected.token {
            Some(token) => {
                let issued = self.issued(token)?;
                self.open_issued(&issued, connected.origin).await?;
                Some(issued)
            }
            None => None,
        };
        let mut row = key(connected.id);
        row.extend(Row::written(connected, issued.as_ref())?);
        let expires = self.db.clock.real().saturating_add(LIFETIME).div_ceil(1000);
        row.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        self.db.dynamo.put(Table::Realtime.name(), row, None).await.map_err(report)
    }
}
