//! Serves `permissions.add`.

service::main!(permissions::AddPermissions);
