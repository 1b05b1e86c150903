//! Serves `permissions.get`.

service::main!(permissions::GetPermissions);
