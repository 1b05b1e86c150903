//! The data of a server on its disk: their folder, backups and moves, and what their owner orders.

mod backup;
#[cfg(unix)]
mod control;
mod data_dir;
mod files;
pub(crate) mod queues;
mod transfer;
mod upgrade;

pub use backup::{BackupSchedule, back_up, restore};
#[cfg(unix)]
pub use control::{ControlRequest, listen, order};
pub use data_dir::DataDir;
pub use files::{beside, create_for_owner_only, read_secret};
pub use transfer::{Archive, AwsStack, export_folder, export_stack};

pub(crate) use backup::LAST;
