//! The environments of functions. Each calls DynamoDB, SQS and SES with its own name, and so with
//! its own role; only those whose role may read it have the admin token. In one process they share
//! caches, unless they run separately as in Lambda.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use parking_lot::Mutex;
use service::{Clock, Config, Connections, DeliveryObserver, Environment, Secrets};

pub(crate) struct Environments {
    config: Config,
    secrets: Secrets,
    clock: Clock,
    /// The base of environments with shared caches.
    common: Environment,
    is_separate: bool,
    deliveries: Arc<dyn DeliveryObserver>,
    /// The functions with the admin token.
    operators: BTreeSet<String>,
    of_functions: Mutex<BTreeMap<String, Environment>>,
}

impl Environments {
    pub(crate) fn new(
        config: Config,
        secrets: Secrets,
        clock: Clock,
        is_separate: bool,
        operators: BTreeSet<String>,
        deliveries: Arc<dyn DeliveryObserver>,
    ) -> Self {
        let common = Environment::new(&config, secrets.clone(), clock.clone());
        let common = common.observed_by(Arc::clone(&deliveries));
        let of_functions = Mutex::default();
        Self { config, secrets, clock, common, is_separate, deliveries, operators, of_functions }
    }

    /// The environments at another address of DynamoDB, or over other connections.
    pub(crate) fn by(&self, endpoint: Option<String>, connections: Connections) -> Self {
        let mut config = self.config.clone();
        config.aws.dynamodb_endpoint = endpoint.or(config.aws.dynamodb_endpoint);
        config.aws.connections = connections;
        Self {
            common: self.common.with_clients_of(&config),
            config,
            secrets: self.secrets.clone(),
            clock: self.clock.clone(),
            is_separate: self.is_separate,
            deliveries: Arc::clone(&self.deliveries),
            operators: self.operators.clone(),
            of_functions: Mutex::default(),
        }
    }

    /// Whether functions share nothing.
    pub(crate) fn is_separate(&self) -> bool {
        self.is_separate
    }

    /// The settings of the owner of the deployment.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// The environment of the owner of the deployment.
    pub(crate) fn of_owner(&self) -> &Environment {
        &self.common
    }

    /// The environment of a function, by the name of its binary.
    pub(crate) fn of_function(&self, function: String) -> Environment {
        let mut made = self.of_functions.lock();
        let make = |function: &String| {
            let mut config = self.config.clone();
            config.aws.access_key_id.clone_from(function);
            let own = if self.is_separate {
                config.aws.connections = Connections::default();
                let clock = self.clock.of_another_process();
                Environment::new(&config, self.secrets.clone(), clock)
                    .observed_by(Arc::clone(&self.deliveries))
            } else {
                self.common.with_clients_of(&config)
            };
            match self.operators.contains(function) {
                true => own,
                false => own.with_secrets(Secrets { admin_token: None, ..self.secrets.clone() }),
            }
        };
        made.entry(function).or_insert_with_key(make).clone()
    }
}
