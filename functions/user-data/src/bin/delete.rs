//! Runs `user-data.delete`.

service::main!(user_data::DeleteUserData);
