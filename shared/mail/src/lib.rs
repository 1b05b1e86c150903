//! Mails: content, format and outcomes. No I/O and no clock.
//!
//! A [`Letter`] is the content of a mail. [`compose`] writes it as MIME, [`provider::request`] as
//! the request of an HTTP provider; both have the same pages and headers. [`notification::Mail`]
//! decides when it is sent, retried, or dropped.

#![warn(missing_docs)]

mod headers;
mod letter;
mod mime;
mod page;
pub mod provider;
mod sender;
mod unsubscribe;

#[cfg(test)]
mod sample;

pub use letter::{Address, DocumentPart, Item, Kind, Letter, Reason};
pub use mime::{Unsendable, compose};
pub use sender::sender_name;
pub use unsubscribe::{Scope, Unsubscribe, read, token};
