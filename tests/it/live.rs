//! The live channel (contract `live`).

mod anchors;
mod bounds;
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
mod recorded;
mod refused;
mod rest;
mod resume;
mod saved;
mod shares;
mod told;
mod unauthenticated;
mod y;
