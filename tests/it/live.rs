//! The live channel.

mod gateway;
mod probe;
