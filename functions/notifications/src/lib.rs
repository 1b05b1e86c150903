//! Notifications, preferences of users, and seen marks (contract `notifications`).

service::operations! {
    /// Adds a notification for named users, or for everyone with access to its document.
    add::AddNotification,
    /// Lists notifications by document, location, user or id.
    get::GetNotifications,
    /// Counts the unread notifications of a user.
    count::CountNotifications,
    /// Changes notifications and marks them read.
    update::UpdateNotifications,
    /// Deletes notifications by id, or those of a document, a location or a user.
    delete::DeleteNotifications,
    /// Marks a thread, or the inbox, as seen by a user.
    seen::MarkSeen,
    /// Sets notification preferences of users.
    config_set::SetPreferences,
    /// Shows the notification preferences of a user.
    config_get::GetPreferences,
    /// Shows the delivery state of events, for each recipient and channel.
    trace_get::GetTrace,
}

service::workers! {
    /// Notifies people of events: delays, batches and delivers.
    deliver::Deliver,
}

mod access;
mod offer;
mod tenant_data;

pub use access::ACCESS;
