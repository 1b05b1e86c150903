//! The live channel.

mod ends;
mod gateway;
mod hocuspocus;
mod limits;
mod peer;
mod probe;
mod rest;
mod y;
