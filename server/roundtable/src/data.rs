//! The data of a server on its disk: their folder, backups and moves, what their owner orders, and
//! the settings of an app in development.

mod backup;
#[cfg(unix)]
mod control;
mod data_dir;
mod env_file;
mod files;
pub(crate) mod queues;
mod transfer;
mod upgrade;

pub use backup::{BackupSchedule, back_up, restore};
#[cfg(unix)]
pub use control::{ControlRequest, listen, order};
pub use data_dir::DataDir;
pub use env_file::EnvFile;
pub use files::{beside, create_for_owner_only, read_secret};
pub use transfer::{Archive, AwsStack, export_folder, export_stack};

pub(crate) use backup::LAST;
