//! Pages of the server: its documentation, and for the users of a laptop a console, a demo, the
//! gallery of the kit and the outbox of mails.

mod assets;
mod console;
mod demo;
mod docs;
mod kit;
mod outbox;
mod pages;
mod reply;
mod tenants;

pub(crate) use console::RecentCalls;
pub(crate) use docs::Documentation;
pub(crate) use pages::Laptop;
pub(crate) use tenants::Tenants;
