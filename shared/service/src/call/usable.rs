//! Configurations of a call, accepted by what will use them.

use envelope::issue;
use error::Result;
use model::configuration::{Usable, Use};

/// Has a configuration accepted by its use (decision 112).
///
/// # Errors
/// INVALID_ARGUMENT at the member that cannot be used.
pub fn usable<U: Use<E>, E>(config: E) -> Result<Usable<E>> {
    Usable::by::<U>(config).map_err(|fault| issue(fault.path, fault.rule))
}
