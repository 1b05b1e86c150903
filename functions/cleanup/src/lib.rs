//! Background deletion of dependent data (contract `conventions.deletion`).

mod access;
mod tenant;

pub use access::ACCESS;

service::workers! {
    /// Deletes the dependent data of deleted resources.
    sweep::Sweep,
}
