//! Where the figures of the service are served.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use tokio::net::TcpListener;

use super::given;

/// Shortest token of readers.
const MIN_TOKEN: usize = 16;

#[derive(Debug, Args)]
pub(crate) struct MetricsOptions {
    /// Address and port that serve /metrics in the text format of Prometheus, such as
    /// 127.0.0.1:3001. Closed when absent.
    #[arg(long, env, value_name = "ADDRESS:PORT")]
    metrics_listen: Option<SocketAddr>,
    /// File with the token that readers of /metrics send as "Authorization: Bearer TOKEN"; only its
    /// owner may read it. Needed where others than this machine reach the address.
    #[arg(long, env, value_name = "FILE", requires = "metrics_listen")]
    metrics_token_file: Option<PathBuf>,
}

impl MetricsOptions {
    /// The listener and the token, if figures are served.
    ///
    /// # Errors
    /// A sentence: the address cannot be used, or the token is missing, too short or unreadable.
    pub(crate) async fn open(&self) -> Result<Option<(TcpListener, Option<String>)>, String> {
        let Some(address) = self.metrics_listen else { return Ok(None) };
        let token = given(None, self.metrics_token_file.as_deref())?;
        if token.as_ref().is_some_and(|token| token.len() < MIN_TOKEN) {
            return Err("the token of readers of metrics needs 16 characters".to_owned());
        }
        if token.is_none() && !address.ip().is_loopback() {
            return Err(format!("others reach {address}: it needs --metrics-token-file"));
        }
        let listener = TcpListener::bind(address).await;
        let listener =
            listener.map_err(|e| format!("{address} cannot be used for metrics: {e}"))?;
        Ok(Some((listener, token)))
    }
}
