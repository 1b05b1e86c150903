//! What follows from a change: events, the messages of webhooks and their outcomes, notifications
//! with the preferences of their readers, and the erasure of users.

pub mod erasure;
pub mod event;
pub mod ledger;
pub mod live;
pub mod notice;
pub mod notification;
pub mod preference;
pub mod seen;
pub mod trace;
pub mod trigger;
pub mod webhook_body;
pub mod webhook_endpoint;
