//! Notifications, what users want to be notified of, and what they have seen (spec 2.14, 2.15,
//! 4.23, 4.25; siblings 9).

service::operations! {
    /// Adds a notification for users, or for everybody who may reach its document.
    add::AddNotification,
    /// Lists notifications by document, place, user or id.
    get::GetNotifications,
    /// Changes notifications and marks them read.
    update::UpdateNotifications,
    /// Deletes notifications by id, or those of a document, a place or a user.
    delete::DeleteNotifications,
    /// Marks a thread as seen by a user.
    seen::MarkSeen,
    /// Sets notification preferences of users.
    config_set::SetPreferences,
    /// Shows the notification preferences of a user.
    config_get::GetPreferences,
    /// Shows what happened to events, for each recipient and channel.
    trace_get::GetTrace,
}

service::workers! {
    /// Notifies people of what happened: waits, takes together and delivers.
    deliver::Deliver,
}

mod offer;
mod world;
