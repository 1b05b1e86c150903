//! Separate threads for workers, and a bounded share of DynamoDB.
//!
//! In the cloud workers run beside the operations. In one process, hundreds of due deliveries would
//! occupy every thread, and calls would wait until their clients timed out.

use std::{net::Ipv4Addr, sync::Arc};

use tokio::net::TcpListener;

use service::Connections;

use crate::{Inner, Stack, account_limits::processors, transport};

/// Maximum number of worker calls in DynamoDB at a time, for streams and for queues each: the
/// longest wait of a client's call. Further ones wait, each worker and each tenant in its turn.
const STORE_CALLS: usize = 2;
/// Threads for blocking work of workers: disk, and name resolution.
const BLOCKING_THREADS: usize = 64;

/// Runs the tasks of `work` on separate threads, half as many as processors, until the process
/// ends. Its stack has its own clients, whose calls wait for each other instead of blocking calls
/// of clients.
pub(crate) fn run<W: Future<Output = ()>>(
    stack: Stack,
    work: impl FnOnce(Stack) -> W + Send + 'static,
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
            match stack.in_background().await {
                Ok(stack) => work(stack).await,
                Err(error) => tracing::error!(%error, "Workers cannot run."),
            }
        }),
        Err(error) => tracing::error!(%error, "Workers cannot run."),
    };
    std::thread::spawn(run);
}

impl Stack {
    /// The deployment for workers, through a separate door.
    async fn in_background(&self) -> std::io::Result<Self> {
        let (inner, door) = (&self.inner, self.emulator().shared_door(STORE_CALLS));
        let environments = if inner.environments.is_separate() {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let endpoint = format!("http://{}", listener.local_addr()?);
            let session_token = inner.environments.config().aws.session_token.clone();
            tokio::spawn(async move { door.serve(listener, session_token).await });
            inner.environments.by(Some(endpoint), Connections::default())
        } else {
            inner.environments.by(None, transport::through(door))
        };
        Ok(Self {
            inner: Arc::new(Inner {
                environments,
                endpoint: inner.endpoint.clone(),
                clock: inner.clock.clone(),
                emulator: inner.emulator.clone(),
                routes: inner.routes.clone(),
                workers: inner.workers.clone(),
                pages: inner.pages.clone(),
                admin_token: inner.admin_token.clone(),
                console: Arc::clone(&inner.console),
                live: Arc::clone(&inner.live),
                payers: Arc::clone(&inner.payers),
                account_limits: Arc::clone(&inner.account_limits),
                bounds: Arc::clone(&inner.bounds),
                delays: inner.delays,
                documentation: Arc::clone(&inner.documentation),
                host: inner.host.clone(),
                is_laptop: inner.is_laptop,
                readiness: Arc::clone(&inner.readiness),
                metrics: Arc::clone(&inner.metrics),
                dir: inner.dir.clone(),
            }),
        })
    }
}
