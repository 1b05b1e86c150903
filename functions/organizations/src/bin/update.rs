//! Serves `organizations.update`.

service::main!(organizations::UpdateOrganizations);
