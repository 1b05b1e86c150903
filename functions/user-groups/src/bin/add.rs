//! Serves `user-groups.add`.

service::main!(user_groups::AddGroups);
