//! One function in a process of its own.

use std::{
    io::{Read as _, Write as _},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use service::{Clock, Egress, Environment, Keyring, Secrets, http_handler, invoke_http};
use tests::{ADMIN_TOKEN, KEYRING};

use crate::cases::Case;

/// The argument that runs this program as a function; its name and the address of AWS follow.
pub(crate) const BE: &str = "function";

/// Result of a run.
pub(crate) struct Ran {
    /// Peak memory of the process.
    pub(crate) megabytes: u64,
    /// Summary of its reply.
    pub(crate) answer: String,
}

/// Runs a case; the process ends with it.
pub(crate) fn run(case: &Case, endpoint: &str) -> Ran {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args([BE, &case.function, endpoint])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(case.event.to_string().as_bytes()).expect("a reader");
    drop(stdin);
    let said = child.wait_with_output().expect("its end").stdout;
    let said: Value = serde_json::from_slice(&said).unwrap_or_else(|_| json!({ "answer": "died" }));
    Ran {
        megabytes: said["kilobytes"].as_u64().unwrap_or(0).div_ceil(1024),
        answer: said["answer"].as_str().unwrap_or_default().to_owned(),
    }
}

/// Handles the event on standard input, and prints the memory used.
pub(crate) async fn be(name: &str, endpoint: &str) {
    let keyring = Keyring::parse(KEYRING).expect("a keyring");
    let mut config = roundtable::config(endpoint, None);
    config.aws.access_key_id = name.to_owned();
    config.egress = Egress::Local;
    let secrets = Secrets { keyring, admin_token: Some(ADMIN_TOKEN.to_owned()) };
    let environment = Environment::new(&config, secrets, Clock::default());
    let mut event = Vec::new();
    std::io::stdin().read_to_end(&mut event).expect("an event");
    let event: Value = serde_json::from_slice(&event).expect("JSON");
    let families = registry::families();
    let mut routes = families.iter().flat_map(|family| &family.operations);
    let mut sockets = families.iter().flat_map(|family| &family.sockets);
    let mut workers = families.iter().flat_map(|family| &family.workers);
    let answer = if let Some(route) = routes.find(|route| route.spec.binary() == name) {
        let handler = http_handler(environment, route.spec.name, route.handler);
        invoke_http(handler, event).await.expect("an answer")
    } else if let Some(socket) = sockets.find(|socket| socket.binary() == name) {
        socket.answer(&environment, event).await
    } else {
        let worker = workers.find(|worker| worker.binary() == name).expect("a function");
        worker.run(&environment, event).await
    };
    // As the runtime sends it.
    let bytes = answer.to_string();
    let status = answer["statusCode"].as_u64().map_or_else(|| bytes.clone(), |it| it.to_string());
    let answer = format!("{status}, {} kB", bytes.len() / 1024);
    println!("{}", json!({ "kilobytes": peak(), "answer": answer }));
}

/// Peak memory of this process in kilobytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
