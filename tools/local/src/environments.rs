//! What each function works with. Each calls DynamoDB, SQS and SES by its own name, so that it has
//! its own role. In one process they share what they remember, unless they are to be as apart as
//! in Lambda.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use service::{Clock, Config, Connections, Environment};

pub(crate) struct Environments {
    config: Config,
    clock: Clock,
    /// What those of functions are made from that share what they remember.
    common: Environment,
    is_separate: bool,
    of_functions: Mutex<BTreeMap<String, Environment>>,
}

impl Environments {
    pub(crate) fn new(config: Config, clock: Clock, is_separate: bool) -> Self {
        let common = Environment::new(&config, clock.clone());
        Self { config, clock, common, is_separate, of_functions: Mutex::default() }
    }

    /// The same at another address, over connections of their own.
    pub(crate) fn at(&self, endpoint: String) -> Self {
        let mut config = self.config.clone();
        config.aws.dynamodb_endpoint = Some(endpoint);
        config.aws.connections = Connections::default();
        Self {
            common: self.common.with_clients_of(&config),
            config,
            clock: self.clock.clone(),
            is_separate: self.is_separate,
            of_functions: Mutex::default(),
        }
    }

    /// That of the owner of the deployment.
    pub(crate) fn of_owner(&self) -> &Environment {
        &self.common
    }

    /// That of a function, by the name of its binary.
    pub(crate) fn of(&self, function: String) -> Environment {
        let mut made = self.of_functions.lock().unwrap_or_else(PoisonError::into_inner);
        let make = |function: &String| {
            let mut config = self.config.clone();
            config.aws.access_key_id.clone_from(function);
            if !self.is_separate {
                return self.common.with_clients_of(&config);
            }
            config.aws.connections = Connections::default();
            Environment::new(&config, self.clock.of_another_process())
        };
        made.entry(function).or_insert_with_key(make).clone()
    }
}
