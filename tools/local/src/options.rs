//! Flags and environment of the local process.

use std::{net::IpAddr, path::PathBuf, str::FromStr, time::Duration};

use local::{Lifetime, LiveOptions};
use service::Egress;

/// What the process is asked to do.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) host: IpAddr,
    pub(crate) port: u16,
    pub(crate) data_dir: PathBuf,
    pub(crate) admin_token: Option<String>,
    pub(crate) smtp: Option<String>,
    /// Receivers on a laptop are on loopback, so this is on unless it is switched off.
    pub(crate) egress: Egress,
    pub(crate) email_provider_url: Option<String>,
    pub(crate) is_separate: bool,
    /// Where DynamoDB, SQS and SES listen; a free port of this machine unless it is named.
    pub(crate) aws: (IpAddr, u16),
    pub(crate) log_level: Option<String>,
    pub(crate) live: LiveOptions,
}

pub(crate) const HELP: &str = "\
Roundtable on this machine: every operation behind a local gateway, with DynamoDB, SQS
and SES inside.

Usage: cargo run [-- FLAGS]

  --port PORT          port of the gateway (PORT; 3000)
  --host ADDRESS       address to listen on (HOST; 127.0.0.1)
  --aws-port PORT      port of DynamoDB, SQS and SES (AWS_PORT; any that is free)
  --aws-host ADDRESS   address they listen on (AWS_HOST; 127.0.0.1); containers reach 0.0.0.0
  --data-dir FOLDER    where the data is kept (DATA_DIR; .data)
  --admin-token TOKEN  token of the operator (ADMIN_TOKEN; generated and kept in the folder);
                       others on this machine can see flags, but not variables
  --smtp URL           server that gets every mail as well, such as smtp://localhost:1025 (SMTP_URL)
  --allow-private-webhooks true|false|NETWORKS
                       whether webhooks may go to this machine and to private networks, or
                       to which of those, such as 10.1.0.0/16,192.168.7.0/24
                       (ALLOW_PRIVATE_WEBHOOKS; true)
  --separate true|false
                       whether functions share nothing in memory, as in Lambda (SEPARATE; false)
  --email-provider-url URL  HTTP provider of mails for keys that name one (EMAIL_PROVIDER_URL)
  --live-idle SECONDS  until a connection of the live channel that is silent is closed (LIVE_IDLE; 600)
  --live-lifetime SECONDS
                       until any connection of it is closed (LIVE_LIFETIME; 7200)
  --live-reorder true|false
                       whether its messages overtake each other (LIVE_REORDER; false)
  --log-level LEVEL    least severe line of the log: DEBUG, INFO, WARN or ERROR (LOG_LEVEL; INFO)
  --help, --version";

impl Options {
    /// Reads flags, then environment. `Ok(None)`: only a text was asked for, and printed.
    pub(crate) fn read(
        arguments: impl Iterator<Item = String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, String> {
        let mut sent: [(&str, &str, Option<String>); 14] = [
            ("--port", "PORT", None),
            ("--host", "HOST", None),
            ("--data-dir", "DATA_DIR", None),
            ("--admin-token", "ADMIN_TOKEN", None),
            ("--smtp", "SMTP_URL", None),
            ("--allow-private-webhooks", "ALLOW_PRIVATE_WEBHOOKS", None),
            ("--separate", "SEPARATE", None),
            ("--email-provider-url", "EMAIL_PROVIDER_URL", None),
            ("--aws-port", "AWS_PORT", None),
            ("--aws-host", "AWS_HOST", None),
            ("--live-idle", "LIVE_IDLE", None),
            ("--live-lifetime", "LIVE_LIFETIME", None),
            ("--live-reorder", "LIVE_REORDER", None),
            ("--log-level", "LOG_LEVEL", None),
        ];
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            let (flag, inline) = match argument.split_once('=') {
                Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
                None => (argument, None),
            };
            match flag.as_str() {
                "--help" | "-h" => {
                    println!("{HELP}");
                    return Ok(None);
                }
                "--version" | "-V" => {
                    println!("roundtable {}", env!("CARGO_PKG_VERSION"));
                    return Ok(None);
                }
                _ => {}
            }
            let slot = sent.iter_mut().find(|(name, _, _)| *name == flag);
            let (_, _, slot) = slot.ok_or_else(|| format!("unknown flag {flag} (see --help)"))?;
            let value = inline.or_else(|| arguments.next());
            *slot = Some(
                value.filter(|value| !value.is_empty()).ok_or(format!("{flag} needs a value"))?,
            );
        }
        let named = sent.map(|(name, variable_name, value)| {
            let value = value.or_else(|| variable(variable_name).filter(|value| !value.is_empty()));
            (name, value)
        });
        let [
            port,
            host,
            data_dir,
            admin_token,
            smtp,
            private,
            separate,
            provider,
            aws_port,
            aws_host,
            idle,
            whole,
            reorder,
            level,
        ] = named;
        if admin_token.1.as_ref().is_some_and(|token| token.len() < 16) {
            return Err(format!("{} needs at least 16 characters", admin_token.0));
        }
        let egress = Egress::parse(private.1.as_deref().unwrap_or("true"), Egress::Local)
            .map_err(|error| format!("{} {error}", private.0))?;
        let is_on = |(name, value): &(&str, Option<String>), default| match value.as_deref() {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(other) => Err(format!("{name} must be true or false, not {other}")),
        };
        let seconds =
            |value, default| parse(value, default, "a number of seconds").map(Duration::from_secs);
        let lifetime = Lifetime { idle: seconds(idle, "600")?, whole: seconds(whole, "7200")? };
        let reorders = is_on(&reorder, false)?;
        Ok(Some(Self {
            live: LiveOptions { lifetime, reorders, ..LiveOptions::default() },
            port: parse(port, "3000", "a number from 0 to 65535")?,
            host: parse(host, "127.0.0.1", "an IP address")?,
            aws: (
                parse(aws_host, "127.0.0.1", "an IP address")?,
                parse(aws_port, "0", "a number from 0 to 65535")?,
            ),
            log_level: level.1,
            data_dir: data_dir.1.unwrap_or_else(|| ".data".to_owned()).into(),
            admin_token: admin_token.1,
            smtp: smtp.1,
            egress,
            is_separate: is_on(&separate, false)?,
            email_provider_url: provider.1,
        }))
    }
}

/// The value of a flag, or its default.
fn parse<T: FromStr>(
    (flag, value): (&str, Option<String>),
    default: &str,
    what: &str,
) -> Result<T, String> {
    let text = value.as_deref().unwrap_or(default);
    text.parse().map_err(|_| format!("{flag} must be {what}, not {text}"))
}
