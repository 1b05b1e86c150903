//! Serves `permissions.remove`.

service::main!(permissions::RemovePermissions);
