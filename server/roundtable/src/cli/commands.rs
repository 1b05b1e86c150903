//! Commands that do something else than serve.

mod transfer;

use std::path::{Path, PathBuf, absolute};

use embedded::{EmbeddedServices, Options as EmbeddedOptions, Roles};
#[cfg(unix)]
use roundtable::ControlRequest;
use roundtable::DataDir;
use service::Clock;

use crate::options::{Options, QueueCommand, Task};

/// Runs a command; returns what to print.
pub(crate) fn run(task: &Task, options: &Options) -> Result<String, String> {
    let data = options.data_dir.as_path();
    match task {
        Task::Export(export) => transfer::export(export, data, options.keyring()?),
        Task::Import(import) => transfer::import(import),
        Task::Backup { file } => {
            let file = back_up(data, file)?;
            Ok(format!("{} has the data of {}.", file.display(), data.display()))
        }
        Task::Restore { file } => {
            roundtable::restore(file, data)?;
            Ok(format!("{} has the data of {}.", data.display(), file.display()))
        }
        #[cfg(unix)]
        Task::Queue(command) => roundtable::order(data, &order(command)),
        #[cfg(not(unix))]
        Task::Queue(_) => Err("there is no control socket on this system".to_owned()),
        Task::Health => roundtable::ask_ready((options.host, options.port).into()),
    }
}

#[cfg(unix)]
fn order(command: &QueueCommand) -> ControlRequest {
    match command {
        QueueCommand::Queues => ControlRequest::Queues,
        QueueCommand::DeadLetters { queue } => ControlRequest::DeadLetters(queue.clone()),
        QueueCommand::Redrive { queue } => ControlRequest::Redrive(queue.clone()),
    }
}

fn back_up(data: &Path, file: &Path) -> Result<PathBuf, String> {
    if !data.join("format").exists() {
        return Err(format!("{} is no data folder", data.display()));
    }
    let file = absolute(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let opened = match DataDir::open(data) {
        Ok(opened) => opened,
        // A running service has it.
        #[cfg(unix)]
        Err(_) if data.join("control").exists() => {
            return roundtable::order(data, &ControlRequest::Backup(file.clone())).map(|_| file);
        }
        Err(reason) => return Err(reason),
    };
    back_up_stopped(&opened, &file)?;
    Ok(file)
}

/// Writes a backup of a folder that no service uses.
pub(crate) fn back_up_stopped(data: &DataDir, file: &Path) -> Result<(), String> {
    let clock = Clock::default();
    let embedded = EmbeddedServices::open(EmbeddedOptions {
        dir: Some(data.path().to_owned()),
        is_synced: true,
        remembers: false,
        observer: std::sync::Arc::new(()),
        clock: std::sync::Arc::new(move || clock.now()),
        outbox: None,
        smtp: None,
        mail_events_queue: None,
        roles: Roles::new(),
    });
    let embedded = embedded.map_err(|e| format!("the data cannot be opened: {e}"))?;
    roundtable::back_up(&embedded, data.path(), file)
}
