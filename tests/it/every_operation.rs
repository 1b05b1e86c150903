//! Rules of all operations of the registry.

mod bodies;
mod contract;
mod cost;
mod credentials;
mod effects;
mod faults;
mod isolation;
mod logs;
mod pages;
mod repeats;
mod routes;
mod samples;
