//! Serves `organizations.get`.

service::main!(organizations::GetOrganizations);
