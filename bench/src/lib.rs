//! Parts that the measuring programs share: the service in a process of its own, and a caller of
//! it.

pub mod client;
pub mod process;
