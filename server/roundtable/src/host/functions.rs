//! The functions of a deployment, by what calls them.

use std::collections::BTreeMap;

use axum::http::Method;
use service::{Family, PageSpec, Route, SocketSpec, WorkerSpec};

/// All functions of a deployment.
pub(crate) struct Functions {
    /// Operations by their paths.
    routes: BTreeMap<&'static str, Route>,
    pages: Vec<PageSpec>,
    sockets: Vec<SocketSpec>,
    workers: Vec<WorkerSpec>,
}

impl Functions {
    pub(crate) fn new(families: &[Family]) -> Self {
        let routes = families.iter().flat_map(|family| &family.operations);
        let routes =
            routes.flat_map(|route| route.spec.paths.iter().map(|path| (*path, route.clone())));
        Self {
            routes: routes.collect(),
            pages: families.iter().flat_map(|family| family.pages.clone()).collect(),
            sockets: families.iter().flat_map(|family| family.sockets.clone()).collect(),
            workers: families.iter().flat_map(|family| family.workers.clone()).collect(),
        }
    }

    /// The operation that a request calls.
    pub(crate) fn operation(&self, method: &Method, path: &str) -> Option<&Route> {
        self.routes.get(path).filter(|_| method == Method::POST)
    }

    /// The page that a request asks for.
    pub(crate) fn page(&self, method: &Method, path: &str) -> Option<&PageSpec> {
        let is_visit = PageSpec::METHODS.contains(&method.as_str());
        self.pages.iter().find(|page| is_visit && page.has(path))
    }

    /// The function behind a route of the WebSocket API.
    pub(crate) fn socket(&self, route: &str) -> Option<&SocketSpec> {
        self.sockets.iter().find(|socket| socket.route == route)
    }

    /// The paths of all operations, the newest first.
    pub(super) fn paths(&self) -> Vec<&'static str> {
        self.routes.keys().rev().copied().collect()
    }

    pub(super) fn workers(&self) -> &[WorkerSpec] {
        &self.workers
    }
}
