//! The live channel (contract `live`).

mod anchors;
mod cost;
mod crowd;
mod ends;
mod events;
mod frames;
mod fuzz;
mod gateway;
mod hocuspocus;
mod limits;
mod lockout;
mod native;
mod peer;
mod probe;
mod rates;
mod rest;
mod recorded;
mod resume;
mod saved;
mod told;
mod shares;
mod unauthenticated;
mod y;
