//! Mails: one for each notification with the channel mail, sent when it is due, and its outcome
//! (contract `emails`, rules N13 and N16).

mod access;
mod compose;
mod letter;
mod optout;
mod outgoing;
mod plan;
mod properties;
mod provider;
mod remaining;

pub use access::ACCESS;

service::workers! {
    /// Sends mails that are due.
    send::EmailsSend,
    /// Records the outcome of mails.
    feedback::EmailsFeedback,
}

service::pages! {
    /// Unsubscribes from the mails about a document, or about an organization.
    unsubscribe::EmailsUnsubscribe,
}
