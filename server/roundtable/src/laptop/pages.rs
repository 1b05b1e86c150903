//! The pages for the users of this machine.

use std::{path::PathBuf, sync::Arc};

use axum::Router;

use super::{
    console::{Console, RecentCalls},
    demo::Demo,
    dev::{Development, DevelopmentKey},
    kit, outbox,
    tenants::Tenants,
};
use crate::host::Operations;

/// Console, demo, gallery, outbox and sessions of a laptop.
#[derive(Clone)]
pub(crate) struct Laptop {
    console: Console,
    demo: Demo,
    development: Development,
}

impl Laptop {
    /// The pages of a deployment whose data are in `dir`, or in memory.
    pub(crate) fn new(
        tenants: Tenants,
        operations: Operations,
        calls: Arc<RecentCalls>,
        dir: Option<PathBuf>,
    ) -> Self {
        let demo = Demo::new(tenants.clone(), operations.clone());
        let development = Development::new(tenants.clone(), operations.clone());
        Self { console: Console::new(tenants, operations, calls, dir), demo, development }
    }

    /// The API key for programs in development, which is made if it is missing.
    pub(crate) async fn development_key(&self) -> Result<DevelopmentKey, String> {
        self.development.key().await
    }

    /// The routes of all pages. No credentials protect them.
    pub(crate) fn routes(self) -> Router {
        let Self { console, demo, development } = self;
        let outbox = outbox::routes(console.embedded().clone());
        let pages = outbox.merge(console.routes()).merge(demo.routes()).merge(kit::routes());
        pages.merge(development.routes())
    }
}
