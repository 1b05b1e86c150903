//! Threads of their own for the workers, and a bounded share of DynamoDB.
//!
//! In the cloud workers run beside the operations. In one process, hundreds of deliveries that are
//! due at once would keep every thread busy, and calls would wait until their clients gave up.

use std::{net::Ipv4Addr, sync::Arc};

use tokio::net::TcpListener;

use crate::{Inner, Stack};

/// Calls of workers that are in DynamoDB at a time, for streams and for queues each: what a call of a
/// client waits for at most.
const STORE_CALLS: usize = 2;
/// Threads that wait on behalf of workers: for the disk, and for the names of receivers.
const BLOCKING_THREADS: usize = 64;

/// Runs what `work` starts on threads of its own, half as many as there are processors, until the
/// process ends. The stack it is given has clients of its own, whose calls wait for each other
/// rather than for the calls of clients.
pub(crate) fn run<W: Future<Output = ()>>(
    stack: Stack,
    work: impl FnOnce(Stack) -> W + Send + 'static,
) {
    let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
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
    /// The same deployment for workers, with an address of its own.
    async fn in_background(&self) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let endpoint = format!("http://{}", listener.local_addr()?);
        let served = self.emulator().clone();
        tokio::spawn(async move { served.serve_share(listener, STORE_CALLS).await });
        let inner = &self.inner;
        Ok(Self {
            inner: Arc::new(Inner {
                environments: inner.environments.at(endpoint),
                endpoint: inner.endpoint.clone(),
                clock: inner.clock.clone(),
                emulator: inner.emulator.clone(),
                routes: inner.routes.clone(),
                workers: inner.workers.clone(),
                pages: inner.pages.clone(),
                admin_token: inner.admin_token.clone(),
                console: Arc::clone(&inner.console),
                live: Arc::clone(&inner.live),
            }),
        })
    }
}
