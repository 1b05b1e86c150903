//! Serves `user-groups.get`.

service::main!(user_groups::GetGroups);
