//! Handles of the live channel, each entered from its scope.

use tenancy::{
    features,
    scopes::{OrganizationStore, TenantStore},
};

features! {
    /// Rooms of a tenant.
    TenantRooms for TenantStore:
    /// Live connections of the tenant.
    connections: Connections,
}

features! {
    /// Rooms of an organization.
    OrganizationRooms for OrganizationStore:
    /// State of the organization that the live channel shows.
    live: OrganizationLive,
}
