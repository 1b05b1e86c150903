//! Serves `organizations.disable`.

service::main!(organizations::DisableOrganizations);
