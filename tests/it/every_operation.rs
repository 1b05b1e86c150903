//! Rules of all operations of the registry.

mod bodies;
mod contract;
mod cost;
mod credentials;
mod effects;
mod faults;
mod filters;
mod implied;
mod isolation;
mod logs;
mod pages;
mod repeats;
mod required;
mod routes;
mod samples;
mod top;
