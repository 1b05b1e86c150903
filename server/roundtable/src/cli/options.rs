//! Flags and environment of the local process.

mod backups;
mod command;
mod gateway;
mod mail;
mod metrics;
mod names;
mod queues;
mod transfer;

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{CommandFactory, Parser, ValueEnum};
use clap_complete::Shell;
use roundtable::{AwsPort, DataDir, Delays, Lifetime, LiveOptions, PublicUrl, read_secret};
use service::{AccessType, Egress, Limits};

pub(crate) use self::command::{Command, Task};
pub(crate) use self::queues::QueueCommand;
pub(crate) use self::transfer::{Export, Import, Step};
use self::{
    backups::BackupOptions, gateway::GatewayArguments, mail::MailOptions, metrics::MetricsOptions,
    names::NamesOptions,
};

/// Shortest token of the operator in production.
const MIN_TOKEN: usize = 32;

const EXAMPLES: &str = "\
Examples:
  cargo run -- --port 8080 --data-dir /tmp/roundtable
  roundtable dev                                for an app in this folder, with its .env.local
  cargo run -- --no-allow-private-webhooks      webhooks go to public addresses only
  cargo run -- --separate                       functions share nothing, as in Lambda
  roundtable --completions bash > /etc/bash_completion.d/roundtable";

/// Roundtable on this machine: every operation behind a local gateway, with DynamoDB, SQS and SES
/// inside.
///
/// Each flag has an environment variable; the flag comes first.
#[derive(Debug, Parser)]
#[command(name = "roundtable", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Use of the service: laptop trusts the users of this machine, production trusts nobody. auto
    /// is production unless the gateway listens on loopback.
    #[arg(long, env = "ROUNDTABLE_MODE", value_name = "MODE", default_value = "auto")]
    mode: Mode,
    /// The URL under which others reach the gateway, for links in mails: https, or http with a name
    /// of this machine. Production needs it, and answers calls to its host only.
    #[arg(long, env, value_name = "URL", value_parser = public_url)]
    pub(crate) public_url: Option<PublicUrl>,
    /// Port of the gateway.
    #[arg(long, env, default_value_t = 3000, global = true)]
    pub(crate) port: u16,
    /// Address the gateway listens on.
    #[arg(long, env, value_name = "ADDRESS", default_value = "127.0.0.1", global = true)]
    pub(crate) host: IpAddr,
    /// Port of DynamoDB, SQS and SES for other processes, which need the session token in the data
    /// folder; 0 is any free one. Closed when absent, unless functions are separate.
    #[arg(long, env, value_name = "PORT")]
    aws_port: Option<u16>,
    /// Address that DynamoDB, SQS and SES listen on. Containers reach 0.0.0.0.
    #[arg(long, env, value_name = "ADDRESS", default_value = "127.0.0.1")]
    aws_host: IpAddr,
    /// Data folder.
    #[arg(long, env, value_name = "FOLDER", default_value = ".data", global = true)]
    pub(crate) data_dir: PathBuf,
    /// Token of the operator, at least 16 characters; generated and stored in the data folder when
    /// absent. Other users of this machine can see flags, but not variables.
    #[arg(long, env, value_name = "TOKEN", hide_env_values = true, value_parser = admin_token)]
    admin_token: Option<String>,
    /// File with that token, which only its owner may read.
    #[arg(long, env, value_name = "FILE", conflicts_with = "admin_token")]
    pub(crate) admin_token_file: Option<PathBuf>,
    /// File with the keyring, which only its owner may read; one in the data folder when absent.
    #[arg(long, env, value_name = "FILE", global = true)]
    keyring_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) backups: BackupOptions,
    #[command(flatten)]
    pub(crate) gateway: GatewayArguments,
    #[command(flatten)]
    pub(crate) mail: MailOptions,
    /// Whether webhooks may go to this machine and to private networks: true, false, or the
    /// networks they may go to, such as 10.1.0.0/16,192.168.7.0/24. On where the gateway listens on
    /// loopback, because receivers on a laptop are there; off where others reach it.
    #[arg(
        long = "allow-private-webhooks",
        env = "ALLOW_PRIVATE_WEBHOOKS",
        value_name = "NETWORKS",
        num_args = 0..=1,
        default_missing_value = "true",
        value_parser = egress
    )]
    egress: Option<Egress>,
    /// Webhooks go to public addresses only.
    #[arg(long, conflicts_with = "egress")]
    no_allow_private_webhooks: bool,
    /// When a write is answered: as soon as the end of the process cannot take it back, or when it
    /// is on the disk and a power failure cannot, either. On the disk unless the gateway listens on
    /// loopback.
    #[arg(long, env, value_name = "WHEN")]
    durability: Option<Durability>,
    /// Whether functions share no memory, as in Lambda.
    #[arg(
        long = "separate",
        env = "SEPARATE",
        value_name = "true|false",
        num_args = 0..=1,
        default_value_t = false,
        default_missing_value = "true"
    )]
    pub(crate) is_separate: bool,
    /// The access type of documents without one, for keys that are created from now on: public,
    /// organizationPrivate or restricted.
    #[arg(long, env, value_name = "TYPE", default_value_t = AccessType::OF_NEW_KEYS)]
    pub(crate) default_document_access_type: AccessType,
    #[command(flatten)]
    pub(crate) names: NamesOptions,
    /// HTTP provider of mails for keys that name one.
    #[arg(long, env, value_name = "URL", hide_env_values = true)]
    pub(crate) email_provider_url: Option<String>,
    /// Seconds until a silent connection of the live channel is closed.
    #[arg(long, env, value_name = "SECONDS", default_value_t = 600)]
    live_idle: u64,
    /// Seconds until any connection of the live channel is closed.
    #[arg(long, env, value_name = "SECONDS", default_value_t = 7200)]
    live_lifetime: u64,
    /// Reorder messages of the live channel, as AWS may do.
    #[arg(long, env)]
    live_reorder: bool,
    /// Take as long as AWS: 5 ms for each call, and a quarter of a second between reads of a stream.
    #[arg(long, env)]
    aws_delays: bool,
    /// Lowest severity of log lines: DEBUG, INFO, WARN or ERROR.
    #[arg(long, env, value_name = "LEVEL")]
    pub(crate) log_level: Option<String>,
    #[command(flatten)]
    pub(crate) metrics: MetricsOptions,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Prints completions for a shell and exits.
    #[arg(long, value_name = "SHELL")]
    completions: Option<Shell>,
}

/// Clients that the service trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// By the address of the gateway.
    Auto,
    /// The users of this machine.
    Laptop,
    /// Nobody.
    Production,
}

/// The failure that every answered write survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Durability {
    /// The end of the process.
    Process,
    /// A power failure.
    Disk,
}

impl Options {
    /// Reads flags, then environment; none where only completions were asked for, and printed.
    /// Ends the process where flags are wrong, with the status 2.
    pub(crate) fn read() -> Option<Self> {
        let options = Self::parse();
        let Some(shell) = options.completions else { return Some(options) };
        clap_complete::generate(shell, &mut Self::command(), "roundtable", &mut std::io::stdout());
        None
    }

    /// Whether the users of this machine are trusted, and only they reach the gateway.
    pub(crate) fn is_laptop(&self) -> bool {
        // A deployment with a public URL has a proxy in front of a gateway that listens on
        // loopback.
        let is_public = self.public_url.as_ref().is_some_and(|url| !url.is_of_this_machine());
        let is_production = match self.mode {
            Mode::Auto => is_public,
            Mode::Laptop => false,
            Mode::Production => true,
        };
        self.host.is_loopback() && !is_production
    }

    /// Whether the flags suit the mode.
    ///
    /// # Errors
    /// A sentence for each flag that does not.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.mode == Mode::Laptop && !self.is_laptop() {
            return Err("--mode laptop needs a --host that only this machine reaches".to_owned());
        }
        if matches!(self.command, Some(Command::Dev(_))) && !self.is_laptop() {
            return Err(
                "roundtable dev is for a laptop: sessions of anybody, without credentials, \
                        need a --host that only this machine reaches, and no --public-url of \
                        another one"
                    .to_owned(),
            );
        }
        if self.is_laptop() {
            return Ok(());
        }
        let faults = [
            self.public_url.is_none().then_some("it needs --public-url https://HOST"),
            (self.aws_port.is_some() || self.is_separate)
                .then_some("--aws-port and --separate are for laptops"),
            self.admin_token()?
                .is_some_and(|token| token.len() < MIN_TOKEN)
                .then_some("the admin token needs 32 characters; without one, it is generated"),
        ];
        let faults = faults.into_iter().chain(self.mail.faults()?);
        let faults: Vec<&str> = faults.flatten().collect();
        if faults.is_empty() {
            return Ok(());
        }
        let faults = faults.join("; ");
        Err(format!("production does not start like this: {faults} (docs/SERVER.md)"))
    }

    /// The token of the operator, if it is given.
    ///
    /// # Errors
    /// A sentence: its file cannot be read, or others can read it.
    pub(crate) fn admin_token(&self) -> Result<Option<String>, String> {
        let token = given(self.admin_token.as_ref(), self.admin_token_file.as_deref())?;
        match token.as_deref().map(admin_token) {
            Some(Err(reason)) => Err(format!("the admin token is too short: {reason}")),
            _ => Ok(token),
        }
    }

    /// The keyring, if it is given.
    ///
    /// # Errors
    /// A sentence: its file cannot be read, or others can read it.
    pub(crate) fn keyring(&self) -> Result<Option<String>, String> {
        given(None, self.keyring_file.as_deref())
    }

    /// The port of AWS, if one is needed.
    ///
    /// # Errors
    /// A sentence: the data folder has no session token.
    pub(crate) fn aws(&self, data: &DataDir) -> Result<Option<AwsPort>, String> {
        let Some(port) = self.aws_port.or(self.is_separate.then_some(0)) else { return Ok(None) };
        let session_token = Some(data.session_token()?);
        Ok(Some(AwsPort { host: self.aws_host, port, session_token }))
    }

    /// Opens the data folder; production wants one that was never open to others.
    ///
    /// # Errors
    /// A sentence: it cannot be used.
    pub(crate) fn data(&self) -> Result<DataDir, String> {
        let open = if self.is_laptop() { DataDir::open } else { DataDir::open_private };
        open(&self.data_dir)
    }

    /// Whether a write is answered when it is on the disk.
    pub(crate) fn is_synced(&self) -> bool {
        let default = if self.is_laptop() { Durability::Process } else { Durability::Disk };
        self.durability.unwrap_or(default) == Durability::Disk
    }

    /// Allowed addresses of webhooks.
    pub(crate) fn egress(&self) -> Egress {
        let default = if self.is_laptop() { Egress::Local } else { Egress::Public };
        if self.no_allow_private_webhooks { Egress::Public } else { self.egress.unwrap_or(default) }
    }

    /// Default limits of keys and workspaces: none on a laptop.
    pub(crate) fn limits(&self) -> Limits {
        if self.is_laptop() { Limits::default() } else { Limits::DEPLOYED }
    }

    /// The delays of the cloud.
    pub(crate) fn delays(&self) -> Delays {
        if self.aws_delays { Delays::AWS } else { Delays::default() }
    }

    /// The limits of the live channel.
    pub(crate) fn live(&self) -> LiveOptions {
        let lifetime = Lifetime {
            idle: Duration::from_secs(self.live_idle),
            whole: Duration::from_secs(self.live_lifetime),
        };
        LiveOptions { lifetime, reorders: self.live_reorder, ..LiveOptions::default() }
    }
}

/// A secret that is given, or in a file that only its owner may read.
fn given(secret: Option<&String>, file: Option<&Path>) -> Result<Option<String>, String> {
    file.map_or_else(|| Ok(secret.cloned()), |file| read_secret(file).map(Some))
}

fn public_url(text: &str) -> Result<PublicUrl, String> {
    text.parse()
}

fn admin_token(text: &str) -> Result<String, &'static str> {
    if text.len() < 16 {
        return Err("at least 16 characters are needed");
    }
    Ok(text.to_owned())
}

fn egress(text: &str) -> Result<Egress, String> {
    Egress::parse(text, Egress::Local)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use service::{Egress, Limits};

    use super::Options;

    fn egress_and_limits(arguments: &[&str]) -> (Egress, Limits) {
        let options = Options::parse_from(["roundtable"].iter().chain(arguments));
        (options.egress(), options.limits())
    }

    #[test]
    fn production_names_what_it_lacks() {
        let check = |arguments: &[&str]| {
            Options::parse_from(["roundtable"].iter().chain(arguments)).check()
        };
        let (long, short) = ("x".repeat(32), "x".repeat(31));
        let url = ["--public-url", "https://a.example"];
        for open in [&["--host", "0.0.0.0"][..], &["--mode", "production"]] {
            let with = |more: &[&str]| check(&[open, more].concat());
            assert_eq!(with(&url), Ok(()));
            assert_eq!(with(&[&url[..], &["--admin-token", &long]].concat()), Ok(()));
            assert!(with(&[]).unwrap_err().contains("--public-url"));
            for (more, what) in [
                (["--admin-token", &short], "32 characters"),
                (["--aws-port", "0"], "--aws-port"),
                (["--separate", "true"], "--separate"),
            ] {
                assert!(with(&[&url[..], &more].concat()).unwrap_err().contains(what), "{what}");
            }
            let all = ["--aws-port", "0", "--admin-token", &short];
            assert_eq!(with(&all).unwrap_err().matches("; ").count(), 3);
        }
        assert_eq!(check(&["--aws-port", "0", "--admin-token", &short]), Ok(()));
        assert!(check(&["--mode", "laptop", "--host", "::"]).is_err());
        for outside in [&["--host", "0.0.0.0"][..], &url, &["--mode", "production"]] {
            let refused = check(&[outside, &["dev"]].concat()).unwrap_err();
            assert!(refused.contains("for a laptop"), "{refused}");
        }
        assert_eq!(check(&["dev", "--port", "3001", "--env-file", ".env"]), Ok(()));
    }

    #[test]
    fn a_public_url_on_loopback_is_that_of_a_proxy() {
        let is_laptop = |arguments: &[&str]| {
            Options::parse_from(["roundtable"].iter().chain(arguments)).is_laptop()
        };
        assert!(is_laptop(&["--public-url", "http://localhost:3000"]));
        assert!(!is_laptop(&["--public-url", "https://a.example"]));
        assert!(is_laptop(&["--public-url", "https://a.example", "--mode", "laptop"]));
    }

    #[test]
    fn what_suits_a_laptop_holds_only_where_nobody_else_reaches_it() {
        for own in ["127.0.0.1", "127.1.2.3", "::1"] {
            assert_eq!(
                egress_and_limits(&["--host", own]),
                (Egress::Local, Limits::default()),
                "{own}"
            );
        }
        for open in ["0.0.0.0", "::", "192.168.1.2"] {
            assert_eq!(
                egress_and_limits(&["--host", open]),
                (Egress::Public, Limits::DEPLOYED),
                "{open}"
            );
        }
        let strict = ["--mode", "production"];
        assert_eq!(egress_and_limits(&strict), (Egress::Public, Limits::DEPLOYED));
        let asked = ["--host", "0.0.0.0", "--allow-private-webhooks"];
        assert_eq!(egress_and_limits(&asked).0, Egress::Local);
        assert_eq!(egress_and_limits(&["--no-allow-private-webhooks"]).0, Egress::Public);
    }
}
