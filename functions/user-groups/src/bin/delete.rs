//! Serves `user-groups.delete`.

service::main!(user_groups::DeleteGroups);
