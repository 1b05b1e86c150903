//! Effects of changes: events, members of webhooks, notifications and preferences, and the erasure
//! of users.

pub mod erasure;
pub mod event;
pub mod live;
pub mod notice;
pub mod notification;
pub mod people;
pub mod preference;
pub mod revision;
pub mod seen;
pub mod trace;
pub mod trigger;
pub mod webhook_body;
pub mod webhook_endpoint;
