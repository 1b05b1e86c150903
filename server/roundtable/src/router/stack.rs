//! A whole deployment in this process.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use embedded::EmbeddedServices;
use serde_json::Value;
use service::Environment;

use super::{gateway::Gateway, setup::Setup};
use crate::{
    host::{CallObserver, Host, Operations, Sources},
    laptop::{DevelopmentKey, Documentation, Laptop, RecentCalls, Tenants},
    live::{Calls, Live},
    net::{AccountLimits, Bounds, Payers, PublicUrl},
    watch::{Health, Measured, Metrics, Scraped},
};

/// A whole deployment in this process, with the state of each room that serves it. A clone is another
/// handle to the same one.
#[derive(Clone)]
pub struct Stack {
    host: Host,
    pub(super) gateway: Gateway,
    pub(super) bounds: Arc<Bounds>,
    pub(super) live: Arc<Live>,
    pub(super) health: Health,
    pub(super) measured: Measured,
    pub(super) scraped: Scraped,
    pub(super) documentation: Documentation,
    /// The pages for users of this machine, if they are trusted.
    pub(super) laptop: Option<Laptop>,
    /// The only host that the gateway answers, with this machine; none: any.
    pub(super) own_host: Option<PublicUrl>,
}

impl Stack {
    /// Opens the data, and creates missing tables and queues.
    ///
    /// # Errors
    /// A sentence that names what cannot be opened.
    pub async fn open(setup: Setup<'_>) -> Result<Self, String> {
        let (clock, admin_token) =
            (setup.functions.clock.clone(), setup.functions.admin_token.clone());
        let names = setup.functions.names.clone();
        let (keyring, dir) = (setup.functions.keyring.clone(), setup.functions.dir.clone());
        let metrics: Arc<Metrics> = Arc::default();
        let host = Host::open(setup.functions, metrics.clone(), setup.is_laptop).await?;
        let embedded = host.embedded().clone();
        let (functions, environments) = (host.functions().clone(), host.environments().clone());

        let payers = Arc::new(Payers::new(keyring, clock.clone(), &admin_token));
        let bounds = Arc::new(Bounds::new(setup.gateway));
        let turns: Arc<AccountLimits> = Arc::default();

        let recent: Arc<RecentCalls> = Arc::default();
        let observer = setup.is_laptop.then(|| recent.clone() as Arc<dyn CallObserver>);
        let operations = Operations::new(host.clone(), observer);
        let owner = environments.of_owner().clone();
        let tenants = Tenants::new(embedded.clone(), owner, admin_token);
        let laptop = Laptop::new(tenants, operations.clone(), recent, dir.clone());

        let calls = Calls::new(functions.clone(), environments, clock.clone(), turns.clone());
        let live = Live::new(
            setup.live,
            calls,
            operations.clone(),
            payers.clone(),
            bounds.clone(),
            turns.clone(),
            embedded.connections().clone(),
        );
        let health = Health::new(embedded, host.work().clone(), clock);
        Ok(Self {
            gateway: Gateway {
                functions: functions.clone(),
                operations,
                payers,
                bounds: bounds.clone(),
                turns,
                names,
            },
            bounds,
            live: Arc::new(live),
            measured: Measured::new(metrics.clone(), functions),
            scraped: Scraped::new(metrics, health.clone(), dir),
            health,
            documentation: Documentation::new(setup.documentation),
            laptop: Some(laptop).filter(|_| setup.is_laptop),
            own_host: setup.host,
            host,
        })
    }

    /// The embedded DynamoDB, SQS and SES.
    pub fn embedded(&self) -> &EmbeddedServices {
        self.host.embedded()
    }

    /// The environment of the owner of the deployment, who has all rights.
    pub fn environment(&self) -> &Environment {
        self.host.environments().of_owner()
    }

    /// Address of DynamoDB, SQS and SES, if they have a port: `AWS_ENDPOINT_URL` of a function in
    /// another process.
    pub fn aws_endpoint(&self) -> Option<&str> {
        self.host.endpoint()
    }

    /// The environment variables of a function in a local container, in the format of `sam local
    /// invoke`: its tables and queues, mails and webhooks. None without a port of AWS.
    pub fn variables(&self) -> Option<BTreeMap<&'static str, String>> {
        self.host.variables()
    }

    /// The API key for programs of the users of this machine, which is made if it is missing. None
    /// where they are not trusted.
    ///
    /// # Errors
    /// A sentence: it cannot be read or made.
    pub async fn development_key(&self) -> Result<Option<DevelopmentKey>, String> {
        match &self.laptop {
            Some(laptop) => laptop.development_key().await.map(Some),
            None => Ok(None),
        }
    }

    /// The sources of events; `positions` is a folder with the positions of streams. Without it the
    /// process reads streams from their start.
    pub fn sources(&self, positions: Option<PathBuf>) -> Sources {
        Sources::new(self.host.clone(), positions)
    }

    /// Runs the named worker for one event, like its source.
    pub async fn run_worker(&self, name: &str, event: Value) -> Option<Value> {
        self.host.run_worker(name, event).await
    }

    /// Ends the service: it is no longer ready, and its workers begin nothing. Returns when what
    /// they had begun is finished.
    pub async fn end_work(&self) {
        self.host.work().end().await;
    }
}
