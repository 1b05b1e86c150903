//! Serves `user-groups.users_delete`.

service::main!(user_groups::DeleteGroupUsers);
