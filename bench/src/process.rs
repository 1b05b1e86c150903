//! The service in a process of its own, with its data in a folder, as `cargo run` runs it.

use std::{
    path::PathBuf,
    process::{Child, Command, ExitCode, Stdio},
    time::Duration,
};

use roundtable::{Delays, GatewayOptions, HostSetup, LiveOptions, Setup, Stack};
use service::{AccessType, Clock, Egress, Keyring, Limits};
use tokio::net::TcpListener;

use tests::KEYRING;

/// The argument that makes this program the service.
pub const SERVE: &str = "serve";
/// The last argument of a service in production that answers when what it says is on the disk.
const SYNCED: &str = "synced";
/// The last argument of one that answers as soon as the end of the process takes nothing back.
const QUICK: &str = "quick";
/// The token of the operator.
pub const ADMIN_TOKEN: &str = "the-admin-token-of-a-measurement";

/// Serves the data in a folder until the process is killed; with `synced` or `quick`, as in production.
pub async fn serve(folder: &str, port: &str, manner: &str) -> ExitCode {
    let stack = Stack::open(Setup {
        functions: HostSetup {
            dir: Some(PathBuf::from(folder)),
            is_synced: manner == SYNCED,
            snapshot: None,
            keyring: Keyring::parse(KEYRING).expect("a keyring"),
            admin_token: ADMIN_TOKEN.to_owned(),
            clock: Clock::default(),
            regions: None,
            outbox: None,
            public_url: Some(format!("http://127.0.0.1:{port}")),
            email_provider_url: None,
            smtp: None,
            sender: None,
            egress: Egress::Local,
            is_separate: false,
            limits: Limits::default(),
            default_document_access_type: AccessType::Public,
            names: None,
            aws: None,
            delays: Delays::default(),
            families: registry::families(),
        },
        host: None,
        is_laptop: !is_production(manner),
        gateway: GatewayOptions::default(),
        live: LiveOptions::default(),
        documentation: vec![],
    });
    let stack = stack.await.expect("a stack");
    let position = PathBuf::from(folder).join("stream-position");
    stack.sources(Some(position)).spawn();
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("the port");
    match roundtable::serve(stack, listener, std::future::pending()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// A running service and its data.
pub struct Service {
    child: Child,
    folder: PathBuf,
    port: u16,
    manner: &'static str,
}

impl Service {
    /// Starts a service with no data.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start() -> Self {
        Self::start_with("").await
    }

    /// Starts a service in production with no data. It answers when what it says is on the disk.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_synced() -> Self {
        Self::start_with(SYNCED).await
    }

    /// Starts a service in production with no data. It answers as soon as the end of the process
    /// takes nothing back.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_quick() -> Self {
        Self::start_with(QUICK).await
    }

    async fn start_with(manner: &'static str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = port.expect("a free port").port();
        let folder = std::env::temp_dir().join(format!("roundtable-{}-{port}", std::process::id()));
        let child = spawn(&folder, port, manner);
        let service = Self { child, folder, port, manner };
        service.wait().await;
        service
    }

    /// Base URL of the service.
    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Ends it as the power would.
    pub fn kill(&mut self) {
        self.child.kill().expect("a process that runs");
        self.child.wait().expect("its end");
    }

    /// Starts it again on the same data.
    pub async fn restart(&mut self) {
        self.child = spawn(&self.folder, self.port, self.manner);
        self.wait().await;
    }

    async fn wait(&self) {
        for _ in 0..600 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the service does not start");
    }

    /// Processor time it has used.
    pub fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
        let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<u64>().ok());
        // utime and stime, in hundredths of a second.
        Duration::from_millis((ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0)) * 10)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_production(manner: &str) -> bool {
    [SYNCED, QUICK].contains(&manner)
}

fn spawn(folder: &std::path::Path, port: u16, manner: &str) -> Child {
    let (folder, port) = (folder.display().to_string(), port.to_string());
    let mut command = match std::env::var_os("ROUNDTABLE") {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(["--data-dir", &folder, "--port", &port, "--log-level", "WARN"]);
            command.args(["--durability", if manner == SYNCED { "disk" } else { "process" }]);
            command.env("ADMIN_TOKEN", ADMIN_TOKEN);
            if is_production(manner) {
                let url = format!("http://127.0.0.1:{port}");
                command.args(["--mode", "production", "--public-url", &url]);
                command.arg("--allow-private-webhooks");
            }
            command
        }
        None => {
            let mut command = Command::new(std::env::current_exe().expect("this program"));
            command.args([SERVE, &folder, &port, manner]);
            command
        }
    };
    command.stdout(Stdio::null()).spawn().expect("a process")
}
