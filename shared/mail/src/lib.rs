//! Mails: what they say, how they are written, their outcomes. No I/O and no clock.
//!
//! A [`Letter`] says what a mail is about. [`compose`] writes it as MIME for whoever takes MIME,
//! [`provider::request`] as the request of an HTTP provider; both show the same pages and carry the
//! same headers. [`delivery::Mail`] decides when it is sent, sent again, or given up.

mod headers;
mod letter;
mod mime;
mod page;
pub mod provider;
mod sender;
mod subject;
mod unsubscribe;

#[cfg(test)]
mod sample;

pub use letter::{Address, DocumentPart, Item, Kind, Letter, Reason};
pub use mime::{Unsendable, compose};
pub use sender::sender_name;
pub use unsubscribe::{Scope, Unsubscribe, read, token};
