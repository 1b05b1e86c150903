//! Configuration of a deployment.

use std::path::PathBuf;

use markdown::Page;
use service::{Family, Keyring};

use crate::{
    host::HostSetup,
    live::LiveOptions,
    net::{GatewayOptions, PublicUrl},
};

/// Configuration of a deployment.
pub struct Setup<'a> {
    /// The server's functions and data.
    pub functions: HostSetup<'a>,
    /// How much its gateway takes on.
    pub gateway: GatewayOptions,
    /// Options of the live channel.
    pub live: LiveOptions,
    /// The only host that the gateway answers, with this machine; none: any.
    pub host: Option<PublicUrl>,
    /// Whether the users of this machine are trusted: then there are console, demo and outbox, and
    /// calls and mails are kept in memory for them.
    pub is_laptop: bool,
    /// The pages of its documentation.
    pub documentation: Vec<Page>,
}

impl Setup<'_> {
    /// A deployment with the data in `dir` that serves nobody and sends nothing.
    pub fn unserved(dir: PathBuf, keyring: Keyring, families: Vec<Family>) -> Self {
        Self {
            functions: HostSetup::unserved(dir, keyring, families),
            gateway: GatewayOptions::default(),
            live: LiveOptions::default(),
            host: None,
            is_laptop: false,
            documentation: Vec::new(),
        }
    }
}
