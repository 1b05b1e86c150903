//! Background deletion of dependent data (contract `conventions.deletion`).

mod tenant;

service::workers! {
    /// Deletes the dependent data of deleted resources.
    sweep::Sweep,
}
