//! The live channel.

mod ends;
mod events;
mod gateway;
mod hocuspocus;
mod limits;
mod peer;
mod probe;
mod rest;
mod y;
