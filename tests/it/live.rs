//! The live channel.

mod cost;
mod crowd;
mod ends;
mod events;
mod gateway;
mod hocuspocus;
mod limits;
mod peer;
mod probe;
mod rest;
mod y;
