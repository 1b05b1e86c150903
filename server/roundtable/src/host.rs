//! The functions of a deployment in one process, over the embedded services: their environments and
//! roles, calls of operations, and the event sources of workers.

mod environments;
mod event;
mod functions;
mod open;
mod operations;
mod resources;
mod roles;
mod setup;
mod sources;
mod transport;
mod work;

pub use event::{Arrival, of_request};
pub use resources::{PREFIX, dead_letters_name, queue_name, table_name};
pub use roles::arn;
pub use setup::{AwsPort, Delays, HostSetup, config};
pub use sources::{Sources, queue_record};

pub(crate) use environments::Environments;
pub(crate) use functions::Functions;
pub(crate) use open::{Host, environment_of};
pub(crate) use operations::{CallObserver, Operations, ServedCall};
pub(crate) use setup::IN_PROCESS;
pub(crate) use transport::through;
pub(crate) use work::Work;
