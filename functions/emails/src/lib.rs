//! Mails: one for each notification that goes out by mail, sent when it is due, and its
//! outcome (rules N13, N16).

mod compose;
mod letter;
mod plan;
mod properties;
mod provider;
mod reason;
mod row;
mod topic;

service::workers! {
    /// Sends mails that are due.
    send::EmailsSend,
    /// Takes note of the outcome of mails.
    feedback::EmailsFeedback,
}

service::pages! {
    /// Ends the mails about a document, or all of an organization.
    unsubscribe::EmailsUnsubscribe,
}
