//! What deployments of tests begin with: built once per process, and copied.

use std::sync::Arc;

use emulator::Snapshot;
use tokio::sync::OnceCell;

use crate::{App, Credentials, Options, Workspace, samples::Ids};

/// The data of a deployment, with the credentials and ids in it.
pub(crate) struct Beginning {
    data: Arc<Snapshot>,
    /// The time of the deployment that goes on, in epoch milliseconds.
    at: u64,
    workspace: Workspace,
    key: Credentials,
    ids: Ids,
}

impl Beginning {
    /// A workspace with a key.
    pub(crate) async fn with_tenant() -> &'static Self {
        static TENANT: OnceCell<Beginning> = OnceCell::const_new();
        TENANT
            .get_or_init(|| async { Self::of(&App::without_snapshot(Options::default()).await) })
            .await
    }

    /// What the samples refer to, and a second key.
    pub(crate) async fn with_samples() -> &'static (Self, Credentials) {
        static SAMPLES: OnceCell<(Beginning, Credentials)> = OnceCell::const_new();
        let build = || async {
            let app = App::start().await;
            let second = app.second_key().await;
            app.fill_sample_world("").await;
            app.add_sample_job().await;
            (Self::of(&app), second)
        };
        SAMPLES.get_or_init(build).await
    }

    /// The same after all work was done.
    pub(crate) async fn with_settled_samples() -> &'static (Self, Credentials) {
        static SETTLED: OnceCell<(Beginning, Credentials)> = OnceCell::const_new();
        let build = || async {
            let (app, second) = App::sample_world().await;
            app.settle().await;
            (Self::of(&app), second)
        };
        SETTLED.get_or_init(build).await
    }

    fn of(app: &App) -> Self {
        Self {
            data: Arc::new(app.emulator().snapshot().expect("a snapshot")),
            // Later than each version in the data.
            at: app.now() + 1,
            workspace: app.workspace.clone(),
            key: app.key.clone(),
            ids: app.ids.lock().expect("no panic").clone(),
        }
    }

    /// Another deployment with these data.
    pub(crate) async fn start(&self, options: Options) -> App {
        let mut app = App::open(options, Some((self.data.clone(), self.at))).await;
        app.workspace = self.workspace.clone();
        app.key = self.key.clone();
        *app.ids.lock().expect("no panic") = self.ids.clone();
        app
    }
}
