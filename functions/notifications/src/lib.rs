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
    /// Sets what users want to be notified of.
    config_set::SetPreferences,
    /// Tells what a user wants to be notified of.
    config_get::GetPreferences,
    /// Tells what became of events for those who were to be notified of them.
    trace_get::GetTrace,
}

service::workers! {
    /// Notifies people of what happened: waits, takes together and delivers.
    deliver::Deliver,
}

mod offer;
mod world;
