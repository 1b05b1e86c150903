//! The embedded services through the real SDKs, over a loopback port.

mod access;
mod calls;
mod dynamodb;
mod faults;
mod limits;
mod long_poll;
mod persistence;
mod queues;
mod redrive;
mod refusals;
mod share;
mod stack;
mod standard;
mod stream;
