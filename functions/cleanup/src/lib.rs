//! Background deletion of dependent data (spec 4.17, decisions 3).

mod tenant;

service::workers! {
    /// Deletes the dependent data of deleted resources.
    sweep::Sweep,
}
