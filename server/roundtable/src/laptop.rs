//! Pages of the server: its documentation, and for the users of a laptop a console, a demo, the
//! gallery of the kit, the outbox of mails and sessions of development.

mod assets;
mod console;
mod demo;
mod dev;
mod docs;
mod kit;
mod outbox;
mod own_tenant;
mod pages;
mod reply;
mod tenants;

pub(crate) use console::RecentCalls;
pub use dev::DevelopmentKey;
pub(crate) use docs::Documentation;
pub(crate) use pages::Laptop;
pub(crate) use tenants::Tenants;
