//! How much the gateway takes on, and whom it believes.

use clap::Args;
use local::{ConnectionLimits, GatewayOptions};

#[derive(Args, Debug)]
pub(crate) struct GatewayArguments {
    /// Most connections at a time, those of the live channel included. Each needs an open file:
    /// LimitNOFILE of systemd, or ulimit -n.
    #[arg(long, env, value_name = "NUMBER", default_value_t = ConnectionLimits::default().connections)]
    max_connections: usize,
    /// Most connections of one public address, or /64 network of IPv6.
    #[arg(long, env, value_name = "NUMBER", default_value_t = ConnectionLimits::default().of_address)]
    max_connections_per_address: usize,
    /// Most calls that are answered at a time; others wait for two seconds, and are then refused
    /// with 503.
    #[arg(long, env, value_name = "NUMBER", default_value_t = GatewayOptions::default().calls)]
    max_calls: usize,
}

impl GatewayArguments {
    pub(crate) fn gateway(&self) -> GatewayOptions {
        let connections = ConnectionLimits {
            connections: self.max_connections,
            of_address: self.max_connections_per_address,
            ..ConnectionLimits::default()
        };
        GatewayOptions { connections, calls: self.max_calls, ..GatewayOptions::default() }
    }
}
