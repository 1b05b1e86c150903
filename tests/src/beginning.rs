//! Snapshots that deployments of tests begin with: built once a minute, and copied.

use std::sync::Arc;

use embedded::Snapshot;
use service::Clock;
use tokio::sync::Mutex;

use crate::{App, Credentials, Options, Workspace};

/// Milliseconds for which a beginning is used. Clocks of copies are as much behind real time, by
/// which the libraries of receivers of webhooks accept signatures of five minutes.
const MAX_AGE: u64 = 60_000;

/// Generated ids, which samples name.
#[derive(Clone, Default)]
pub(crate) struct Ids {
    pub(crate) agent: String,
    pub(crate) job: String,
    pub(crate) message: String,
    pub(crate) version: String,
}

/// The data of a deployment, with the credentials and ids in it.
pub(crate) struct Beginning {
    data: Snapshot,
    /// The time of the deployment that goes on, in epoch milliseconds.
    at: u64,
    /// Real time.
    built_at: u64,
    workspace: Workspace,
    key: Credentials,
    /// A second key, if there is one.
    pub(crate) second: Option<Credentials>,
    ids: Ids,
}

/// The last whole minute of real time, in epoch milliseconds. Limits and schedules have windows of
/// seconds and minutes, and each test begins at the same place in them.
pub(crate) fn whole_minute() -> u64 {
    let now = Clock::default().now();
    now - now % 60_000
}

/// The last beginning of a kind that was built in this process.
type Kept = Mutex<Option<Arc<Beginning>>>;

impl Beginning {
    /// A workspace with a key.
    pub(crate) async fn with_tenant() -> Arc<Self> {
        static TENANT: Kept = Kept::const_new(None);
        fresh(&TENANT, async || Self::of(&App::without_snapshot(Options::default()).await, None))
            .await
    }

    /// The data that the samples refer to, and a second key.
    pub(crate) async fn with_samples() -> Arc<Self> {
        static SAMPLES: Kept = Kept::const_new(None);
        let build = async || {
            let app = App::start().await;
            let second = app.second_key().await;
            app.fill_sample_world("").await;
            app.add_sample_job().await;
            Self::of(&app, Some(second))
        };
        fresh(&SAMPLES, build).await
    }

    /// The data of the samples after all work was done.
    pub(crate) async fn with_settled_samples() -> Arc<Self> {
        static SETTLED: Kept = Kept::const_new(None);
        let build = async || {
            let (app, second) = App::sample_world().await;
            app.settle().await;
            Self::of(&app, Some(second))
        };
        fresh(&SETTLED, build).await
    }

    fn of(app: &App, second: Option<Credentials>) -> Self {
        Self {
            data: app.embedded().snapshot().expect("a snapshot"),
            // Later than each version in the data.
            at: app.now() + 1,
            built_at: Clock::default().now(),
            workspace: app.workspace.clone(),
            key: app.key.clone(),
            second,
            ids: app.ids.lock().clone(),
        }
    }

    /// Another deployment with these data.
    pub(crate) async fn start(&self, options: Options) -> App {
        let mut app = App::open(options, Some((&self.data, self.at))).await;
        app.workspace = self.workspace.clone();
        app.key = self.key.clone();
        *app.ids.lock() = self.ids.clone();
        app
    }
}

async fn fresh(kept: &Kept, build: impl AsyncFnOnce() -> Beginning) -> Arc<Beginning> {
    let mut kept = kept.lock().await;
    let is_fresh =
        |known: &&Arc<Beginning>| Clock::default().now() < known.built_at.saturating_add(MAX_AGE);
    if let Some(known) = kept.as_ref().filter(is_fresh) {
        return known.clone();
    }
    let built = Arc::new(build().await);
    *kept = Some(built.clone());
    built
}
