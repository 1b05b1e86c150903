//! Memory of large messages of stock providers, and of what connections keep of them.

mod budget;
mod kept;
mod pieces;
mod toll;

pub(super) use budget::{Budget, Metered, Reserve};
pub(super) use kept::{Kept, Memory};
