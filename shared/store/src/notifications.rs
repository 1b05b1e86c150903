//! Recipients of events: selection, channels and delivery states.
//!
//! One decision per event covers all of its recipients: `facts.rs` finds the involved users,
//! `recipients.rs` selects recipients and channels, `eligibility.rs` repeats the checks after a
//! delay or a window, and `notices.rs` writes the inbox. Rights, threads, preferences and seen
//! marks are read for a hundred recipients at a time.
//!
//! `policy.rs` has the configuration as of a time, `inbox.rs` the inbox and its lists,
//! `preferences.rs` the preferences, `profiles.rs` the names, `seen.rs` the seen marks, `trace*.rs` the delivery states,
//! `unlisted.rs` erases a user from rows that recipients share. The drivers of delays and windows
//! are in the crate `notification`; their rows in the module `schedule`.

mod eligibility;
mod facts;
mod inbox;
mod members;
mod notices;
mod policy;
mod preferences;
mod profiles;
mod recipients;
mod seen;
mod trace;
mod unlisted;

use tenancy::scopes::{OrganizationStore, TenantStore};

pub use inbox::Create;
pub use notices::PublishedNotice;
pub(crate) use notices::RECIPIENT;
pub use policy::Configured;
pub use preferences::Preferences;

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// The notification policies of the tenant.
    notifications: TenantNotifications,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Notifications: recipients, the inbox, preferences and traces.
    notifications: Notifications,
}
