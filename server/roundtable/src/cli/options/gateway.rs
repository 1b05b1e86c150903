//! Bounds of the gateway, and the proxies that it believes.

use clap::{Args, ValueEnum};
use roundtable::{ConnectionLimits, GatewayOptions, Proxies, ProxyHeader};

#[derive(Args, Debug)]
pub(crate) struct GatewayArguments {
    /// Most connections at a time, those of the live channel included. Each needs an open file:
    /// LimitNOFILE of systemd, or ulimit -n.
    #[arg(long, env, value_name = "NUMBER", default_value_t = ConnectionLimits::default().connections)]
    max_connections: usize,
    /// Most connections of one public address, or /64 network of IPv6; a /56 has twice as many, a /48
    /// and a /24 of IPv4 four times.
    #[arg(long, env, value_name = "NUMBER", default_value_t = ConnectionLimits::default().of_address)]
    max_connections_per_address: usize,
    /// Most calls that are answered at a time; others wait for two seconds, and are then refused
    /// with 503.
    #[arg(long, env, value_name = "NUMBER", default_value_t = GatewayOptions::default().calls)]
    max_calls: usize,
    /// Addresses and networks of the proxies in front of the gateway, such as
    /// 10.0.0.0/8,127.0.0.1: they name the address of their client. Others are not believed.
    #[arg(long, env, value_name = "NETWORKS", value_parser = proxies)]
    trusted_proxies: Option<Proxies>,
    /// The header in which they do. They have to set it, because any client can send it, too.
    #[arg(long, env, value_name = "HEADER", default_value = "x-forwarded-for")]
    proxy_header: Header,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Header {
    XForwardedFor,
    Forwarded,
}

fn proxies(text: &str) -> Result<Proxies, String> {
    text.parse()
}

impl GatewayArguments {
    pub(crate) fn gateway(&self) -> GatewayOptions {
        let connections = ConnectionLimits {
            connections: self.max_connections,
            of_address: self.max_connections_per_address,
            ..ConnectionLimits::default()
        };
        let header = match self.proxy_header {
            Header::XForwardedFor => ProxyHeader::XForwardedFor,
            Header::Forwarded => ProxyHeader::Forwarded,
        };
        let proxies = self.trusted_proxies.clone().unwrap_or_default().naming_by(header);
        let calls = self.max_calls;
        GatewayOptions { proxies, connections, calls, ..GatewayOptions::default() }
    }
}
