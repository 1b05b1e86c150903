//! Orders to a running service, by a socket in its data folder, which only its owner reaches.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
};

use embedded::EmbeddedServices;
use queue::Queue;
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt},
    net::UnixListener,
};

use super::{backup::back_up, queues};

const SOCKET: &str = "control";
/// Longest order in bytes: the path of a file.
const MAX_ORDER: u64 = 8192;

/// An order to a running service. The order and its answer are a line of JSON each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlRequest {
    /// Write a backup to this file.
    Backup(PathBuf),
    /// Show how many messages and dead letters each queue has.
    Queues,
    /// Show the newest dead letters of this queue.
    DeadLetters(String),
    /// Put the dead letters of this queue back into it.
    Redrive(String),
}

/// Text to print, or a sentence on what failed.
type Answer = Result<String, String>;

/// Takes orders about the data in `data`, which `embedded` serves, until the runtime ends.
///
/// # Errors
/// A sentence: there cannot be a socket, for example because the path of the folder is too long.
pub fn listen(embedded: EmbeddedServices, data: PathBuf) -> Result<(), String> {
    let path = data.join(SOCKET);
    // The socket of an earlier process; the folder is locked by this one.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path);
    let listener = listener.map_err(|e| format!("{} cannot be used: {e}", path.display()))?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (embedded, data) = (embedded.clone(), data.clone());
            tokio::spawn(async move {
                let (reader, mut writer) = stream.into_split();
                let mut order = String::new();
                let mut reader = tokio::io::BufReader::new(reader.take(MAX_ORDER));
                if reader.read_line(&mut order).await.is_err() {
                    return;
                }
                let answer: Answer = match serde_json::from_str::<ControlRequest>(&order) {
                    Ok(order) => {
                        let shown = format!("{order:?}");
                        let answer = carry_out(order, embedded, data).await;
                        let error = answer.as_ref().err();
                        tracing::info!(order = shown, error, "The owner gave an order.");
                        answer
                    }
                    Err(_) => Err("the service has another version than the command".to_owned()),
                };
                let mut line = serde_json::to_vec(&answer).unwrap_or_default();
                line.push(b'\n');
                let _ = writer.write_all(&line).await;
            });
        }
    });
    Ok(())
}

async fn carry_out(order: ControlRequest, embedded: EmbeddedServices, data: PathBuf) -> Answer {
    match order {
        ControlRequest::Backup(file) => {
            let made = move || back_up(&embedded, &data, &file);
            let made = tokio::task::spawn_blocking(made).await;
            made.unwrap_or_else(|e| Err(e.to_string())).map(|()| String::new())
        }
        ControlRequest::Queues => Ok(table(&queues::depths(&embedded))),
        ControlRequest::DeadLetters(name) => {
            let letters = queues::dead_letters(&embedded, named(&name)?)?;
            let lines = letters.iter().map(|letter| {
                serde_json::to_string(letter).map_err(|e| format!("a dead letter: {e}"))
            });
            Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
        }
        ControlRequest::Redrive(name) => {
            let moved = queues::redrive(&embedded, named(&name)?).await?;
            Ok(format!("{moved} dead letter(s) went back into the queue {name}."))
        }
    }
}

fn named(name: &str) -> Result<Queue, String> {
    let names = Queue::ALL.map(Queue::name).join(", ");
    queues::named(name).ok_or_else(|| format!("there is no queue {name}; there are {names}"))
}

fn table(depths: &[queues::Depth]) -> String {
    let mut table = format!("{:<16} {:>8} {:>12}", "queue", "waiting", "dead letters");
    let shown = |depth: Option<u64>| depth.map_or("?".to_owned(), |depth| depth.to_string());
    for depth in depths {
        let (waiting, dead) = (shown(depth.waiting), shown(depth.dead));
        let _ = write!(table, "\n{:<16} {waiting:>8} {dead:>12}", depth.queue);
    }
    table
}

/// Gives an order to the service that has the folder; returns what to print.
///
/// # Errors
/// A sentence: no service answers, or it cannot do it.
pub fn order(data: &Path, order: &ControlRequest) -> Result<String, String> {
    let socket = data.join(SOCKET);
    let failed = |e: std::io::Error| format!("no service runs at {}: {e}", socket.display());
    let mut stream = UnixStream::connect(&socket).map_err(failed)?;
    let order = serde_json::to_string(order).map_err(|_| "the path is no text")?;
    writeln!(stream, "{order}").map_err(failed)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).map_err(failed)?;
    serde_json::from_str::<Answer>(&answer)
        .unwrap_or_else(|_| Err(format!("the service at {} ended meanwhile", socket.display())))
}
