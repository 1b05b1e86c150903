//! Serves `organizations.add`.

service::main!(organizations::AddOrganizations);
