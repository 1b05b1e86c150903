//! Commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Export, Import, QueueCommand};

/// A command, in place of serving or beside it.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve an app in development, on this machine: as without a command, and the app in this
    /// folder gets an API key, whose people are notified, in its .env.local.
    Dev(Dev),
    #[command(flatten)]
    Task(Task),
}

/// Arguments of `dev`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Dev {
    /// The file that gets ROUNDTABLE_URL, VITE_ROUNDTABLE_URL, ROUNDTABLE_API_KEY and
    /// ROUNDTABLE_AUTH_TOKEN. Its other lines stay; one that git tracks is refused.
    #[arg(long, env = "ROUNDTABLE_ENV_FILE", value_name = "FILE", default_value = ".env.local")]
    pub(crate) env_file: PathBuf,
}

/// A command that does something else than serve.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Task {
    /// Write a backup of the data folder, also while the service runs.
    Backup {
        /// The new archive.
        file: PathBuf,
    },
    /// Make a new data folder from a backup.
    Restore {
        /// The archive.
        file: PathBuf,
    },
    /// Write all data to a portable archive, to move them to another place.
    Export(Export),
    /// Fill a new data folder, or an empty stack in AWS, from such an archive.
    Import(Import),
    /// Ask the service on this machine whether it is ready; the status is 1 if it is not.
    Health,
    #[command(flatten)]
    Queue(QueueCommand),
}
