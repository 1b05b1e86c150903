//! Runs `user-data.get`.

service::main!(user_data::GetUserData);
