//! Separate threads for workers, and a bounded share of DynamoDB.
//!
//! In the cloud workers run beside the operations. In one process, hundreds of due deliveries would
//! occupy every thread, and calls would wait until their clients timed out.

use std::{net::Ipv4Addr, sync::Arc};

use tokio::net::TcpListener;

use service::Connections;

use crate::{
    host::{open::Host, transport},
    net::processors,
};

/// Maximum number of worker calls in DynamoDB at a time, for streams and for queues each: the
/// longest wait of a client's call. Further ones wait, each worker and each tenant in its turn.
const STORE_CALLS: usize = 2;
/// Threads for blocking work of workers: disk, and name resolution.
const BLOCKING_THREADS: usize = 64;

/// Runs the tasks of `work` on separate threads, half as many as processors, until the process
/// ends. Their host has its own clients, whose calls wait for each other instead of blocking calls
/// of clients.
pub(crate) fn run<W: Future<Output = ()>>(
    host: Host,
    work: impl FnOnce(Host) -> W + Send + 'static,
) {
    let threads = (processors() / 2).max(1);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("workers")
        .enable_all()
        .build();
    let run = move || match runtime {
        Ok(runtime) => runtime.block_on(async {
            match host.in_background().await {
                Ok(host) => work(host).await,
                Err(error) => tracing::error!(%error, "Workers cannot run."),
            }
        }),
        Err(error) => tracing::error!(%error, "Workers cannot run."),
    };
    std::thread::spawn(run);
}

impl Host {
    /// The deployment for workers, through a separate door.
    async fn in_background(&self) -> std::io::Result<Self> {
        let (own, door) = (&self.environments, self.embedded.shared_door(STORE_CALLS));
        let environments = if own.is_separate() {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let endpoint = format!("http://{}", listener.local_addr()?);
            let session_token = own.config().aws.session_token.clone();
            tokio::spawn(async move { door.serve(listener, session_token).await });
            own.by(Some(endpoint), Connections::default())
        } else {
            own.by(None, transport::through(door))
        };
        Ok(Self { environments: Arc::new(environments), ..self.clone() })
    }
}
