//! Serves `organizations.delete`.

service::main!(organizations::DeleteOrganizations);
