//! What hung on something deleted goes in the background (spec 4.17, decisions 3).

mod tenant;

service::workers! {
    /// Removes what hung on something deleted.
    sweep::Sweep,
}
