//! Serves `user-groups.users_add`.

service::main!(user_groups::AddGroupUsers);
